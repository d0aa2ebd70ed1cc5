import { describe, expect, it } from 'vitest';
import { TimelineStore } from '../../../extension/panel/feed/timeline-store.ts';
import { FakeJournal, begun, ended } from './lines.ts';

/** Calls that are shown, in the order of their rows; null for one that has to be read. */
function shown(store: TimelineStore): (string | null)[] {
  const rows = store.rows.value;
  return Array.from({ length: rows.count }, (_, index) => rows.at(index)).flatMap((row) =>
    row?.kind === 'entry' && row.entry.kind === 'call'
      ? [row.entry.callId]
      : row?.kind === 'unread'
        ? [null]
        : [],
  );
}
const names = (from: number, to: number): string[] =>
  Array.from({ length: from - to + 1 }, (_, at) => `c${from - at}`);
/** Reads the journal to its end. */
async function readAll(store: TimelineStore): Promise<void> {
  while (store.older.value === 'more') await store.readOlder();
}

describe('what has happened', () => {
  it('is read page by page, newest first, to the end', async () => {
    const journal = new FakeJournal(450);
    const store = new TimelineStore(journal.read);
    await store.readOlder();
    expect(shown(store)).toEqual(names(450, 251));
    await readAll(store);
    expect(shown(store)).toEqual(names(450, 1));
    expect(journal.reads).toBe(3);
    expect(store.older.value).toBe('end');
  });

  it('is shown as failed where it cannot be read, can be tried again, and bounds what comes meanwhile', async () => {
    const journal = new FakeJournal(10);
    journal.fails = true;
    const store = new TimelineStore(journal.read);
    await store.readOlder();
    expect(store.older.value).toBe('failed');
    journal.fails = false;
    await store.readOlder();
    expect(shown(store)).toEqual(names(10, 1));
    journal.fails = true;
    const flooded = new TimelineStore(journal.read);
    for (let n = 1; n <= 5_000; n += 1) flooded.take('home', [ended(n)]);
    expect(shown(flooded)).toHaveLength(4_000);
  });

  it('has a row for each day, above the newest line of it', async () => {
    const journal = new FakeJournal(200_000);
    const store = new TimelineStore(journal.read);
    await store.readOlder();
    store.take('home', [ended(400_000)]);
    const rows = store.rows.value;
    const kinds = [0, 1, 2, 3].map((index) => rows.at(index)?.kind);
    expect(kinds).toEqual(['day', 'entry', 'day', 'entry']);
    expect(rows.indexOf('home/w-199999')).toBe(4);
    expect(rows.at(rows.count)).toBeNull();
  });

  it('is kept in part, and what was dropped is read again where it is shown, if the journal has it', async () => {
    const journal = new FakeJournal(10_000);
    const store = new TimelineStore(journal.read);
    await readAll(store);
    expect(shown(store).filter((name) => name !== null).length).toBeLessThanOrEqual(21 * 200);
    const missing = shown(store).indexOf(null);
    store.show(missing, missing + 20);
    await expect.poll(() => shown(store)[missing]).toBe(`c${10_000 - missing}`);
    const { count } = store.rows.value;
    expect(count).toBe(10_001);
    // A day of the journal was removed meanwhile.
    const { reads } = journal;
    journal.first = journal.count;
    const gone = Array.from({ length: count }, (_, at) => store.rows.value.at(at)?.kind).indexOf('unread');
    store.show(gone, gone);
    await expect.poll(() => store.rows.value.count).toBe(count - 200);
    expect(journal.reads).toBe(reads + 1);
  });
});

