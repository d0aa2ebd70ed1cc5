import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { handleToolUse } from '../../../server/adapters/anthropic/tools.ts';
import type { Gate } from '../../../server/core/calls/gate.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';
import {
  collect,
  DONE,
  endOf,
  expectSendable,
  READ,
  resultsOf,
  scriptedLoops,
  use,
} from '../../support/scripted-loop.ts';

// A loop whose calls a person is asked about.

const askAlways: Gate = { check: async () => ({ ask: {} }) };
const ENDLESS = { tab: 'b1:1', output_mode: 'handle' };
const toolUse = (id: string) => ({ id, name: 'read_page', input: { tab: 'b1:1' } });

const start = localSpillways();
const loopOver = scriptedLoops();

test('a call that a person is asked about stops the loop, and it continues once that was decided', async () => {
  const gate: Gate = {
    check: async ({ definition: { manifest } }) =>
      manifest.name === 'read_page' ? { ask: { question: 'May it?' } } : { allow: true },
  };
  const { spillway, bridge } = await start({ gate });
  bridge.addBrowser({ 1: PAGE });
  const { loop, server } = await loopOver(spillway, [
    {
      content: [
        READ,
        use('toolu_2', 'oc_connection_health', {}),
        use('toolu_3', 'read_page', { tab: 'b1:1' }),
      ],
    },
    DONE,
  ]);
  const events = await collect(loop);
  expect(resultsOf(events).map(({ tool_use_id }) => tool_use_id)).toEqual(['toolu_2']);
  const end = endOf(events);
  expect(end).toMatchObject({
    reason: 'pending',
    pending: [
      { toolUse: { id: 'toolu_1' }, pending: { interaction: { question: 'May it?' } } },
      { toolUse: { id: 'toolu_3' } },
    ],
  });
  expect(server.requests).toHaveLength(1);
  await spillway.decide('toolu_1', { approve: true, by: 'Ada' });
  const running = collect(loop);
  await spillway.decide('toolu_3', { approve: false, by: 'a person' });
  const later = await running;
  expect(endOf(later)?.reason).toBe('end_turn');
  expect(bridge.calls.filter(({ method }) => method === 'page.read')).toHaveLength(1);
  const answers = server.requests[1]?.messages.at(-1)?.content;
  expect(answers).toMatchObject([
    { tool_use_id: 'toolu_1', content: [{ text: '# Example\nHello.\n' }, {}] },
    { tool_use_id: 'toolu_2' },
    { tool_use_id: 'toolu_3', is_error: true },
  ]);
});

test('an abort cancels a call that was allowed, and refuses each undecided one', async () => {
  const { spillway, bridge } = await start({ gate: askAlways });
  bridge.addBrowser({ 1: { ...PAGE, content: endlessText } });
  const cancel = new AbortController();
  const content = ['toolu_1', 'toolu_2', 'toolu_3'].map((id) => use(id, 'read_page', ENDLESS));
  const { loop } = await loopOver(spillway, [{ content }], { signal: cancel.signal });
  expect(endOf(await collect(loop))?.reason).toBe('pending');
  const decided = spillway.decide('toolu_1', { approve: true, by: 'Ada' });
  const running = collect(loop);
  await new Promise((resolve) => setImmediate(resolve));
  cancel.abort();
  const later = await running;
  expect(endOf(later)).toMatchObject({ reason: 'aborted', pending: [] });
  expect((await decided).error?.code).toBe('cancelled');
  const texts = resultsOf(later).map((block) => JSON.stringify(block));
  expect(texts).toEqual([
    expect.stringContaining('cancelled'),
    expect.stringContaining('call_denied'),
    expect.stringContaining('call_denied'),
  ]);
  await expect(spillway.decide('toolu_2', { approve: true, by: 'Ada' })).rejects.toMatchObject({
    code: 'call_not_pending',
  });
  expectSendable(loop);
});

