import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import type { OwnTool, ToolLoopEvent } from '../../../server/adapters/anthropic/index.ts';
import type { StepContext } from '../../../server/core/context.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';
import type { ScriptedTurn } from '../../support/messages-server.ts';
import {
  ASK,
  collect,
  DONE,
  endOf,
  expectSendable,
  READ,
  resultsOf,
  scriptedLoops,
  use,
} from '../../support/scripted-loop.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

const start = localSpillways();
const loopOver = scriptedLoops();

test('the loop tells text as it comes, runs tools, and ends when the model calls no more', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE, 2: PAGE });
  const { loop, server } = await loopOver(spillway, [
    { content: [{ type: 'text', text: 'I look.' }, READ, use('toolu_2', 'read_page', { tab: 'b1:2' })] },
    { content: [use('toolu_3', 'nothing_there', {})] },
    DONE,
    DONE,
  ]);
  const events = await collect(loop);
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  expect(text).toBe('I look.Done.');
  expect(resultsOf(events).map(({ tool_use_id, is_error }) => [tool_use_id, is_error])).toEqual([
    ['toolu_1', undefined],
    ['toolu_2', undefined],
    ['toolu_3', true],
  ]);
  expect(endOf(events)).toMatchObject({ reason: 'end_turn', pending: [] });
  expect(server.requests).toHaveLength(3);
  expect(loop.messages).toHaveLength(6);
  expectSendable(loop);
  // A conversation continues where it ended.
  loop.messages.push(ASK);
  expect(endOf(await collect(loop))?.reason).toBe('end_turn');
  expect(server.requests[3]?.messages).toHaveLength(7);
});

test('what find_tools adds to the list is offered with the next request', async () => {
  const { spillway } = await start();
  const { loop, server } = await loopOver(spillway, [
    { content: [use('toolu_1', 'find_tools', { select: ['console'] })] },
    DONE,
  ]);
  await collect(loop);
  const [first, second] = server.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(first).not.toContain('console');
  expect(second).toContain('console');
});

const ownTool = (name: string, call: OwnTool['call']): OwnTool => ({
  tool: { name, input_schema: { type: 'object' } },
  call,
});

test('tools of the caller are tried after ours, and what they throw is an error block', async () => {
  const { spillway } = await start();
  const failing = (thrown: unknown) => () => Promise.reject(thrown);
  const ownTools = [
    ownTool('tabs', failing(new Error('it must not be called'))),
    ownTool('plain', async (input) => JSON.stringify(input)),
    ownTool('breaks', failing(new Error('broken'))),
    ownTool('coded', failing(new SpillwayError('timeout', 'slow'))),
    // It is ours, and not listed.
    ownTool('console', async () => 'never'),
  ];
  const { loop, server } = await loopOver(
    spillway,
    [{ content: ownTools.slice(0, 4).map(({ tool }, at) => use(`toolu_${at}`, tool.name, { at })) }, DONE],
    { ownTools },
  );
  const results = resultsOf(await collect(loop));
  const byId = new Map(results.map((block) => [block.tool_use_id, block]));
  expect(JSON.stringify(byId.get('toolu_0')?.content)).toContain('tabs: at: unknown field');
  expect(byId.get('toolu_1')?.content).toBe('{"at":1}');
  for (const [id, code] of [
    ['toolu_2', 'upstream_error'],
    ['toolu_3', 'timeout'],
  ] as const)
    expect(byId.get(id)).toMatchObject({ is_error: true, content: expect.stringContaining(code) });
  const offered = server.requests[0]?.tools.map(({ name }) => name);
  expect(offered).toContain('plain');
  expect(offered).not.toContain('console');
});

test('no more than the given number of calls runs at once', async () => {
  const { spillway } = await start();
  let running = 0;
  let most = 0;
  const slow = ownTool('slow', async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return 'ok';
  });
  const content = Array.from({ length: 9 }, (_, at) => use(`toolu_${at}`, 'slow', {}));
  const { loop } = await loopOver(spillway, [{ content }, DONE], { ownTools: [slow], maxConcurrentCalls: 3 });
  expect(resultsOf(await collect(loop))).toHaveLength(9);
  expect(most).toBe(3);
});

test('an abort cancels the calls, and each still has its one result', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: { ...PAGE, content: endlessText }, 2: PAGE });
  const cancel = new AbortController();
  const endless = { tab: 'b1:1', output_mode: 'handle' };
  const { loop } = await loopOver(
    spillway,
    [{ content: [1, 2, 3].map((at) => use(`toolu_${at}`, 'read_page', endless)) }],
    { signal: cancel.signal, maxConcurrentCalls: 2 },
  );
  const events: ToolLoopEvent[] = [];
  for await (const event of loop) {
    events.push(event);
    if (event.type === 'tool_call') setImmediate(() => cancel.abort());
  }
  expect(endOf(events)?.reason).toBe('aborted');
  expect(resultsOf(events).map(({ is_error }) => is_error)).toEqual([true, true, true]);
  expect(JSON.stringify(resultsOf(events))).toContain('cancelled');
  expectSendable(loop);
});

