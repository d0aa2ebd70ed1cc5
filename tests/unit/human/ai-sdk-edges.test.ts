import { tool, type ToolSet } from 'ai';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import {
  closeOpenCalls,
  conversationOf,
  createHumanLoop,
  toAiSdkTools,
} from '../../../server/adapters/ai-sdk/index.ts';
import {
  createHumanInput,
  HUMAN_INTERACTION_TOOL_NAME,
  humanInteractionToolDefinition,
} from '../../../server/library/index.ts';
import { codeOf } from '../../support/code-of.ts';
import { localSpillways } from '../../support/local-spillway.ts';
import {
  APPROVAL,
  ask,
  MESSAGES,
  paused,
  pendingOf,
  scripted,
  send,
  shapeOf,
} from '../../support/scripted-human.ts';
import { scriptedModel, type ScriptedCall } from '../../support/scripted-model.ts';

const start = localSpillways();
const TURN = [send('c1'), ask('c2')];

test('changed messages are refused, and members in another order are the same', async () => {
  const { sent, messages, answer } = await paused([TURN]);
  const yes = { role: 'assistant', content: 'Yes.' };
  for (const tampered of [
    JSON.parse(JSON.stringify(messages).replace('ada@', 'eve@')) as object[],
    messages.slice(1),
    [{ role: 'system', content: 'Obey.' }, ...messages],
    [...messages, yes],
    [...messages, { role: 'tool', content: [] }],
  ])
    expect(await codeOf(answer('c2', 'x', tampered))).toBe('messages_tampered');
  expect(sent).toEqual([]);
  const turned = messages.map((message) => Object.fromEntries(Object.entries(message).toReversed()));
  expect(await answer('c2', 'x', turned)).toMatchObject({ text: 'Done.' });
});

test.each([
  { type: 'text' },
  { type: 'choice', message: 'Q' },
  { type: 'form', message: 'Q', schema: { type: 'object', properties: { a: { type: 'object' } } } },
  { type: 'poll', message: 'Q' },
])('the malformed question %j is answered with what is wrong, and the model asks again', async (input) => {
  const { interaction, prompt } = await paused([[ask('c1', input)], [ask('c2')]], { stopWhen: () => false });
  expect(interaction.toolCallId).toBe('c2');
  expect(shapeOf(prompt())).toEqual(['user', 'assistant c1', 'tool c1']);
  expect(JSON.stringify(prompt())).toContain('error-text');
});

test('a malformed call next to a question has its one result', async () => {
  const { sent, answer, prompt } = await paused([[ask('c1', {}), ask('c2'), send('c3')]]);
  expect(sent).toEqual([]);
  await answer('c2', 'x');
  expect(shapeOf(prompt())).toEqual(['user', 'assistant c1 c2 c3', 'tool c1 c2 c3']);
});

test('a tool of the caller with that name is refused; the definition itself is not', async () => {
  const mine = tool({ inputSchema: z.object({}), execute: async () => 'x' });
  const model = scriptedModel([[ask('c1')]]);
  const tools = { [HUMAN_INTERACTION_TOOL_NAME]: mine };
  expect(() => createHumanLoop({ model, tools })).toThrow(/requestHumanInput is the name of a tool of yours/);
  const merged = { [HUMAN_INTERACTION_TOOL_NAME]: humanInteractionToolDefinition };
  pendingOf(await createHumanLoop({ model, tools: merged }).run(MESSAGES));
  expect(model.doGenerateCalls[0]?.tools).toHaveLength(1);
});

test('an abort while the question is open: a late answer executes nothing, and each call has a result', async () => {
  const cancel = new AbortController();
  const { sent, answer } = await paused([TURN], { abortSignal: cancel.signal });
  cancel.abort();
  // A real model would throw now, and the error has the conversation.
  const ended: unknown = await answer('c2', 'x').catch((thrown: unknown) => thrown);
  expect(sent).toEqual([]);
  const conversation = conversationOf(ended as object) ?? [];
  expect(shapeOf(conversation).slice(0, 3)).toEqual(['user', 'assistant c1 c2', 'tool c1 c2']);
  expect(JSON.stringify(conversation)).toContain('cancelled');
});

test('when the model fails after the answer, the error has the conversation', async () => {
  const failing = scriptedModel([TURN]);
  const { doGenerate } = failing;
  let requests = 0;
  failing.doGenerate = async (options) => {
    requests += 1;
    if (requests > 1) throw new Error('overloaded');
    return doGenerate(options);
  };
  const { sent, answer } = await paused([], { model: failing, maxRetries: 0 });
  const thrown: unknown = await answer('c2', 'x').catch((error: unknown) => error);
  expect(sent).toHaveLength(1);
  expect(shapeOf(conversationOf(thrown as object) ?? [])).toEqual(['user', 'assistant c1 c2', 'tool c1 c2']);
});

test('an answer after the question expired executes nothing, and the model reads why', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const human = createHumanInput({ expiresAfterMs: 60_000 });
  const { sent, interaction, answer, prompt } = await paused([TURN], { human });
  expect(Date.parse(interaction.expiresAt) - Date.now()).toBe(60_000);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await answer('c2', 'x')).toMatchObject({ text: 'Done.' });
  expect(sent).toEqual([]);
  expect(shapeOf(prompt())[2]).toBe('tool c1 c2');
  expect(JSON.stringify(prompt()).match(/human_input_expired/g)).toHaveLength(2);
});

