import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import {
  continueWithHumanInput,
  conversationOf,
  runWithHumanInput,
  type HumanRunOptions,
  type OwnTool,
  type ToolLoopEvent,
} from '../../../server/library/anthropic/index.ts';
import { createHumanInput, type PendingHumanInputAction } from '../../../server/library/index.ts';
import { localSpillways } from '../../support/local-spillway.ts';
import { complain, serveMessages, type ScriptedTurn } from '../../support/messages-server.ts';
import { ASK, DONE, use } from '../../support/scripted-loop.ts';

const start = localSpillways();
const ask = (id: string) => use(id, 'requestHumanInput', { type: 'approval', message: 'Send it?' });
const send = (id: string, to = 'ada') => use(id, 'send', { to });

async function scripted(script: readonly ScriptedTurn[], given: Partial<HumanRunOptions> = {}) {
  const { spillway } = await start();
  const server = await serveMessages(script);
  const sent: unknown[] = [];
  const events: ToolLoopEvent[] = [];
  const tool: OwnTool = {
    tool: { name: 'send', input_schema: { type: 'object' } },
    call: async (input) => {
      sent.push(input);
      return 'sent';
    },
  };
  const options: HumanRunOptions = {
    client: new Anthropic({ apiKey: 'none', baseURL: server.url, maxRetries: 0 }),
    session: spillway,
    params: { model: 'scripted', max_tokens: 1_000 },
    messages: [ASK],
    ownTools: [tool],
    human: createHumanInput(),
    onEvent: (event) => events.push(event),
    ...given,
  };
  return { options, server, sent, events };
}

const pendingOf = (answer: Anthropic.Message | PendingHumanInputAction): PendingHumanInputAction => {
  if (!('status' in answer)) throw new Error('it does not wait');
  return JSON.parse(JSON.stringify(answer)) as PendingHumanInputAction;
};

const resultsIn = (message: Anthropic.MessageParam | undefined): readonly (readonly [string, string])[] =>
  (Array.isArray(message?.content) ? message.content : []).flatMap((block) =>
    block.type === 'tool_result' ? [[block.tool_use_id, JSON.stringify(block.content)] as const] : [],
  );

test('nothing of the turn runs before the answer, and each call gets one result behind its turn', async () => {
  const { options, server, sent, events } = await scripted([
    { content: [send('t1'), ask('t2'), send('t3', 'bob')] },
    DONE,
  ]);
  const pending = pendingOf(await runWithHumanInput(options));
  expect(sent).toEqual([]);
  expect(pending.interaction).toMatchObject({
    toolCallId: 't2',
    waiting: [{ toolCallId: 't1' }, { toolCallId: 't3' }],
  });
  expect(server.requests[0]?.tools.filter(({ name }) => name === 'requestHumanInput')).toHaveLength(1);
  const messages = [...pending.messages, { role: 'user', content: 'Hurry up.' }];
  const userInput = { by: 'Ada', where: 'the panel', answer: true, args: { t3: { to: 'eve' } } };
  const end = await continueWithHumanInput({ messages, toolCallId: 't2', userInput }, options);
  expect(end).toMatchObject({ type: 'message', stop_reason: 'end_turn' });
  expect(sent).toEqual([{ to: 'ada' }, { to: 'eve' }]);
  const [, second] = server.requests;
  const results = resultsIn(second?.messages[2]);
  expect(results.map(([id]) => id)).toEqual(['t1', 't2', 't3']);
  expect(results[1]?.[1]).toContain('Ada answered in the panel');
  expect(second?.messages[3]).toEqual({ role: 'user', content: 'Hurry up.' });
  expect(complain({ messages: [...(conversationOf(end) ?? []), ASK], tools: [] })).toBeNull();
  expect(events.flatMap((event) => (event.type === 'human_input' ? [event] : []))).toEqual([
    { type: 'human_input', state: 'requires_human_input', toolCallId: 't2', toolName: 'requestHumanInput' },
    { type: 'human_input', state: 'answered', toolCallId: 't2', toolName: 'requestHumanInput' },
  ]);
});

test('of two questions each is answered, the second first, and after no the calls that waited are denied', async () => {
  const { options, server, sent } = await scripted([{ content: [ask('t1'), ask('t2'), send('t3')] }, DONE]);
  const { messages } = pendingOf(await runWithHumanInput(options));
  const next = pendingOf(
    await continueWithHumanInput({ messages, toolCallId: 't2', userInput: true }, options),
  );
  expect(next.interaction.toolCallId).toBe('t1');
  expect(server.requests).toHaveLength(1);
  await continueWithHumanInput({ messages, toolCallId: 't1', userInput: false }, options);
  expect(sent).toEqual([]);
  const results = resultsIn(server.requests[1]?.messages[2]);
  expect(results.map(([id]) => id)).toEqual(['t1', 't2', 't3']);
  expect(results[2]?.[1]).toContain('call_denied');
});