test('a session that is closed ends its loop, and no model is asked for it again', async () => {
  for (const type of ['text', 'tool_call', 'tool_result'] as const) {
    const { spillway, bridge } = await start();
    bridge.addBrowser({ 1: PAGE });
    const script = [
      { content: [{ type: 'text', text: 'I look.' } as const, READ] },
      { content: [READ] },
      DONE,
    ];
    const { loop, server } = await loopOver(spillway, script);
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
  }
});

test('an abort while the model speaks leaves the conversation as it was', async () => {
  const { spillway } = await start();
  const cancel = new AbortController();
  const { loop } = await loopOver(spillway, [{ ...DONE, hangs: true }], { signal: cancel.signal });
  const reasons: string[] = [];
  for await (const event of loop) {
    if (event.type === 'text') cancel.abort();
    if (event.type === 'end') reasons.push(event.reason);
  }
  expect(reasons).toEqual(['aborted']);
  expect(loop.messages).toEqual([ASK]);
});

test('blank text of the model and thoughts that end in nothing are not sent back', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const thought = { type: 'thinking', thinking: 'I should read it.' } as const;
  const { loop, server } = await loopOver(spillway, [
    { content: [thought, { type: 'text', text: '' }, READ, { type: 'text', text: '\n' }] },
    { content: [thought, { type: 'text', text: '' }] },
    { content: [{ type: 'text', text: 'Done.' }, thought] },
  ]);
  const events = await collect(loop);
  expect(server.requests[1]?.messages[1]?.content).toMatchObject([thought, { id: 'toolu_1' }]);
  // The caller gets what the model said.
  expect(endOf(events)?.message?.content).toHaveLength(2);
  loop.messages.push(ASK);
  await collect(loop);
  expect(loop.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'Done.' }] });
  expectSendable(loop);
});

test('a loop that could call nothing is refused', async () => {
  const { spillway } = await start();
  for (const maxConcurrentCalls of [0, -1, NaN])
    await expect(loopOver(spillway, [], { maxConcurrentCalls })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('maxConcurrentCalls'),
    });
});

test('pause_turn continues, max_tokens calls nothing, a refusal is omitted, turns are bounded', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const paused = await loopOver(spillway, [
    { content: [{ type: 'text', text: 'I search.' }], stopReason: 'pause_turn' },
    DONE,
  ]);
  expect(endOf(await collect(paused.loop))?.reason).toBe('end_turn');
  expect(paused.server.requests[1]?.messages.at(-1)?.role).toBe('assistant');

  const cut = await loopOver(spillway, [{ content: [READ], stopReason: 'max_tokens' }]);
  expect(endOf(await collect(cut.loop))?.reason).toBe('max_tokens');
  expect(bridge.calls).toEqual([]);
  expectSendable(cut.loop);

  const refused = await loopOver(spillway, [{ content: [READ], stopReason: 'refusal' }]);
  expect(endOf(await collect(refused.loop))).toMatchObject({ reason: 'refusal', message: { id: 'msg_1' } });
  expect(refused.loop.messages).toEqual([ASK]);

  const bounded = await loopOver(spillway, [{ content: [READ] }, { content: [READ] }], { maxTurns: 2 });
  expect(endOf(await collect(bounded.loop))?.reason).toBe('max_turns');
  expectSendable(bounded.loop);
});

test('the calls of one turn share a step, and a tool may stop the loop', async () => {
  const steps: (StepContext | null)[] = [];
  const tool = testTool({
    name: 'halt',
    kind: 'direct',
    run: async (_args, { step }) => {
      steps.push(step);
      return { ...produceJson({ halted: true }), stop: steps.length > 2 };
    },
  });
  const { spillway } = await start({}, { providers: [testProvider('halting', [tool])] });
  const halt = (id: string): ScriptedTurn['content'][number] => use(id, 'halt', {});
  const { loop, server } = await loopOver(spillway, [
    { content: [halt('toolu_1'), halt('toolu_2')] },
    { content: [halt('toolu_3')] },
    DONE,
  ]);
  expect(endOf(await collect(loop))?.reason).toBe('stopped');
  expect(server.requests).toHaveLength(2);
  expect(steps[0]).toBe(steps[1]);
  expect(steps[2]).not.toBe(steps[1]);
  expectSendable(loop);
});

test('an error of the API is thrown as it is, and the conversation stays', async () => {
  const { spillway } = await start();
  const { loop } = await loopOver(spillway, []);
  await expect(collect(loop)).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  expect(loop.messages).toEqual([ASK]);
});
