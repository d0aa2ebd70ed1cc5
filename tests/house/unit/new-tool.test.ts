import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { fingerprint } from '../../../scripts/lib/fingerprint.mjs';
import { Refusal } from '../../../scripts/lib/new-tool/options.ts';
import { writeNewTool } from '../../../scripts/lib/new-tool/write.ts';
import { lintManifests } from '../../../scripts/lint-tool-schemas.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { testFolder } from '../../support/test-folder.ts';

// The checks and tests of a new tool run in new-tool.deep.test.ts.

const ROOT = resolve(import.meta.dirname, '../../..');

/** A checkout with the tools of this one, and links to what they import. */
const copy = testFolder();
beforeAll(() => {
  const link = (path: string): void => symlinkSync(join(ROOT, path), join(copy, path));
  mkdirSync(join(copy, 'server'));
  for (const path of ['node_modules', 'tsconfig.base.json', 'server/core']) link(path);
  for (const path of ['.oxfmtrc.json', 'shared', 'extension/ui/faces', 'extension/ui/words'])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
});

it.each([
  ['Mill', 'name: "Mill" is not valid'],
  ['../mill', 'name: "../mill" is not valid'],
  ['read_page', 'the tool read_page already exists, in shared/read/read_page.manifest.ts'],
])('refuses "%s", and changes nothing: %s', async (args, message) => {
  const before = fingerprint(copy, ['shared']);
  const refused: unknown = await writeNewTool(copy, [args]).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toHaveProperty('message', expect.stringContaining(message));
  expect(fingerprint(copy, ['shared'])).toBe(before);
});

it('has a manifest that the lint accepts, says what the options say, and its methods load', async () => {
  await writeNewTool(copy, 'grind --category dev --tier 2 --runs --extension --spills'.split(' '));
  const load = (file: string): Promise<unknown> =>
    import(pathToFileURL(join(copy, 'shared/grind', file)).href);
  const { manifests } = (await load('grind.manifest.ts')) as { readonly manifests: readonly [ToolManifest] };
  const facts = { name: 'grind', category: 'dev', tier: 2, spills: true, runs: true, identifier: 'grind' };
  expect(manifests).toEqual([expect.objectContaining(facts)]);
  expect(manifests[0].faces).toMatchObject({ extension: true, panel: ['Inspector', 'Render'] });
  expect(lintManifests([...MANIFESTS, ...manifests])).toEqual([]);
  expect(await load('grind.methods.ts')).toHaveProperty(
    ['methods', 'grind.echo', 'policy', 'judged'],
    'nothing',
  );
});
