import { SessionPicks } from '../../../server/core/context.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LiveFeed } from '../../../server/activity/feed.ts';
import { createJournal } from '../../../server/ledger/journal.ts';
import { clean } from '../../../server/libraries/redaction/clean.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { FEED_BATCH, FEED_METHODS, type FeedCursor, type FeedEvent } from '../../../shared/core/feed.ts';
import { realClock as clock, silentLogger as logger } from '../../support/bridge-rig.ts';
import { testFolder } from '../../support/test-folder.ts';

const SESSION = '7d9f5a52-0c0f-4a43-9b6e-0d8f5f5b7c11';
const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'.slice(0, 40);
const never = new AbortController().signal;

async function setUp() {
  const redactor = createRedactor({ enabled: true });
  const journal = createJournal({ home: testFolder(), clock, logger, redactor });
  const sessionEnds: string[] = [];
  const feed = new LiveFeed({ clock, journal, redactor, onSessionEnd: (id) => sessionEnds.push(id) });
  onTestFinished(async () => {
    feed.close();
    await journal.close();
  });
  const end = new AbortController();
  const session = {
    id: SESSION,
    name: 'claude-code',
    version: '2.0',
    signal: end.signal,
    picks: new SessionPicks(),
  };
  const call = (callId: string) => ({ callId, tool: 'read_page', session });
  const read = async (cursor: FeedCursor | null, how: { limit?: number; wait_ms?: number } = {}) => {
    const next = await feed.next({ cursor, limit: FEED_BATCH, wait_ms: 0, ...how }, never);
    return FEED_METHODS['feed.next'].result.parse({ home: 'h', ...next });
  };
  return { journal, feed, call, read, end, sessionEnds };
}

const kinds = (events: readonly FeedEvent[]): string[] =>
  events.map((event) => ('phase' in event ? `${event.type} ${event.phase}` : event.type));

it('a reader begins with the agents and what they do, and then gets what happens', async () => {
  const { journal, feed, call, read, end, sessionEnds } = await setUp();
  feed.begun(call('c1'), () => ({ event: 'tool_call' }));
  const begin = await read(null);
  const calls = [{ call_id: 'c1', tool: 'read_page' }];
  const agents = [{ session: SESSION, name: 'claude-code', version: '2.0', calls }];
  expect(begin.events).toMatchObject([{ agents }]);
  journal.record({ event: 'tool_call', call_id: 'c1', ok: true });
  journal.record({ event: 'output_handle_created', handle: 'oh_1' });
  journal.record({ event: 'run_started', run_id: 'run_1' });
  journal.record({ event: 'browser_connected', browser: 'b1' });
  const { events, cursor } = await read(begin.cursor);
  expect(kinds(events)).toEqual(['call begun', 'call ended', 'store made', 'run begun', 'journal']);
  expect((await read(cursor)).events).toEqual([]);
  end.abort();
  expect((await read(cursor)).events).toContainEqual({ type: 'agents', agents: [] });
  expect(sessionEnds).toEqual([SESSION]);
});

it('a call that has ended is reported by its line alone, whatever its steps were', async () => {
  const { journal, feed, call, read } = await setUp();
  const { cursor } = await read(null);
  feed.begun(call('c1'), () => ({ event: 'tool_call', call_id: 'c1' }));
  for (let done = 0; done < 100; done += 1) feed.progress(call('c1'), { done, total: 100 });
  expect(kinds((await read(cursor)).events)).toEqual(['agents', 'call begun', 'call progress']);
  journal.record({ event: 'tool_call', call_id: 'c1' });
  feed.ended(call('c1'), { ok: true, content: [{ type: 'text', text: clean`done` }], state: {} }, 4);
  expect(kinds((await read(cursor)).events)).toEqual(['agents', 'call ended']);
});

it('answers a reader at a limited rate during activity, and loses nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  const { journal, read } = await setUp();
  let { cursor } = await read(null);
  const ids: unknown[] = [];
  const times: number[] = [];
  const reader = (async () => {
    while (ids.length < 40) {
      const next = await read(cursor, { wait_ms: 20_000 });
      ({ cursor } = next);
      times.push(performance.now());
      for (const event of next.events) if ('line' in event) ids.push(event.line['call_id']);
    }
  })();
  for (let n = 0; n < 40; n += 1) {
    journal.record({ event: 'tool_call', call_id: `c${n}` });
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(100);
  await reader;
  expect(ids).toEqual(Array.from({ length: 40 }, (_, n) => `c${n}`));
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50);
  expect(gaps.length).toBeGreaterThan(1);
});

it('a reader that is slow in a flood of 10,000 learns how many lines it has missed, and misses no more', async () => {
  const { journal, read } = await setUp();
  const begin = await read(null);
  journal.record({ event: 'tool_call', call_id: 'first' });
  const { cursor: place } = await read(begin.cursor);
  for (let n = 0; n < 10_000; n += 1) journal.record({ event: 'tool_call', call_id: `c${n}` });
  const ids: unknown[] = [];
  let missed = 0;
  for (let next = await read(place); next.events.length > 0; next = await read(next.cursor)) {
    for (const event of next.events) {
      if (event.type === 'gap') missed += event.count;
      if ('line' in event) ids.push(event.line['call_id']);
    }
  }
  expect(missed).toBe(9_000);
  expect(ids).toEqual(Array.from({ length: 1_000 }, (_, n) => `c${9_000 + n}`));
});

it('keeps and redacts nothing while nobody reads, and counts what it did not keep', async () => {
  const { journal, feed, call, read } = await setUp();
  const entry = vi.fn(() => ({ event: 'tool_call' }));
  feed.begun(call('c1'), entry);
  journal.record({ event: 'tool_call' });
  journal.record({ event: 'tool_call' });
  expect(entry).not.toHaveBeenCalled();
  const { events, cursor } = await read({ seq: 0, lines: 0 });
  expect(events[0]).toEqual({ type: 'gap', count: 2 });
  expect(kinds(events)).toEqual(['gap', 'agents']);
  feed.begun(call('c2'), entry);
  expect(entry).toHaveBeenCalledOnce();
  // A failure to build an event fails no call, and calls of widgets are not reported.
  entry.mockImplementation(() => {
    throw new Error('A getter throws.');
  });
  feed.begun(call('c3'), entry);
  feed.begun(call('c4'), () => ({ event: 'tool_call', audience: 'widget' }));
  journal.record({ event: 'tool_call', audience: 'widget' });
  expect(kinds((await read(cursor)).events)).toEqual(['call begun']);
});

it('no event holds a secret', async () => {
  const { journal, feed, call, read } = await setUp();
  const { cursor } = await read(null);
  const args = { text: `token ${SECRET}` };
  feed.begun(call('c1'), () => ({ event: 'tool_call', args }));
  feed.progress(call('c1'), { done: 1, message: `${'x'.repeat(280)} ${SECRET}` });
  journal.record({ event: 'tool_call', args });
  const { events } = await read(cursor);
  expect(kinds(events)).toEqual(['agents', 'call begun', 'call progress', 'call ended']);
  expect(JSON.stringify(events)).not.toContain(SECRET.slice(0, 12));
});
