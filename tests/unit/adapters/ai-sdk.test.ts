import { generateText, stepCountIs } from 'ai';
import { expect, test } from 'vitest';
import { toAiSdkTools } from '../../../server/adapters/ai-sdk/index.ts';
import { outputIn, scriptedModel, type ScriptedCall } from '../../support/scripted-model.ts';
import { localSpillways, PAGE } from '../../support/local-spillway.ts';

const start = localSpillways();
const READ: ScriptedCall = { id: 'call-1', name: 'read_page', input: { tab: 'b1:1' } };
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