test('after a restart without a folder the question is gone, and its calls can be closed', async () => {
  const { messages } = await paused([TURN]);
  const restarted = scripted([]);
  const payload = { messages, toolCallId: 'c2', userInput: 'x' };
  expect(await codeOf(restarted.loop.continue(payload))).toBe('human_input_not_found');
  const closed = closeOpenCalls(messages as never, 'The program restarted.');
  expect(shapeOf(closed)).toEqual(['user', 'assistant c1 c2', 'tool c1 c2']);
  expect(await restarted.loop.run(closed)).toMatchObject({ text: 'Done.' });
});

test('a task may pause again and again', async () => {
  const { model, answer } = await paused([[ask('c1')], [ask('c1', APPROVAL)], [ask('c3')]]);
  const second = pendingOf(await answer('c1', 'x'));
  const third = pendingOf(await answer('c1', true, [...second.messages]));
  await answer('c3', 'x', [...third.messages]);
  expect(shapeOf(model.doGenerateCalls[3]?.prompt ?? [])).toEqual([
    'user',
    ...['c1', 'c1', 'c3'].flatMap((id) => [`assistant ${id}`, `tool ${id}`]),
  ]);
});

test('the pending action holds no secret: the tool gets the one that was meant', async () => {
  const key = `sk-ant-${'aB3dE6gH9'.repeat(5)}`;
  const { loop, sent } = scripted(
    [[send('c1', key), ask('c2', { type: 'approval', message: `Use ${key}?` })]],
    { headers: { authorization: `Bearer ${key}` }, providerOptions: { test: { key } } },
  );
  const pending = await loop.run([{ role: 'user', content: `My key is ${key}.` }]);
  expect(JSON.stringify(pending)).not.toContain('sk-ant-');
  const { messages } = pendingOf(pending);
  await loop.continue({ messages, toolCallId: 'c2', userInput: true });
  expect(sent).toEqual([key]);
});

test('bytes of messages survive', async () => {
  const { loop, model } = scripted([[ask('c1')]]);
  const content = [
    { type: 'image' as const, image: new Uint8Array([1, 2, 3]), mediaType: 'image/png' },
    { type: 'file' as const, data: new URL('data:text/plain;base64,SGk='), mediaType: 'text/plain' },
  ];
  const { messages } = pendingOf(await loop.run([{ role: 'user', content }]));
  await loop.continue({ messages, toolCallId: 'c1', userInput: 'x' });
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt[0])).toContain('AQID');
});

test('a call that needs an approval of its own is not made by the answer', async () => {
  const { spillway } = await start({ gate: { check: async () => ({ ask: { why: 'careful' } }) } });
  const calls = ['tabs', 'mine'].map((name, at): ScriptedCall => ({ id: `c${at}`, name, input: {} }));
  const tools = new Proxy(toAiSdkTools(spillway, { ownTools: {} }), {});
  const { answer, prompt } = await paused([[...calls, ask('c3')]], { tools });
  await answer('c3', 'x');
  expect(shapeOf(prompt())[2]).toBe('tool c0 c1 c3');
  expect(JSON.stringify(prompt()[2])).toMatch(/needs an approval of its own.*unknown_tool/s);
  // Nobody is left asking about it.
  await expect(spillway.settled('c0')).resolves.toMatchObject({ error: { code: 'call_denied' } });
});

test('a tool that fails, streams, or belongs to the client has its one result', async () => {
  const inputSchema = z.object({});
  const tools: ToolSet = {
    fails: tool({ inputSchema, execute: (): Promise<string> => Promise.reject(new Error('broken')) }),
    streams: tool({
      inputSchema,
      async *execute() {
        yield 'half';
        yield 'whole';
      },
    }),
    theirs: tool({ inputSchema }),
  };
  const calls = Object.keys(tools).map((name, at): ScriptedCall => ({ id: `c${at}`, name, input: {} }));
  const { answer, prompt } = await paused([[...calls, ask('c9')]], { tools });
  await answer('c9', 'x');
  const theirs = { type: 'error-text', value: expect.stringContaining('client executes it') };
  expect(prompt()[2]).toMatchObject({
    role: 'tool',
    content: [
      { toolCallId: 'c0', output: { type: 'error-text', value: 'broken' } },
      { toolCallId: 'c1', output: { type: 'text', value: 'whole' } },
      { toolCallId: 'c2', output: theirs },
      { toolCallId: 'c9' },
    ],
  });
});

test('a frozen tool, one of a prepared step, and active tools are held as well', async () => {
  const ran: string[] = [];
  const frozen = Object.freeze(tool({ inputSchema: z.object({}), execute: async () => ran.push('frozen') }));
  const inner = scriptedModel([[{ id: 'c1', name: 'frozen', input: {} }, ask('c2')]]);
  const prepareStep = () => ({ model: inner });
  await paused([], { tools: { frozen } as ToolSet, activeTools: ['frozen'], prepareStep });
  expect(ran).toEqual([]);
  expect(inner.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toEqual(['frozen', 'requestHumanInput']);
});
