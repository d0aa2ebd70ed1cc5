import { generateText, stepCountIs, type ModelMessage, type ToolSet } from 'ai';
import { expect, test } from 'vitest';
import { stopRequested, toAiSdkTools } from '../../../server/adapters/ai-sdk/index.ts';
import type { Gate } from '../../../server/core/calls/gate.ts';
import { outputIn } from '../../support/ai-sdk-output.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';
import { scriptedModel, type ScriptedCall } from '../../support/scripted-model.ts';

const start = localSpillways();
const READ: ScriptedCall = { id: 'call-1', name: 'read_page', input: { tab: 'b1:1' } };
const STEPS = { stopWhen: stepCountIs(5), prompt: 'Read the page.' } as const;

const asking: Gate = {
  check: async ({ definition: { manifest } }) =>
    manifest.name === 'read_page' ? { ask: { question: 'May it?' } } : { allow: true },
};

/** Asks the model, and answers the approval that it then wants. */
async function approve(approved: boolean): Promise<{ readonly output: unknown; readonly reads: number }> {
  const { spillway, bridge } = await start({ gate: asking });
  bridge.addBrowser({ 1: PAGE });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  const tools = toAiSdkTools(spillway);
  const first = await generateText({ model: scriptedModel([[READ]]), tools, messages });
  const request = first.content.find((part) => part.type === 'tool-approval-request');
  expect(request).toBeDefined();
  expect(bridge.calls).toEqual([]);
  messages.push(...first.response.messages);
  const approvalId = request?.approvalId ?? '';
  messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] });
  // A chat recreates its tools for each request.
  const again = { model: scriptedModel([]), tools: toAiSdkTools(spillway), messages };
  const { response, text } = await generateText(again);
  expect(text).toBe('Done.');
  const reads = bridge.calls.filter(({ method }) => method === 'page.read').length;
  return { output: outputIn(response.messages), reads };
}

test("what a person is asked about becomes the AI SDK's approval, and runs once it was given", async () => {
  expect(await approve(true)).toMatchObject({
    output: { type: 'content', value: [{ text: '# Example\nHello.\n' }, {}] },
    reads: 1,
  });
});

test('what a person denied never runs', async () => {
  expect(await approve(false)).toMatchObject({ output: { type: 'execution-denied' }, reads: 0 });
});

test('what the gate allows is checked once a call', async () => {
  const checked: string[] = [];
  const once: Gate = {
    check: async ({ definition: { manifest } }) => {
      checked.push(manifest.name);
      return checked.length > 2 ? { ask: { question: 'Again?' } } : { allow: true };
    },
  };
  const { spillway, bridge } = await start({ gate: once });
  bridge.addBrowser({ 1: PAGE });
  const tools = toAiSdkTools(spillway);
  const calls = [READ, { ...READ, id: 'call-2' }];
  const { response } = await generateText({ model: scriptedModel([calls]), tools, ...STEPS });
  expect(checked).toEqual(['read_page', 'read_page']);
  expect(outputIn(response.messages)).toMatchObject({ value: [{ text: '# Example\nHello.\n' }, {}] });
});

/** Asks the model for calls, and has a person answer the approvals that it then wants. */
async function answerAll(
  tools: ToolSet,
  messages: ModelMessage[],
  { calls, approved }: { readonly calls: readonly ScriptedCall[]; readonly approved: boolean },
): Promise<number> {
  const { content, response } = await generateText({ model: scriptedModel([calls]), tools, messages });
  messages.push(...response.messages);
  const requests = content.filter((part) => part.type === 'tool-approval-request');
  messages.push({
    role: 'tool',
    content: requests.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved })),
  });
  return requests.length;
}

test('an abort cancels a call that was approved', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  const cancel = new AbortController();
  const content: typeof endlessText = async function* () {
    cancel.abort('enough');
    yield* endlessText();
  };
  bridge.addBrowser({ 1: { ...PAGE, content } });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  const tools = toAiSdkTools(spillway);
  const endless = { ...READ, input: { tab: 'b1:1', output_mode: 'handle' } };
  expect(await answerAll(tools, messages, { calls: [endless], approved: true })).toBe(1);
  const model = scriptedModel([]);
  await generateText({ model, tools, messages, abortSignal: cancel.signal }).catch(() => undefined);
  expect((await spillway.settled(READ.id)).error).toMatchObject({
    code: 'cancelled',
    message: 'The call was cancelled by its caller.',
  });
});

test('what a person denied waits no longer, whatever its number', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  bridge.addBrowser({ 1: PAGE });
  const tools = toAiSdkTools(spillway);
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  // More than may wait at once.
  for (let at = 0; at < 70; at += 1) {
    const calls = [{ ...READ, id: `call-${at}` }];
    expect(await answerAll(tools, messages, { calls, approved: false })).toBe(1);
    const { response } = await generateText({ model: scriptedModel([]), tools, messages });
    messages.push(...response.messages);
  }
  expect((await spillway.settled('call-68')).error?.code).toBe('call_denied');
  expect(bridge.calls).toEqual([]);
});