describe('what happens', () => {
  it('comes on top, and each line once, also when a page has it as well', async () => {
    const journal = new FakeJournal(10);
    const store = new TimelineStore(journal.read);
    store.take('home', [ended(10), ended(11)]);
    await store.readOlder();
    store.take('home', [ended(11), ended(9), ended(12)]);
    expect(shown(store)).toEqual(names(12, 1));
  });

  it('of two servers is in the order of its times', () => {
    const store = new TimelineStore(new FakeJournal(0).read);
    store.take('one', [ended(1), ended(5)]);
    store.take('other', [ended(3, { id: 'x-3' })]);
    expect(shown(store)).toEqual(['c5', 'c3', 'c1']);
  });

  it('is one row while a call runs and once it has ended', () => {
    const store = new TimelineStore(new FakeJournal(0).read);
    store.take('home', [begun(1), ended(2)]);
    expect(shown(store)).toEqual(['c1', 'c2']);
    store.take('home', [
      { type: 'call', phase: 'progress', ts: '', call_id: 'c1', session: 's1', done: 3, total: 10 },
    ]);
    const row = store.rows.value.at(1);
    expect(row).toMatchObject({
      entry: { state: 'running', progress: { done: 3, total: 10, message: null } },
    });
    store.take('home', [ended(1, { ts: '2026-11-20T09:00:00.000Z', ok: false, code: 'timeout' })]);
    expect(shown(store)).toEqual(['c1', 'c2']);
    expect(store.rows.value.at(1)).toMatchObject({ entry: { state: 'failed', code: 'timeout' } });
    expect(store.fresh.value).toBe(2);
  });

  it('that nobody does any longer is not shown as running', () => {
    const store = new TimelineStore(new FakeJournal(0).read);
    store.take('home', [begun(1), begun(2)]);
    store.keepRunning(({ callId }) => callId === 'c2');
    expect(shown(store)).toEqual(['c2']);
  });

  it('that was missed is read from the journal, up to what is known', async () => {
    const journal = new FakeJournal(300);
    const store = new TimelineStore(journal.read);
    await store.readOlder();
    journal.count = 900;
    store.take('home', [{ type: 'gap', count: 600 }, ended(900)]);
    await store.catchUp();
    expect(shown(store)).toEqual(names(900, 101));
    await readAll(store);
    expect(shown(store)).toEqual(names(900, 1));
  });

  it('that was missed and is more than can be read replaces what was there', async () => {
    const journal = new FakeJournal(100);
    const store = new TimelineStore(journal.read);
    await store.readOlder();
    journal.count = 50_000;
    store.take('home', [{ type: 'gap', count: 49_900 }]);
    await store.catchUp();
    expect(shown(store)).toEqual(names(50_000, 46_001));
    expect(store.older.value).toBe('more');
  });

  it('becomes pages of the journal when it is much', async () => {
    const journal = new FakeJournal(1);
    const store = new TimelineStore(journal.read);
    await store.readOlder();
    for (let n = 2; n <= 3_000; n += 1) {
      journal.count = n;
      store.take('home', [ended(n)]);
      if (n > 2_001 && n % 100 === 0) await store.catchUp();
    }
    const kept = shown(store).filter((name) => name !== null);
    expect(store.rows.value.count).toBe(3_001);
    expect(new Set(kept).size).toBe(kept.length);
  });
});

describe('a filter', () => {
  it('is asked of the journal, and holds for what comes', async () => {
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

  it('drops the answer to what was asked for another one', async () => {
    const journal = new FakeJournal(4);
    const store = new TimelineStore(journal.read);
    store.setFilter({ tool: 'read_page' });
    store.setFilter({ tool: 'interact' });
    await expect.poll(() => store.older.value).toBe('end');
    expect(shown(store)).toEqual(['c3', 'c1']);
  });

  it('judges agents, outcomes and sites as the server does', () => {
    const store = new TimelineStore(new FakeJournal(0).read);
    const take = (filter: Parameters<TimelineStore['setFilter']>[0]): (string | null)[] => {
      store.setFilter(filter);
      store.take('home', [
        ended(1, { agent: 'codex' }),
        ended(2, { ok: false }),
        ended(3, { ok: true, pending: true }),
        ended(4, { args: { url: 'https://other.example:8443/' } }),
      ]);
      return shown(store);
    };
    expect(take({ agent: 'codex' })).toEqual(['c1']);
    expect(take({ outcome: 'failed' })).toEqual(['c2']);
    expect(take({ outcome: 'pending' })).toEqual(['c3']);
    expect(take({ site: 'other.example:8443' })).toEqual(['c4']);
    expect(take({ session: 'another' })).toEqual([]);
  });
});
