import { expect, it } from 'vitest';
import { defer } from '../../../shared/base/async.ts';
import type { TimelinePage } from '../../../extension/ui/frame/feed-port.ts';
import { readSession } from '../../../extension/outputs/panel/export.ts';
import { callsIn, TimelineStore } from '../../../extension/ui/frame/timeline-store.ts';
import { begun, ended, FakeJournal } from '../../ui/unit/lines.ts';

const shown = (store: TimelineStore): string[] => callsIn(store.rows.value).map(({ callId }) => callId);
const names = (from: number, to: number): string[] =>
  Array.from({ length: from - to + 1 }, (_, at) => `c${from - at}`);

it('the past is read page by page, newest first, to the end', async () => {
  const journal = new FakeJournal(450);
  const store = new TimelineStore(journal.read);
  await store.readOlder();
  expect(shown(store)).toEqual(names(450, 251));
  while (store.older.value === 'more') await store.readOlder();
  expect(shown(store)).toEqual(names(450, 1));
  expect(journal.reads).toBe(3);
  expect(store.older.value).toBe('end');
});

it('new lines come on top, and each once, even if a page also has them', async () => {
  const store = new TimelineStore(new FakeJournal(10).read);
  store.take('home', [ended(10), ended(11)]);
  await store.readOlder();
  store.take('home', [ended(11), ended(9), ended(12)]);
  expect(shown(store)).toEqual(names(12, 1));
});

it('a page that is read while all lines are reread is dropped', async () => {
  const journal = new FakeJournal(450);
  const late = defer<TimelinePage>();
  const pages = [late.promise];
  const store = new TimelineStore((query) => pages.pop() ?? journal.read(query));
  const older = store.readOlder();
  await store.catchUp();
  late.resolve(journal.read({ limit: 200 }));
  await older;
  expect([store.older.value, shown(store)]).toEqual(['more', names(450, 251)]);
});

it('lines that are missed during a read are read after it', async () => {
  const journal = new FakeJournal(10);
  const late = defer<TimelinePage>();
  const pages = [late.promise];
  const store = new TimelineStore((query) => pages.pop() ?? journal.read(query));
  const caughtUp = store.catchUp();
  late.resolve(await journal.read({}));
  journal.count = 12;
  store.take('home', [{ type: 'gap', count: 2 }]);
  await caughtUp;
  expect(shown(store)).toEqual(names(12, 1));
});

it('lines that could not be read are read with the next event', async () => {
  const journal = new FakeJournal(10);
  let isGone = true;
  const gone = (): Promise<never> => Promise.reject(new Error('The worker has ended.'));
  const store = new TimelineStore((query) => (isGone ? gone() : journal.read(query)));
  await store.catchUp();
  isGone = false;
  store.take('home', [begun(11)]);
  await expect.poll(() => shown(store)).toEqual(['c11', ...names(10, 1)]);
});

it('a call is one row while it runs and once it has ended', () => {
  const store = new TimelineStore(new FakeJournal(0).read);
  store.take('home', [begun(1), ended(2)]);
  expect(shown(store)).toEqual(['c1', 'c2']);
  store.take('home', [
    { type: 'call', phase: 'progress', ts: '', call_id: 'c1', session: 's1', done: 3, total: 10 },
  ]);
  const row = store.rows.value.at(2);
  expect(row).toMatchObject({ state: 'running', progress: { done: 3, total: 10, message: null } });
  store.take('home', [ended(1, { ts: '2026-11-20T09:00:00.000Z', ok: false, code: 'timeout' })]);
  expect(shown(store)).toEqual(['c1', 'c2']);
  expect(store.rows.value.at(2)).toMatchObject({ state: 'failed', code: 'timeout' });
  expect(store.fresh.value).toBe(2);
});

it('a filter is asked of the journal, and holds for what comes', async () => {
  const asked: unknown[] = [];
  const journal = new FakeJournal(10);
  const store = new TimelineStore((query) => {
    asked.push(query.filter);
    return journal.read(query);
  });
  store.setFilter({ tool: 'read_page' });
  await expect.poll(() => store.older.value).toBe('end');
  expect(asked).toEqual([{ tool: 'read_page' }]);
  expect(shown(store)).toEqual(['c10', 'c8', 'c6', 'c4', 'c2']);
  store.take('home', [ended(11), ended(12), begun(13), begun(14)]);
  expect(shown(store).slice(0, 3)).toEqual(['c14', 'c12', 'c10']);
});

it('names each session, and reads all of one from its first line on', async () => {
  const journal = new FakeJournal(450);
  const store = new TimelineStore(journal.read);
  const other = { client_session: 'session-2', agent: 'codex', site: 'shop.test', status: 403 };
  store.take('home', [ended(451, other)]);
  await store.readOlder();
  expect(store.names.value.sessions).toEqual([
    ['s1', 'claude-code · s1'],
    ['session-2', 'codex · on-2'],
  ]);
  const ask = (async (type: string, query: { call_id?: string }) => {
    if (type === 'timeline') return journal.read(query as never);
    if (query.call_id !== 'c1') throw new Error('It has gone.');
    return { answer: { ok: true } };
  }) as never;
  const { calls, unread } = await readSession({ ask }, 's1');
  const ids = names(450, 1).map((name) => `w-${name.slice(1)}`);
  expect(calls.map((call) => 'id' in call && call.id)).toEqual(ids.reverse());
  expect(calls[0]).toHaveProperty('answer', { ok: true });
  expect([unread.length, unread[0]]).toEqual([449, { call_id: 'c2', why: 'It has gone.' }]);
  journal.count = 0;
  await expect(readSession({ ask }, 's1')).rejects.toThrow('No call');
  const row = callsIn(store.rows.value).find(({ callId }) => callId === 'c451');
  expect(row).toMatchObject({ site: 'shop.test', status: 403, did: [] });
});
