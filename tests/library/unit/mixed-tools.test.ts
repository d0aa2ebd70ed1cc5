import { afterEach, beforeEach, expect, it } from 'vitest';
import { generateText, stepCountIs } from 'ai';
import { createHumanLoop } from '../../../server/library/ai-sdk/index.ts';
import {
  createHumanInput,
  createMixedToolsClient,
  type Gate,
  type MixedToolsClient,
} from '../../../server/library/index.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';
import { ask, pendingOf } from '../../support/scripted-human.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { FAULTS, FILESYSTEM } from '../../support/upstream-rig.ts';

let home: string;
let client: MixedToolsClient | undefined;
beforeEach(async () => void (home = await temporaryHome()));
afterEach(() => client?.close());
const servers = () => [
  { id: 'odd', command: process.execPath, args: [FAULTS] },
  { id: 'files', command: process.execPath, args: [FILESYSTEM, home] },
];

it('mixes tools of several servers, chosen by either name', async () => {
  client = createMixedToolsClient(servers(), { home });
  const both = expect.arrayContaining(['odd_echo', 'files_read_text_file']);
  expect(Object.keys(await client.tools())).toEqual(both);
  expect(Object.keys(await client.tools({ names: ['odd_echo', 'none'] }))).toEqual(['odd_echo']);
  const filtered = await client.tools({
    filter: (name, { id, rawName }) => id === 'odd' && name !== rawName && rawName === 'act',
  });
  expect(Object.values(filtered)).toMatchObject([
    { name: 'odd_act', id: 'odd', rawName: 'act', isReadOnly: false },
  ]);
  const { odd_echo: echo } = await client.tools();
  expect(await echo?.execute?.({ value: 'a' })).toMatchObject({ ok: true, text: 'a' });
  expect(await codeOf(client.tools({ names: ['odd_echo'], filter: () => true }))).toBe('invalid_argument');
  expect(client.spillway.find('oc_output_fetch')).toMatchObject({ name: 'oc_output_fetch' });
});

const MODEL_CALL = { id: 'c1', name: 'odd_echo', input: { value: 'a' } };
const prompt = 'Say a.';
const stopWhen = stepCountIs(3);
it('pauses for the AI SDK where the gate or the model asks a person', async () => {
  const gate: Gate = { check: async () => ({ ask: {} }) };
  client = createMixedToolsClient(servers(), { home, gate });
  const tools = await client.tools();
  const { content } = await generateText({ model: scriptedModel([[MODEL_CALL]]), prompt, tools, stopWhen });
  expect(content.at(-1)).toMatchObject({ type: 'tool-approval-request', toolCall: { toolCallId: 'c1' } });
  const loop = createHumanLoop({ model: scriptedModel([[ask('c2')]]), tools, human: createHumanInput() });
  expect(pendingOf(await loop.run([{ role: 'user', content: prompt }])).interaction.toolCallId).toBe('c2');
});

it('ends a wait for its tools when it is closed, and has none afterwards', async () => {
  const hung = { id: 'hung', command: process.execPath, args: [FAULTS, 'silent'] };
  client = createMixedToolsClient([hung, ...servers()], { home });
  const waiting = codeOf(client.tools());
  await client.close();
  expect(await waiting).toBe('session_closed');
  expect(await codeOf(client.tools())).toBe('session_closed');
  await client.close();
  const unused = createMixedToolsClient(servers(), { home });
  await unused.close();
  expect(await codeOf(unused.tools())).toBe('session_closed');
});
