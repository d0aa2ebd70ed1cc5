import { vouch } from '../../support/clean.ts';
import { generateText, jsonSchema, stepCountIs, tool, type ToolSet } from 'ai';
import { expect, test } from 'vitest';
import { stopRequested, toAiSdkTools, ToolCallError } from '../../../server/adapters/ai-sdk/index.ts';
import { toModelOutput } from '../../../server/adapters/ai-sdk/output.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { StepContext } from '../../../server/core/context.ts';
import { outputIn } from '../../support/ai-sdk-output.ts';
import { localSpillways, PAGE } from '../../support/local-spillway.ts';
import { scriptedModel, type ScriptedCall } from '../../support/scripted-model.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

const start = localSpillways();
const READ: ScriptedCall = { id: 'call-1', name: 'read_page', input: { tab: 'b1:1' } };
const ANYTHING = jsonSchema<object>({ type: 'object' });
const STEPS = { stopWhen: stepCountIs(5), prompt: 'Read the page.' } as const;

test('a page that is read is content, block by block, and the model is shown what the session lists', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const model = scriptedModel([[READ]]);
  const { text, response, steps } = await generateText({ model, tools: toAiSdkTools(spillway), ...STEPS });
  expect(text).toBe('Done.');
  expect(outputIn(response.messages)).toMatchObject({
    type: 'content',
    value: [
      { type: 'text', text: '# Example\nHello.\n' },
      { type: 'text', text: expect.stringContaining('Untrusted') },
    ],
  });
  expect(steps[0]?.toolResults[0]?.output).toMatchObject({ ok: true, content: [{}, {}] });
  const shown = model.doGenerateCalls[0]?.tools ?? [];
  expect(shown.map(({ name }) => name)).toEqual(spillway.list().map(({ name }) => name));
  const [first] = spillway.list();
  expect(shown[0]).toMatchObject({ description: first?.description, inputSchema: first?.inputSchema });
});

test('what find_tools adds is shown with the next step, and what is not listed: called by name', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const model = scriptedModel([
    [{ id: 'call-1', name: 'run_cancel', input: { run_id: 'run_AAAAAAAAAAAA' } }],
    [{ id: 'call-2', name: 'find_tools', input: { select: ['console'] } }],
  ]);
  const { steps } = await generateText({ model, tools: toAiSdkTools(spillway), ...STEPS });
  const shown = model.doGenerateCalls.map(({ tools = [] }) => tools.map(({ name }) => name));
  expect(shown[0]).not.toContain('run_cancel');
  expect(JSON.stringify(steps[0]?.content)).toContain('run_not_found');
  expect(shown[1]).not.toContain('console');
  expect(shown[2]).toContain('console');
});

test('what fails is an error output with its code, unknown tools with the nearest names', async () => {
  const { spillway } = await start();
  const unknown = { id: 'call-1', name: 'raed_page', input: {} };
  const model = scriptedModel([[unknown, { id: 'call-2', name: 'read_page', input: { nonsense: 1 } }]]);
  const { response, steps } = await generateText({ model, tools: toAiSdkTools(spillway), ...STEPS });
  const messages = { 'call-1': /unknown_tool.*Did you mean read_page/, 'call-2': /invalid_argument/ };
  for (const [id, value] of Object.entries(messages))
    expect(outputIn(response.messages, id)).toMatchObject({
      type: 'error-text',
      value: expect.stringMatching(value),
    });
  const errors = steps[0]?.content.flatMap((part) => (part.type === 'tool-error' ? [part.error] : [])) ?? [];
  const codes = errors.map((error) => (error instanceof ToolCallError ? error.code : error));
  expect(codes).toEqual(['unknown_tool', 'invalid_argument']);
});

test('the calls of one step share its context, those of the next have another', async () => {
  const steps: (StepContext | null)[] = [];
  const halt = testTool({
    name: 'halt',
    kind: 'direct',
    run: async (_args, { step }) => {
      steps.push(step);
      return { ...produceJson({}), stop: steps.length > 2 };
    },
  });
  const { spillway } = await start({}, { providers: [testProvider('halt', [halt])] });
  const call = (id: string): ScriptedCall => ({ id, name: 'halt', input: {} });
  const model = scriptedModel([[call('a'), call('b')], [call('c')], [call('d')]]);
  const tools = toAiSdkTools(spillway);
  await generateText({ model, tools, prompt: 'Go.', stopWhen: [stopRequested, stepCountIs(9)] });
  // The third call asked for a stop, so that the fourth was never made.
  expect(steps).toHaveLength(3);
  expect(steps[0]).toBe(steps[1]);
  expect(steps[2]).not.toBe(steps[1]);
});

test('pictures are media, and one that is larger than models take a sentence', () => {
  const data = vouch('A'.repeat(5 * 1024 * 1024 + 4));
  const image = { type: 'image', mimeType: 'image/png' } as const;
  const content = [
    { ...image, data },
    { ...image, data: vouch(data.slice(4)) },
  ] as const;
  expect(toModelOutput({ ok: true, state: {}, content })).toMatchObject({
    value: [
      { type: 'text', text: expect.stringContaining('bytes of image/png') },
      { type: 'image-data', mediaType: 'image/png' },
    ],
  });
});

test('tools of the caller are tried after ours', async () => {
  const { spillway } = await start();
  const mine = tool({ inputSchema: ANYTHING, execute: async () => 'mine' });
  const ownTools: ToolSet = {
    mine,
    tabs: mine,
    empty: tool({ inputSchema: ANYTHING, execute: async () => null }),
  };
  const tools = toAiSdkTools(spillway, { ownTools });
  expect(Object.keys(tools)).toEqual([...spillway.list().map(({ name }) => name), 'mine', 'empty']);
  expect({ ...tools }['mine']?.inputSchema).toBe(mine.inputSchema);
  expect('nothing' in tools).toBe(false);
  const calls = ['mine', 'tabs', 'empty'].map((name, at) => ({ id: `call-${at + 1}`, name, input: {} }));
  // What answers nothing asks for no stop.
  const stopWhen = [stopRequested, stepCountIs(5)];
  const { text, response } = await generateText({
    model: scriptedModel([calls]),
    tools,
    prompt: 'Go.',
    stopWhen,
  });
  expect(text).toBe('Done.');
  expect(outputIn(response.messages)).toEqual({ type: 'text', value: 'mine' });
  expect(JSON.stringify(outputIn(response.messages, 'call-2'))).toContain('browser_not_connected');
});
