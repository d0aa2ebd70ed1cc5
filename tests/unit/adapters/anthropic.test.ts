import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { defineTool } from '../../../shared/tools/manifest.ts';
import { handleToolUse, toAnthropicTools } from '../../../server/adapters/anthropic/index.ts';
import type { Gate } from '../../../server/core/calls/gate.ts';
import type { ToolProvider } from '../../../server/core/registry/provider.ts';
import { localSpillways, PAGE } from '../../support/local-spillway.ts';
import { complain } from '../../support/messages-server.ts';

const start = localSpillways();
const ASK: Anthropic.MessageParam = { role: 'user', content: 'Read the page.' };

test('every listed tool is one that the API takes', async () => {
  const { spillway } = await start();
  const tools = toAnthropicTools(spillway);
  expect(tools.map(({ name }) => name)).toEqual(spillway.list().map(({ name }) => name));
  expect(complain({ messages: [ASK], tools: tools as never })).toBeNull();
});

test('a page that is read is text, then notes', async () => {
  const { spillway, bridge } = await start();
  bridge.addBrowser({ 1: PAGE });
  const block = await handleToolUse(spillway, { id: 'toolu_1', name: 'read_page', input: { tab: 'b1:1' } });
  expect(block).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1' });
  expect(block.content).toMatchObject([{ type: 'text', text: '# Example\nHello.\n' }, { type: 'text' }]);
  expect(block.is_error).toBeUndefined();
});

test('what fails is an error block with its code, unknown tools with the nearest names', async () => {
  const { spillway } = await start();
  const unknown = await handleToolUse(spillway, { id: 'a', name: 'raed_page', input: {} });
  expect(unknown.is_error).toBe(true);
  expect(JSON.stringify(unknown.content)).toMatch(/unknown_tool.*Did you mean read_page/);
  const wrong = await handleToolUse(spillway, { id: 'b', name: 'read_page', input: { nonsense: 1 } });
  expect(JSON.stringify(wrong.content)).toContain('invalid_argument');
});

/** A provider whose tool answers these blocks of another server. */
const upstream = (name: string, content: readonly object[], isError = false): ToolProvider => ({
  id: 'test',
  onChange: () => () => undefined,
  tools: () => [
    {
      kind: 'upstream',
      inputSchema: { type: 'object', anyOf: [{ required: ['a'] }] },
      manifest: defineTool({
        name,
        title: 'Other',
        category: 'upstream',
        tier: 2,
        risk: 'none',
        description: { does: 'Does.', use: 'Use.', avoid: 'Avoid.' },
        input: z.looseObject({}),
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        },
        spills: false,
      }),
      runtime: async () => ({
        run: async () => ({ passed: { content: content as never, isError, structuredContent: { a: 1 } } }),
      }),
    },
  ],
});

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
  const { spillway } = await start(
    { tools: ['default', 'other_tool'] },
    { providers: [upstream('other_tool', blocks)] },
  );
  const tools = toAnthropicTools(spillway);
  expect(complain({ messages: [ASK], tools: tools as never })).toBeNull();
  const { content } = await handleToolUse(spillway, { id: 'a', name: 'other_tool', input: {} });
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

test('an answer of an object alone is its JSON', async () => {
  const { spillway } = await start({}, { providers: [upstream('other', [], true)] });
  const block = await handleToolUse(spillway, { id: 'a', name: 'other', input: {} });
  expect(block).toMatchObject({ is_error: true, content: [{ type: 'text', text: '{"a":1}' }] });
});

test('a picture in what failed is said, since the API takes text alone there', async () => {
  const blocks = [
    { type: 'text', text: 'It failed here:' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'image', data: '', mimeType: 'image/png' },
  ];
  const { spillway } = await start({}, { providers: [upstream('other', blocks, true)] });
  const use = { type: 'tool_use', id: 'a', name: 'other', input: {} } as const;
  const block = await handleToolUse(spillway, use);
  expect(block).toMatchObject({
    is_error: true,
    content: [
      { text: 'It failed here:' },
      { text: expect.stringContaining('3 bytes of image/png') },
      { text: expect.stringContaining('0 bytes of image/png') },
    ],
  });
  const messages: Anthropic.MessageParam[] = [
    ASK,
    { role: 'assistant', content: [use] },
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

test('a single block whose call is forgotten before it is decided is an error block', async () => {
  const gate: Gate = { check: async () => ({ ask: {} }) };
  const { spillway } = await start({ gate });
  const settled = (): Promise<never> => Promise.reject(new SpillwayError('call_not_pending', 'Forgotten.'));
  const block = await handleToolUse(
    { ...spillway, close: () => undefined, settled },
    { id: 'toolu_1', name: 'tabs', input: {} },
    { onPending: () => undefined },
  );
  expect(block).toMatchObject({ is_error: true, content: expect.stringContaining('call_not_pending') });
});