test('leaving the loop cancels an approved call that is active', async () => {
  const { spillway, bridge } = await start({ gate: askAlways });
  bridge.addBrowser({ 1: { ...PAGE, content: endlessText } });
  const content = [use('toolu_1', 'oc_connection_health', {}), use('toolu_2', 'read_page', ENDLESS)];
  const { loop } = await loopOver(spillway, [{ content }]);
  await collect(loop);
  const decided = spillway.decide('toolu_2', { approve: true, by: 'Ada' });
  await spillway.decide('toolu_1', { approve: false, by: 'a person' });
  for await (const event of loop) if (event.type === 'tool_result') break;
  expect((await decided).error?.code).toBe('cancelled');
  expectSendable(loop);
});

test('a loop whose session was closed while it waited ends, with a result for each call', async () => {
  const { spillway, bridge } = await start({ gate: askAlways });
  bridge.addBrowser({ 1: PAGE });
  const session = spillway.session();
  const { loop, server } = await loopOver(session, [
    { content: [READ, use('toolu_2', 'read_page', {})] },
    DONE,
  ]);
  await collect(loop);
  session.close();
  // A closed session leaves nothing in memory.
  await expect.poll(() => session.settled('toolu_1').catch(() => 'forgotten')).toBe('forgotten');
  const later = await collect(loop);
  expect(endOf(later)?.reason).toBe('aborted');
  expect(server.requests).toHaveLength(1);
  expectSendable(loop);
  expect(resultsOf(later).map(({ is_error }) => is_error)).toEqual([true, true]);
  expect(JSON.stringify(resultsOf(later))).toContain('call_not_pending');
});

test.each([
  ['follows the results', <Said>(said: Said): Said => said],
  // The same words in an object of the caller's own.
  ['follows them in a conversation that came back from a store', structuredClone],
])('what is said while a call waits for a person %s', async (_what, keep) => {
  const { spillway, bridge } = await start({ gate: askAlways });
  bridge.addBrowser({ 1: PAGE });
  const { loop, server } = await loopOver(spillway, [{ content: [READ] }, DONE]);
  await collect(loop);
  const hurry = { role: 'user', content: 'By the way, hurry.' } as const;
  loop.messages.push(...keep(loop.messages.splice(1)), hurry);
  await spillway.decide('toolu_1', { approve: true, by: 'Ada' });
  expect(endOf(await collect(loop))?.reason).toBe('end_turn');
  expect(server.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ id: 'toolu_1' }] },
    { role: 'user', content: [{ tool_use_id: 'toolu_1' }] },
    hurry,
  ]);
  expectSendable(loop);
});

test('an onPending that throws refuses the call, and the block has its result', async () => {
  const { spillway, bridge } = await start({ gate: askAlways });
  bridge.addBrowser({ 1: PAGE });
  const onPending = (): void => {
    throw new Error('the chat is closed');
  };
  const block = await handleToolUse(spillway, toolUse('toolu_1'), { onPending });
  expect(block).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true });
  expect(JSON.stringify(block.content)).toContain(
    'read_page was denied by onPending, which failed: the chat is closed.',
  );
  expect(bridge.calls).toEqual([]);
});

test('any number of calls wait for a person with one signal', async () => {
  const { spillway, bridge } = await start({ gate: askAlways });
  bridge.addBrowser({ 1: PAGE });
  const cancel = new AbortController();
  let asked = 0;
  const blocks = Array.from({ length: 12 }, (_, index) =>
    handleToolUse(spillway, toolUse(`toolu_${index}`), {
      signal: cancel.signal,
      onPending: () => void (asked += 1),
    }),
  );
  await expect.poll(() => asked).toBe(12);
  // Node warns of the eleventh.
  expect(getEventListeners(cancel.signal, 'abort').length).toBeLessThanOrEqual(10);
  cancel.abort();
  for (const block of await Promise.all(blocks)) expect(block.is_error).toBe(true);
  expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
});
