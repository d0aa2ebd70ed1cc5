import { expect, test } from 'vitest';
import { z } from 'zod';
import { lintManifest, lintManifests } from '../../../scripts/lint-tool-schemas.ts';
import { MANIFESTS } from '../../../shared/tools/index.ts';
import { defineTool, type ToolManifest } from '../../../shared/tools/manifest.ts';

const good: ToolManifest = defineTool({
  name: 'good_tool',
  title: 'Good tool',
  category: 'read',
  tier: 2,
  risk: 'none',
  description: { does: 'Does it.', use: 'Use it here.', avoid: 'Not there.' },
  input: z.strictObject({ count: z.int().describe('How many') }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
});

const cases: readonly [string, Partial<ToolManifest>, string][] = [
  ['a name in camel case', { name: 'goodTool' }, 'the name does not match'],
  ['no title', { title: '' }, 'title is missing'],
  ['an empty part', { description: { ...good.description, avoid: ' ' } }, 'description.avoid is empty'],
  ['a long description', { description: { ...good.description, does: 'x'.repeat(500) } }, 'at most 500'],
  ['a bare parameter', { input: z.strictObject({ count: z.int() }) }, 'parameter count is not described'],
  [
    'a long parameter',
    { input: z.strictObject({ count: z.int().describe('x'.repeat(301)) }) },
    'parameter count is described in 301 characters',
  ],
  ['a loose input', { input: z.looseObject({}) }, 'the input is no strict object'],
];

test.each(cases)('%s is a problem', (_name, change, problem) => {
  expect(lintManifest({ ...good, ...change }).join('\n')).toContain(problem);
});

test('a good manifest has none, nor has any of ours', () => {
  expect(lintManifest(good)).toEqual([]);
  expect(lintManifests(MANIFESTS)).toEqual([]);
});

test('one name for two tools is a problem', () => {
  expect(lintManifests([good, good])).toContain('good_tool: the name is there twice');
});
