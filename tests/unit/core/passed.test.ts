import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { toCallToolResult } from '../../../server/adapters/mcp/result.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';
import { echo } from '../../support/test-tool.ts';
import { testExecutor } from './support.ts';

/** What a call of a tool of another server comes to. */
function callOther(run: () => Promise<unknown>): Promise<ToolResult> {
  const other = testTool({ name: 'other_read', kind: 'upstream', run: run as never });
  const { executor, call } = testExecutor(echo, { providers: [testProvider('other', [other])] });
  return executor.execute(call({ tool: 'other_read' }));
}
const answerOf = (content: readonly unknown[], structuredContent?: object) =>
  callOther(async () => ({ passed: { content, structuredContent, isError: false } }));

const png = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
const resource = (fields: object) => ({ type: 'resource', resource: { uri: 'a:b', ...fields } });

describe('a block of another server', () => {
  it.each<[string, object]>([
    ['content.0.data', { ...png, data: '***' }],
    ['content.0.data', { ...png, type: 'audio', data: 'A' }],
    ['content.0.mimeType', { ...png, mimeType: undefined }],
    ['content.0.resource', resource({})],
    ['content.0.resource', resource({ blob: '***' })],
    ['content.0.name', { ...link, name: 7 }],
  ])('that clients refuse is named: %s of %j', async (where, block) => {
    const { error } = await answerOf([block]);
    expect(error?.code).toBe('upstream_error');
    expect(error?.message).toContain(`malformed at ${where}`);
  });

  it.each<[object, object]>([
    [png, png],
    [resource({ text: '' }), resource({ text: '' })],
    [resource({ blob: 'AA', 'x-own': 1 }), resource({ blob: 'AA', 'x-own': 1 })],
    [
      { type: 'text', text: 'a', annotations: { priority: 9, audience: ['user'], 'x-own': 1 } },
      { type: 'text', text: 'a', annotations: { audience: ['user'], 'x-own': 1 } },
    ],
    [{ ...png, annotations: 'high' }, png],
    [
      { ...link, size: '7 kB', icons: [{}], title: 'A' },
      { ...link, title: 'A' },
    ],
  ])('%j comes as %j', async (block, expected) => {
    const result = await answerOf([block]);
    expect(result.content).toEqual([{ type: 'foreign', block: expected }]);
  });

  const value = fc.constantFrom<unknown>(
    ...['', 'AA==', '***', 'image/png', '2026-01-01T00:00:00Z', 0.5, 9, -1, true, null, []],
    ...[['user'], ['nobody'], { priority: 9 }, { lastModified: 'now' }, { audience: 'user' }],
    ...[[{ src: 'a' }], [{}], { uri: 'a:b', text: 'a' }, { uri: 'a:b', blob: '***' }],
    ...[
      { uri: 'a:b', text: 'a', mimeType: 7 },
      { uri: 'a:b', text: 'a', _meta: 7 },
    ],
  );
  const extras = ['annotations', 'mimeType', 'title', 'description', 'size', 'icons', '_meta', 'x-own'];
  const blocks = fc
    .tuple(
      fc.constantFrom<object>(png, link, { type: 'text', text: 'a' }, resource({ text: 'a' }), resource({})),
      fc.dictionary(fc.constantFrom(...extras, 'text', 'data', 'resource', 'name', 'uri'), value, {
        maxKeys: 3,
      }),
    )
    .map(([block, more]) => ({ ...block, ...more }));

  it('that comes through is taken by clients', async () => {
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(blocks, async (block) => {
        const result = await answerOf([block]);
        passed += result.ok ? 1 : 0;
        const wire: unknown = JSON.parse(JSON.stringify(toCallToolResult(result, null)));
        expect(CallToolResultSchema.safeParse(wire).error).toBeUndefined();
      }),
      { numRuns: rounds(500, 150) },
    );
    // A property of nothing would hold as well.
    expect(passed).toBeGreaterThan(rounds(100, 30));
  });
});

const text = (words: string) => ({ type: 'text', text: words });

describe('an answer that is blank', () => {
  const NOTHING = 'The other server answered without content.';

  it.each<[readonly object[], object | undefined, string]>([
    [[], undefined, NOTHING],
    [[text('')], undefined, NOTHING],
    [[text(' \n'), text('\u3000')], undefined, NOTHING],
    [[], {}, NOTHING],
    [[text('  ')], { found: 2 }, '{"found":2}'],
    [[], { found: 2 }, '{"found":2}'],
  ])(
    'of another server says so, or gives its object: %j with %j',
    async (content, structuredContent, expected) => {
      const result = await answerOf(content, structuredContent);
      expect(result.ok).toBe(true);
      expect(result.content).toEqual([{ type: 'foreign', block: text(expected) }]);
    },
  );
});

describe('a failure of another server', () => {
  it('has what it gave as the cause, and its blocks as they are', async () => {
    const content = [{ type: 'image', data: '', mimeType: 'image/png' }, text('quota exceeded')];
    expect(await callOther(async () => ({ passed: { content, isError: true } }))).toMatchObject({
      ok: false,
      error: { code: 'upstream_error', message: 'quota exceeded' },
      content: content.map((block) => ({ type: 'foreign', block })),
    });
    const { error, content: said } = await callOther(async () => ({
      passed: { content: [], isError: true },
    }));
    expect(error).toMatchObject({ code: 'upstream_error', message: 'The other server gave no reason.' });
    expect(said).toHaveLength(1);
  });

  it.each([
    [new Error('connect ECONNREFUSED 127.0.0.1:9'), 'upstream_error'],
    [new SpillwayError('timeout', 'It took too long.'), 'timeout'],
  ])('of the way there has its cause, and a code that it has: %s', async (thrown, code) => {
    const { error } = await callOther(() => Promise.reject(thrown));
    expect(error).toMatchObject({ code, message: expect.stringContaining(thrown.message) });
  });
});
