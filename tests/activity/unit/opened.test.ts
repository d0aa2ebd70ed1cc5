import { expect, it, vi } from 'vitest';
import { askServer } from '../../../extension/core/link/ask-server.ts';
import { FeedPage } from '../../../extension/activity/worker/feed-page.ts';
import { ServerReader } from '../../../extension/activity/worker/server-reader.ts';
import type { ServerPort } from '../../../extension/core/handler.ts';
import type { AskedOf, FeedMessage, Query } from '../../../extension/ui/frame/feed-port.ts';
import { JsonRpc } from '../../../shared/core/bridge/json-rpc.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { coded } from '../../support/bridge-rig.ts';

/** Names the home, and has no events. */
const feedOf = async ({ cursor }: { cursor?: unknown }): Promise<object> =>
  cursor === null
    ? { cursor: { generation: 'g', seq: 0 }, events: [], home: 'home' }
    : new Promise(() => undefined);

const failing = (code: 'api_not_found' | 'timeout') => (): never => {
  throw new SpillwayError(code, 'The server has no answer.');
};
const lacks = failing('api_not_found');

type Answers = Readonly<Record<string, (params: object, signal: AbortSignal) => unknown>>;

function openedBy(...servers: readonly Answers[]) {
  const asked: unknown[] = [];
  const ports = servers.map((answers, at): ServerPort => ({
    instance: `server-${at}`,
    wire: 2,
    request: (async (method: string, params: object, signal: AbortSignal) => {
      if (method === 'feed.next') return (answers[method] ?? feedOf)(params, signal);
      asked.push([at, method, params]);
      return (answers[method] ?? lacks)(params, signal);
    }) as never,
  }));
  const posted: FeedMessage[] = [];
  const page = new FeedPage({ cursors: {}, post: (message) => posted.push(message) });
  const come = (): void =>
    page.refresh(ports.map((port) => ({ port: { ...port }, version: '1', policy: null as never })));
  come();
  const answer = async (query: Query, id = asked.length): Promise<object> => {
    await page.answer(id, query);
    const message = posted.find((one) => 'id' in one && one.id === id);
    if (message?.type === 'answer') return message.result;
    throw new SpillwayError('cancelled', 'It failed.');
  };
  return { answer, asked, posted, come };
}

const result: AskedOf<'call.result'> = { type: 'call.result', home: 'home', call_id: 'c1' };
const page = { type: 'outputs.page', home: 'home', handle: 'oh_A', offset: 0 } as const;
const remove = { type: 'outputs.delete', home: 'home', handle: 'oh_A', where: 'side_panel' } as const;
const OK = { ok: true };

it('a call’s answer is requested from each server of its home, since each keeps its own', async () => {
  const { answer, asked } = openedBy(
    { 'call.result': () => ({ answer: null }) },
    { 'call.result': () => ({ answer: OK }) },
  );
  expect(await answer(result)).toEqual({ answer: OK });
  expect(asked).toHaveLength(2);
});

it.each([
  [page, 'api_not_found', [0, 1]],
  [page, 'timeout', [0, 1]],
  [remove, 'timeout', [0]],
] as const)(
  '%o fails with %s at the first server of its home, and is asked of servers %j',
  async (query, code, servers) => {
    const { type, home: _home, ...params } = query;
    const { answer, asked } = openedBy({ [type]: failing(code) }, { [type]: () => OK }, {});
    expect(await answer(query).catch(() => null)).toEqual(servers.length === 1 ? null : OK);
    expect(asked).toEqual(servers.map((at) => [at, type, params]));
  },
);

it('a server that does not name its home delays queries once', async () => {
  vi.useFakeTimers();
  const { answer } = openedBy({ 'outputs.page': () => OK }, { 'feed.next': () => feedOf({}) });
  const first = answer(page);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([await first, await answer(page)]).toEqual([OK, OK]);
});

it('the events of a server that comes back go on after those that were sent', async () => {
  const cursors: unknown[] = [];
  const end = { seq: 3, lines: 2 };
  const next = ({ cursor }: { cursor?: unknown }) =>
    cursors.push(cursor) === 1 ? { cursor: end, events: [{ type: 'meter' }], home: 'home' } : feedOf({});
  const { come, posted } = openedBy({ 'feed.next': next });
  await expect.poll(() => posted.map(({ type }) => type)).toContain('events');
  come();
  expect(cursors).toEqual([null, end]);
});

it('the timeline does not end while a journal with older lines cannot be read', async () => {
  const end = { lines: [], next: null };
  const { answer } = openedBy({ 'journal.page': failing('timeout') }, { 'journal.page': () => end });
  const before = { other: '2026-11-27:3' };
  const next = { ...before, home: null };
  expect(await answer({ type: 'timeline', before })).toEqual({ lines: [], next });
  for (const place of [{}, next])
    await expect(openedBy().answer({ type: 'timeline', before: place })).rejects.toThrow();
});

it('a search ends the one before, and not the next', async () => {
  const signals: AbortSignal[] = [];
  const { answer } = openedBy({
    'outputs.search': (_params, signal) => {
      signals.push(signal);
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        if (signals.length > 1) resolve({ matches: [] });
      });
    },
  });
  const search = (text: string) =>
    answer({ type: 'outputs.search', home: 'home', handle: 'oh_A', text, offset: 0, limit: 5 });
  const first = coded(search('t'));
  await expect.poll(() => signals.length).toBe(1);
  expect(await search('te')).toEqual({ matches: [] });
  expect(await first).toMatchObject({ code: 'cancelled' });
  expect(signals[1]?.aborted).toBe(false);
});

it('an answer too large to be sent is an error at the other end', async () => {
  const send = vi.fn((message: object) => {
    if ('result' in message) throw new SpillwayError('frame_too_large', 'It is over the limit.');
  });
  new JsonRpc(send, async () => 'x').receive({ jsonrpc: '2.0', id: 1, method: 'runs.list' });
  const sent = [{ id: 1, error: { data: { code: 'frame_too_large' } } }];
  await expect.poll(() => send.mock.lastCall).toMatchObject(sent);
});

it('a server without events is asked once in the time that it may wait', async () => {
  vi.useFakeTimers();
  const send = vi.fn();
  const rpc = new JsonRpc(send, lacks);
  const { signal: closed } = new AbortController();
  const request: ServerPort['request'] = (method, params, signal) =>
    askServer(rpc, { method, params, signal, closed });
  const server = { instance: 'server', wire: 2, request };
  const on = { onState: () => undefined, onEvents: () => undefined };
  const reader = new ServerReader({ server, version: '1', cursor: null, ...on });
  await vi.advanceTimersByTimeAsync(30_000);
  reader.close();
  expect(send.mock.calls.map(([{ method }]) => method)).toEqual(['feed.next', '$/cancelRequest']);
});
