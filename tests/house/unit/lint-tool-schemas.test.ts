import { expect, test } from 'vitest';
import { z } from 'zod';
import { lintManifests } from '../../../scripts/lint-tool-schemas.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { defineTool, type ToolManifest } from '../../../shared/core/tools/manifest.ts';

const good: ToolManifest = defineTool({
  name: 'good_tool',
  title: 'Good tool',
  category: 'read',
  tier: 2,
  risk: 'none',
  does: 'Does it.',
  use: 'Use it here.',
  avoid: 'Not there.',
  input: z.strictObject({ count: z.int().describe('How many') }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const cases: readonly [string, Partial<ToolManifest>, string][] = [
  ['a name in camel case', { name: 'goodTool' }, 'the name does not match'],
  ['the name of a group', { name: 'capture' }, 'the name selects a group of tools'],
  ['an output that is a list', { output: Object(z.array(z.string())) }, 'the output is not an object schema'],
  [
    'an output field of its own',
    { spills: true, input: z.strictObject({ output_mode: z.string().describe('Mode') }) },
    'parameter output_mode is added at the start',
  ],
  ['runs that are never tasks', { runs: true, tasks: 'forbidden' }, 'so they may be tasks'],
  ['a loose input', { input: z.looseObject({}) }, 'the input is not a strict object'],
  ['two sentences', { systemRole: 'Do this. Do that.' }, 'not one sentence'],
  ['another tool', { systemRole: 'Do this with other_tool.' }, 'systemRole mentions other_tool'],
];

test.each(cases)('%s is a problem', (_name, change, problem) => {
  const others = ['other_tool', 'network'].map((name): ToolManifest => ({ ...good, name }));
  expect(lintManifests([{ ...good, ...change }, ...others]).join('\n')).toContain(problem);
});

test('a good manifest has none, nor has any of ours', () => {
  expect(lintManifests([good])).toEqual([]);
  expect(lintManifests(MANIFESTS)).toEqual([]);
});
