import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { handleToolUse, toAnthropicTools } from '../../../server/adapters/anthropic/index.ts';
import type { Gate } from '../../../server/core/calls/gate.ts';
import { localSpillways, PAGE } from '../../support/local-spillway.ts';
import { complain } from '../../support/messages-server.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

const start = localSpillways();
const ASK: Anthropic.MessageParam = { role: 'user', content: 'Read the page.' };

test('what fails is an error block with its code, unknown tools with the nearest names', async () => {
  const { spillway } = await start();
  const unknown = await handleToolUse(spillway, { id: 'a', name: 'raed_page', input: {} });
  expect(unknown.is_error).toBe(true);
  expect(JSON.stringify(unknown.content)).toMatch(/unknown_tool.*Did you mean read_page/);
});

/** A provider whose tool answers these blocks of another server. */
const upstream = (content: readonly object[], isError = false) =>
  testProvider('test', [
    testTool({
      name: 'other',
      kind: 'upstream',
      inputSchema: { type: 'object', anyOf: [{ required: ['a'] }] },
      run: async () => ({ passed: { content: content as never, isError, structuredContent: { a: 1 } } }),
    }),
  ]);
const CALL = { type: 'tool_use', id: 'a', name: 'other', input: {} } as const;

test('blocks of other servers become text and pictures', async () => {
  const blocks = [
    { type: 'text', text: 'plain' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'image', data: 'AAAA', mimeType: 'image/tiff' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'a:b', text: 'of a resource' } },
    { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'application/zip' } },
    { type: 'resource_link', uri: 'a:b', name: 'link' },
    { type: 'text', text: '   ' },
  ];
  const { spillway } = await start({ tools: ['default', 'other'] }, { providers: [upstream(blocks)] });
  const tools = toAnthropicTools(spillway);
  expect(tools.map(({ name }) => name)).toEqual(spillway.list().map(({ name }) => name));
  expect(complain({ messages: [ASK], tools: tools as never })).toBeNull();
  const { content } = await handleToolUse(spillway, CALL);
  expect(content).toEqual([
    { type: 'text', text: 'plain' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'text', text: expect.stringContaining('3 bytes of image/tiff') },
    { type: 'text', text: expect.stringContaining('3 bytes of audio/wav') },
    { type: 'text', text: 'of a resource' },
    { type: 'text', text: expect.stringContaining('3 bytes of application/zip') },
    { type: 'text', text: '[link: a:b]' },
  ]);
});

test('a picture in what failed is said, since the API takes text alone there', async () => {
  const image = { type: 'image', mimeType: 'image/png' };
  const blocks = [
    { type: 'text', text: 'It failed here:' },
    { ...image, data: 'AAAA' },
    { ...image, data: '' },
  ];
  const { spillway } = await start({}, { providers: [upstream(blocks, true)] });
  const block = await handleToolUse(spillway, CALL);
  const content = ['It failed here:', '3 bytes of image/png', '0 bytes of image/png'];
  expect(block).toMatchObject({
    is_error: true,
    content: content.map((said) => ({ text: expect.stringContaining(said) })),
  });
  const messages: Anthropic.MessageParam[] = [
    ASK,
    { role: 'assistant', content: [CALL] },
    { role: 'user', content: [block] },
  ];
  expect(complain({ messages, tools: [] })).toBeNull();
});

test('a single block waits for its decision if it is notified of it', async () => {
  const gate: Gate = { check: async () => ({ ask: {} }) };
  const { spillway, bridge } = await start({ gate });
  bridge.addBrowser({ 1: PAGE });
  const block = { id: 'toolu_1', name: 'read_page', input: { tab: 'b1:1' } };
  const asked = await handleToolUse(spillway, { ...block, id: 'toolu_0' });
  expect(JSON.stringify(asked.content)).toContain('pending');
  const onPending = (): void => void spillway.decide('toolu_1', { approve: true, by: 'Ada' });
  const answered = await handleToolUse(spillway, block, { onPending });
  expect(answered.content).toMatchObject([{ text: '# Example\nHello.\n' }, {}]);
});
