import { generateText, stepCountIs, type ModelMessage } from 'ai';
import { expect, test } from 'vitest';
import { toAiSdkTools } from '../../../server/library/ai-sdk/index.ts';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { outputIn, scriptedModel, type ScriptedCall } from '../../support/scripted-model.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';

const start = localSpillways();
const READ: ScriptedCall = { id: 'call-1', name: 'read_page', input: { tab: 'b1:1' } };
const HELLO = { value: [{ text: '# Example\nHello.\n' }, {}] };

const asking: Gate = {
  check: async ({ definition: { manifest } }) =>
    manifest.name === 'read_page' ? { ask: { question: 'May it?' } } : { allow: true },
};

async function chat(gate = asking, content = PAGE.content) {
  const { spillway, bridge } = await start({ gate });
  bridge.addBrowser({ 1: { ...PAGE, content }, 2: PAGE });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Read the page.' }];
  const post = async (
    steps: readonly (readonly ScriptedCall[])[] = [],
    more: Partial<Parameters<typeof generateText>[0]> = {},
  ) => {
    const tools = toAiSdkTools(spillway);
    const options = { model: scriptedModel(steps), tools, messages: [...messages], ...more };
    const { content, response, text } = await generateText(options as Parameters<typeof generateText>[0]);
    messages.push(...response.messages);
    return { content, text, output: (id?: string) => outputIn(response.messages, id) };
  };
  const answerAll = async (calls: readonly ScriptedCall[], approved: boolean): Promise<number> => {
    const { content } = await post([calls]);
    const requests = content.filter((part) => part.type === 'tool-approval-request');
    messages.push({
      role: 'tool',
      content: requests.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved })),
    });
    return requests.length;
  };
  const reads = (): number => bridge.calls.filter(({ method }) => method === 'page.read').length;
  return { spillway, bridge, messages, post, answerAll, reads };
}

test.each([
  [true, { type: 'content', ...HELLO }, 1],
  [false, { type: 'execution-denied' }, 0],
])("a person's approval of %s executes the call or denies it", async (approved, expected, count) => {
  const { bridge, post, answerAll, reads } = await chat();
  expect(await answerAll([READ], approved)).toBe(1);
  expect(bridge.calls).toEqual([]);
  const { output, text } = await post();
  expect(text).toBe('Done.');
  expect(output()).toMatchObject(expected);
  expect(reads()).toBe(count);
});

test('an abort cancels a call that was approved', async () => {
  const cancel = new AbortController();
  const content: typeof endlessText = async function* () {
    cancel.abort('enough');
    yield* endlessText();
  };
  const { spillway, post, answerAll } = await chat(asking, content);
  await answerAll([{ ...READ, input: { tab: 'b1:1', output_mode: 'handle' } }], true);
  await post([], { abortSignal: cancel.signal }).catch(() => undefined);
  expect((await spillway.settled(READ.id)).error?.code).toBe('cancelled');
});

test('a denial holds for the call that it was of, and for no later one under its id', async () => {
  const { post, answerAll, reads } = await chat();
  await answerAll([READ], false);
  await post();
  expect(
    await answerAll(
      [
        { ...READ, input: { tab: 'b1:2' } },
        { ...READ, id: 'call-2' },
      ],
      true,
    ),
  ).toBe(2);
  await post();
  expect(reads()).toBe(2);
});

test('an approval executes what the person was shown, whatever else waits under its id', async () => {
  const { bridge, post } = await chat();
  await post([[READ]]);
  for (const other of [
    { ...READ, input: { tab: 'b1:2' } },
    { ...READ, name: 'docs_search', input: { query: 'handle' } },
  ]) {
    const messages: ModelMessage[] = [{ role: 'user', content: 'Another chat.' }];
    const { output } = await post([[other]], { messages, stopWhen: stepCountIs(3) });
    expect(JSON.stringify(output())).toContain('call-1 is used by another call');
  }
  expect(bridge.calls).toEqual([]);
});
