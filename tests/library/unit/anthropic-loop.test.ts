import { expect, test } from 'vitest';
import type { ToolLoopOptions } from '../../../server/library/anthropic/index.ts';
import type { AppParts } from '../../../server/core/app.ts';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';
import type { ScriptedTurn } from '../../support/messages-server.ts';
import * as scripted from '../../support/scripted-loop.ts';

const { ASK, collect, DONE, endOf, expectSendable, loopOver, READ, resultsOf, use } = scripted;
const start = localSpillways();
const ADA = { approve: true, by: 'Ada' } as const;
const NO = { approve: false, by: 'a person' } as const;
const ENDLESS = { tab: 'b1:1', output_mode: 'handle' };
const askAlways: Gate = { check: async () => ({ ask: {} }) };
const say = (text: string) => ({ type: 'text', text }) as const;

interface Given extends Partial<ToolLoopOptions> {
  readonly gate?: Gate;
  readonly parts?: AppParts;
  readonly content?: typeof endlessText;
}

async function over(script: readonly ScriptedTurn[], { gate, parts, content, ...options }: Given = {}) {
  const { spillway, bridge } = await start(gate === undefined ? {} : { gate }, parts);
  bridge.addBrowser({ 1: { ...PAGE, ...(content && { content }) }, 2: PAGE });
  return { spillway, bridge, ...(await loopOver(spillway, script, options)) };
}

test('the loop tells text as it comes, runs tools, and ends when the model calls no more', async () => {
  const { loop, server } = await over([
    { content: [say('I look.'), READ, use('toolu_2', 'read_page', { tab: 'b1:2' })] },
    { content: [use('toolu_3', 'nothing_there', {}), use('toolu_4', 'find_tools', { select: ['console'] })] },
    DONE,
    DONE,
  ]);
  const events = await collect(loop);
  expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('I look.Done.');
  const failed = resultsOf(events).filter(({ is_error }) => is_error);
  expect(failed.map(({ tool_use_id }) => tool_use_id)).toEqual(['toolu_3']);
  expect(endOf(events)).toMatchObject({ reason: 'end_turn', pending: [] });
  // Tools that find_tools adds to the list are offered with the next request.
  const offered = server.requests.map(({ tools }) => tools.some(({ name }) => name === 'console'));
  expect(offered).toEqual([false, false, true]);
  expect(loop.messages).toHaveLength(6);
  expectSendable(loop);
  loop.messages.push(ASK);
  expect(endOf(await collect(loop))?.reason).toBe('end_turn');
  expect(server.requests[3]?.messages).toHaveLength(7);
});

test.each(['text', 'tool_call', 'tool_result'])(
  'a session that is closed after an event of %s ends its loop, and no model is asked for it again',
  async (type) => {
    const script = [{ content: [say('I look.'), READ] }, { content: [READ] }, DONE];
    const { spillway, loop, server } = await over(script);
    const reasons: string[] = [];
    for await (const event of loop) {
      if (event.type === type) void spillway.close();
      if (event.type === 'end') reasons.push(event.reason);
    }
    expect(reasons).toEqual(['aborted']);
    expectSendable(loop);
    loop.messages.push(ASK);
    expect(endOf(await collect(loop))?.reason).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  },
);

