import { expect, it } from 'vitest';
import type { ToolResult } from '../../../server/core/result.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';
import { echo } from '../../support/test-tool.ts';
import { testExecutor } from './support.ts';

function callOther(run: () => Promise<unknown>, readOnlyHint = true): Promise<ToolResult> {
  const annotations = { readOnlyHint, destructiveHint: false, idempotentHint: false, openWorldHint: true };
  const other = testTool({ name: 'other_read', kind: 'upstream', annotations, run: run as never });
  const { executor, call } = testExecutor(echo, { providers: [testProvider('other', [other])] });
  return executor.execute(call({ tool: 'other_read' }));
}
const answerOf = (content: readonly unknown[], structuredContent?: object) =>
  callOther(async () => ({ passed: { content, structuredContent, isError: false } }));

const png = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
const resource = (fields: object) => ({ type: 'resource', resource: { uri: 'a:b', ...fields } });

it.each<[string, object]>([
  ['content.0.data', { ...png, data: '***' }],
  ['content.0.data', { ...png, type: 'audio', data: 'A' }],
  ['content.0.mimeType', { ...png, mimeType: undefined }],
  ['content.0.resource', resource({})],
  ['content.0.resource', resource({ blob: '***' })],
  ['content.0.name', { ...link, name: 7 }],
])('a block of another server that clients refuse is named: %s of %j', async (where, block) => {
  const { error } = await answerOf([block]);
  expect(error?.code).toBe('upstream_error');
  expect(error?.message).toContain(`malformed at ${where}`);
});

const text = (words: string) => ({ type: 'text', text: words });
const NOTHING = 'The other server answered without content.';

it.each<[readonly object[], object | undefined, string]>([
  [[], undefined, NOTHING],
  [[text('')], undefined, NOTHING],
  [[text(' \n'), text('\u3000')], undefined, NOTHING],
  [[], {}, NOTHING],
  [[text('  ')], { found: 2 }, '{"found":2}'],
  [[], { found: 2 }, '{"found":2}'],
])(
  'an answer that is blank of another server says so, or gives its object: %j with %j',
  async (content, structuredContent, expected) => {
    const result = await answerOf(content, structuredContent);
    expect(result.ok).toBe(true);
    expect(result.content).toEqual([{ type: 'foreign', block: text(expected) }]);
  },
);

it.each([true, false])('a failure of another server is retryable if its tool reads: %s', async (reads) => {
  const passed = { content: [text('full')], isError: true };
  for (const run of [async () => ({ passed }), () => Promise.reject(new Error('full'))])
    expect((await callOther(run, reads)).error).toMatchObject({ code: 'upstream_error', retryable: reads });
});
