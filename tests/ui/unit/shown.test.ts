import { expect, expectTypeOf, it } from 'vitest';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { readShown, type ShownState, type ShownValue } from '../../../shared/core/tools/shown.ts';
import { readRecorded } from '../../support/face-page/gallery.ts';

/* A face reads an answer of its own tool only, by the types of its manifest. */

const TOOLS: readonly ToolManifest[] = MANIFESTS;

it.each(readRecorded().map(({ tool, title, answer }) => [tool, title, answer] as const))(
  'a real answer of %s has the types of its manifest: %s',
  (name, _, answer) => {
    const found = MANIFESTS.find((tool) => tool.name === name);
    const { output, shown }: ToolManifest | Record<string, never> =
      TOOLS.find((tool) => tool.name === name) ?? {};
    const hasTypes = typeof answer.value !== 'object' || (shown?.value ?? output) != null;
    const read = found === undefined ? null : readShown(found.name, answer);
    expect([read !== null, read?.hasState ?? false]).toEqual([
      hasTypes,
      hasTypes && shown?.state !== undefined,
    ]);
  },
);

it.each([
  ['navigate', { url: 7 }],
  ['navigate', [1]],
  ['tabs', { tabs: [{ tab: 'b1:1', url: 'https://a.test/' }] }],
  ['run_list', { runs: [{ run_id: 'run_1', status: 'lost', progress: {} }] }],
  ['oc_journal', { events: { call: 'many' } }],
  ['find', { found: 1 }],
  ['console', null],
] as const)('an answer of %s with another shape is not read: %j', (tool, value) => {
  expect(readShown(tool, { value })).toBeNull();
});

it('a member that another version leaves out is missing, and one that it adds is not typed', () => {
  expect(
    readShown('navigate', { value: { url: 'https://a.test/', later: true } })?.value.tab,
  ).toBeUndefined();
  expectTypeOf<ShownValue<'navigate'>>().toHaveProperty('url');
  expectTypeOf<ShownValue<'navigate'>>().not.toHaveProperty('later');
  expectTypeOf<NonNullable<ShownValue<'run_list'>['runs']>[number]>().not.toHaveProperty('id');
  expectTypeOf<ShownState<'find'>>().toHaveProperty('found').toEqualTypeOf<number | undefined>();
  expectTypeOf<ShownState<'tabs'>>().not.toHaveProperty('url');
});