test('blank text of the model and thoughts that end in nothing are not sent back', async () => {
  const thought = { type: 'thinking', thinking: 'I should read it.' } as const;
  const { loop, server } = await over([
    { content: [thought, say(''), READ, say('\n')] },
    { content: [thought, say('')] },
    { content: [say('Done.'), thought] },
  ]);
  const events = await collect(loop);
  expect(server.requests[1]?.messages[1]?.content).toMatchObject([thought, { id: 'toolu_1' }]);
  expect(endOf(events)?.message?.content).toHaveLength(2);
  loop.messages.push(ASK);
  await collect(loop);
  expect(loop.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done.' }] });
  expectSendable(loop);
});

test.each<[string, ScriptedTurn[], Given, number]>([
  ['end_turn', [{ content: [say('I search.')], stopReason: 'pause_turn' }, DONE], {}, 0],
  ['max_tokens', [{ content: [READ], stopReason: 'max_tokens' }], {}, 0],
  ['refusal', [{ content: [READ], stopReason: 'refusal' }], {}, 0],
  ['max_turns', [{ content: [READ] }, { content: [READ] }], { maxTurns: 2 }, 2],
])('a loop ends by %s, with a conversation that can be sent', async (reason, script, options, reads) => {
  const { bridge, loop, server } = await over(script, options);
  expect(endOf(await collect(loop))).toMatchObject({ reason, message: { role: 'assistant' } });
  expect(bridge.calls.filter(({ method }) => method === 'page.read')).toHaveLength(reads);
  expect(server.requests).toHaveLength(script.length);
  if (reason === 'refusal') expect(loop.messages).toEqual([ASK]);
  else expectSendable(loop);
});

test('a call that a person is asked about stops the loop, and it continues once that was decided', async () => {
  const gate: Gate = {
    check: async ({ definition: { manifest } }) =>
      manifest.name === 'read_page' ? { ask: { question: 'May it?' } } : { allow: true },
  };
  const other = use('toolu_2', 'oc_connection_health', {});
  const content = [READ, other, use('toolu_3', 'read_page', { tab: 'b1:1' })];
  const { spillway, bridge, loop, server } = await over([{ content }, DONE], { gate });
  const events = await collect(loop);
  expect(resultsOf(events).map(({ tool_use_id }) => tool_use_id)).toEqual(['toolu_2']);
  expect(endOf(events)).toMatchObject({
    reason: 'pending',
    pending: [
      { toolUse: { id: 'toolu_1' }, pending: { interaction: { question: 'May it?' } } },
      { toolUse: { id: 'toolu_3' } },
    ],
  });
  expect(server.requests).toHaveLength(1);
  await spillway.decide('toolu_1', ADA);
  const running = collect(loop);
  await spillway.decide('toolu_3', NO);
  expect(endOf(await running)?.reason).toBe('end_turn');
  expect(bridge.calls.filter(({ method }) => method === 'page.read')).toHaveLength(1);
  expect(server.requests[1]?.messages.at(-1)?.content).toMatchObject([
    { tool_use_id: 'toolu_1', content: [{ text: '# Example\nHello.\n' }, {}] },
    { tool_use_id: 'toolu_2' },
    { tool_use_id: 'toolu_3', is_error: true },
  ]);
});

test('leaving the loop cancels an approved call that is active', async () => {
  const content = [use('toolu_1', 'oc_connection_health', {}), use('toolu_2', 'read_page', ENDLESS)];
  const { spillway, loop } = await over([{ content }], { gate: askAlways, content: endlessText });
  await collect(loop);
  const decided = spillway.decide('toolu_2', ADA);
  await spillway.decide('toolu_1', NO);
  for await (const event of loop) if (event.type === 'tool_result') break;
  expect((await decided).error?.code).toBe('cancelled');
  expectSendable(loop);
});

test.each([
  ['follows the results', <Said>(said: Said): Said => said],
  // The same words in an object of the caller's own.
  ['follows them in a conversation that came back from a store', structuredClone],
])('what is said while a call waits for a person %s', async (_what, keep) => {
  const { spillway, loop, server } = await over([{ content: [READ] }, DONE], { gate: askAlways });
  await collect(loop);
  const hurry = { role: 'user', content: 'By the way, hurry.' } as const;
  loop.messages.push(...keep(loop.messages.splice(1)), hurry);
  await spillway.decide('toolu_1', ADA);
  expect(endOf(await collect(loop))?.reason).toBe('end_turn');
  expect(server.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ id: 'toolu_1' }] },
    { role: 'user', content: [{ tool_use_id: 'toolu_1' }] },
    hurry,
  ]);
  expectSendable(loop);
});