test('a denial holds for the call that it was of, and for no later one under its id', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  bridge.addBrowser({ 1: PAGE, 2: PAGE });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  const tools = toAiSdkTools(spillway);
  await answerAll(tools, messages, { calls: [READ], approved: false });
  const { response } = await generateText({ model: scriptedModel([]), tools, messages });
  messages.push(...response.messages);
  const other = { ...READ, input: { tab: 'b1:2' } };
  const calls = [other, { ...READ, id: 'call-2' }];
  expect(await answerAll(toAiSdkTools(spillway), messages, { calls, approved: true })).toBe(2);
  await generateText({ model: scriptedModel([]), tools: toAiSdkTools(spillway), messages });
  expect(bridge.calls.filter(({ method }) => method === 'page.read')).toHaveLength(2);
});

test('an approval executes what the person was shown, whatever else waits under its id', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  bridge.addBrowser({ 1: PAGE, 2: PAGE });
  const forgotten: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  await generateText({
    model: scriptedModel([[READ]]),
    tools: toAiSdkTools(spillway),
    messages: forgotten,
  });
  for (const other of [
    { ...READ, input: { tab: 'b1:2' } },
    { ...READ, name: 'docs_search', input: { query: 'handle' } },
  ]) {
    const messages: ModelMessage[] = [{ role: 'user', content: 'Another chat.' }];
    const calls = [[other]];
    const { response } = await generateText({
      model: scriptedModel(calls),
      tools: toAiSdkTools(spillway),
      messages,
      stopWhen: stepCountIs(3),
    });
    expect(JSON.stringify(outputIn(response.messages))).toContain('call-1 is used by another call');
  }
  expect(bridge.calls).toEqual([]);
});

test('approved messages that come twice execute once, and get the same answer', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  bridge.addBrowser({ 1: PAGE });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  await answerAll(toAiSdkTools(spillway), messages, { calls: [READ], approved: true });
  const outputs: unknown[] = [];
  for (let post = 0; post < 2; post += 1) {
    const model = scriptedModel([]);
    const { response } = await generateText({ model, tools: toAiSdkTools(spillway), messages });
    outputs.push(outputIn(response.messages));
  }
  expect(outputs[0]).toMatchObject({ value: [{ text: '# Example\nHello.\n' }, {}] });
  expect(outputs[1]).toEqual(outputs[0]);
  expect(bridge.calls.filter(({ method }) => method === 'page.read')).toHaveLength(1);
});

test('a call that was decided outside of the chat is answered with its end', async () => {
  for (const approve of [true, false]) {
    const { spillway, bridge } = await start({ gate: asking });
    bridge.addBrowser({ 1: PAGE });
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
    await answerAll(toAiSdkTools(spillway), messages, { calls: [READ], approved: true });
    await spillway.decide(READ.id, { approve, by: 'Ada' });
    const again = { model: scriptedModel([]), tools: toAiSdkTools(spillway), messages };
    const { response } = await generateText(again);
    const output = JSON.stringify(outputIn(response.messages));
    expect(output).toContain(approve ? 'Hello.' : 'denied by Ada');
    expect(bridge.calls.filter(({ method }) => method === 'page.read')).toHaveLength(approve ? 1 : 0);
  }
});

test('the same call under the id of one that has ended is asked about and executed again', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  bridge.addBrowser({ 1: PAGE });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  for (let round = 1; round <= 2; round += 1) {
    expect(
      await answerAll(toAiSdkTools(spillway), messages, { calls: [READ], approved: true }),
      `round ${round}`,
    ).toBe(1);
    const again = { model: scriptedModel([]), tools: toAiSdkTools(spillway), messages };
    messages.push(...(await generateText(again)).response.messages);
    expect(bridge.calls.filter(({ method }) => method === 'page.read')).toHaveLength(round);
  }
});

test('a caller that is notified of pending calls decides them itself', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  bridge.addBrowser({ 1: PAGE });
  const tools = toAiSdkTools(spillway, {
    onPending: ({ callId }) => void spillway.decide(callId, { approve: true, by: 'Ada' }),
  });
  const { response } = await generateText({ model: scriptedModel([[READ]]), tools, ...STEPS });
  expect(outputIn(response.messages)).toMatchObject({ value: [{ text: '# Example\nHello.\n' }, {}] });
});

test('a call that waits for a person asks for a stop when its session is closed', async () => {
  const { spillway } = await start({ gate: asking });
  const model = scriptedModel([[READ], [{ ...READ, id: 'call-2' }]]);
  const tools = toAiSdkTools(spillway, { onPending: () => void spillway.close() });
  const { steps } = await generateText({
    model,
    tools,
    prompt: 'Go.',
    stopWhen: [stopRequested, stepCountIs(9)],
  });
  expect(model.doGenerateCalls).toHaveLength(1);
  expect(JSON.stringify(steps[0]?.content)).toContain('cancelled');
});

test('a call that was approved after it was forgotten with its session asks for a stop', async () => {
  const { spillway, bridge } = await start({ gate: asking });
  const session = spillway.session();
  const tools = toAiSdkTools(session);
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  expect(await answerAll(tools, messages, { calls: [READ], approved: true })).toBe(1);
  session.close();
  const ended = tools['read_page']?.execute?.(READ.input, { toolCallId: READ.id, messages });
  await expect(ended).rejects.toMatchObject({ code: 'session_closed', result: { stop: true } });
  expect(bridge.calls).toEqual([]);
});
