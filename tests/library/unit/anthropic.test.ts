import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { handleToolUse, toAnthropicTools } from '../../../server/library/anthropic/index.ts';
import { localSpillways } from '../../support/local-spillway.ts';
import { complain } from '../../support/messages-server.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

const start = localSpillways();
const ASK: Anthropic.MessageParam = { role: 'user', content: 'Read the page.' };

const upstream = (content: readonly object[]) => {
  const passed = { content: content as never, isError: false, structuredContent: { a: 1 } };
  const inputSchema = { type: 'object', anyOf: [{ required: ['a'] }] };
  const tool = { name: 'other', kind: 'upstream', inputSchema, run: async () => ({ passed }) } as const;
  return testProvider('test', [testTool(tool)]);
};
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

test.each([
  [undefined, undefined],
  [{ saved: 7n, at: new Date(0) }, '{"saved":"7","at":"1970-01-01T00:00:00.000Z"}'],
  [[{ id: 1 }], '[{"id":1}]'],
  [null, 'null'],
  [5, '5'],
])('a tool of the caller may answer %o', async (answer, content) => {
  const { spillway } = await start();
  const ownTools = [{ tool: { name: 'mine', input_schema: {} }, call: async () => answer }] as never;
  const block = await handleToolUse(spillway, { ...CALL, name: 'mine' }, { ownTools });
  expect(block).toEqual({ type: 'tool_result', tool_use_id: 'a', ...(content && { content }) });
});
