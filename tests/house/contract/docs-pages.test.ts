import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Option } from 'commander';
import { expect, it } from 'vitest';
import { allBrowserPlaces } from '../../../server/core/bridge/browsers.ts';
import { serverCommand } from '../../../server/cli/options.ts';
import { CAPABILITY_HOPS } from '../../../server/core/doctor-hops.generated.ts';
import { hopsFor } from '../../../server/doctor/doctor.ts';
import { testFolder } from '../../support/test-folder.ts';
import { OptionsSchema } from '../../../server/library/options.ts';
import { isObject } from '../../../shared/base/json.ts';
import { parseJson } from '../../../shared/base/json-schema.ts';
import { checkRecipe } from '../../../shared/recipes/check.ts';
import { manifests, recipeRun, recipeSave } from '../../../shared/recipes/recipes.manifest.ts';
import { runResume } from '../../../shared/runs/runs.manifest.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const [flags, install, library, recipes] = ['flags', 'install', 'library', 'recipes'].map((name) =>
  read(`docs/${name}.md`),
) as [string, string, string, string];

const GIB = 1024 ** 3;
const UNSET: Readonly<Record<string, string>> = {
  '--http': 'off',
  '--launch': 'off',
  '--browser': 'found',
  '--tools': 'the default set',
};

/** A flag's default as the page writes it. */
function defaultOf({ long, envVar, defaultValue, negate }: Option): string {
  const value = ((): string => {
    if (long === '--home') return '`~/.spillway`';
    // A flag `--no-…` is about what else is on.
    if (defaultValue === false || negate) return 'off';
    if (typeof defaultValue === 'string') return `\`${defaultValue}\``;
    if (typeof defaultValue !== 'number') return UNSET[long ?? ''] ?? 'none';
    return defaultValue % GIB === 0 ? `${defaultValue / GIB} GiB` : String(defaultValue);
  })();
  return envVar === undefined ? value : `${value} or \`${envVar}\``;
}

it('docs/flags.md lists every flag of the server, and no other, with its default', () => {
  const options = serverCommand().options.filter(({ long }) => long !== '--version');
  const rows = [...flags.matchAll(/^\| `(--[a-z-]+)[^`]*` +\| (.+?) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, long, told]) => [long, told]))).toEqual(
    Object.fromEntries(options.map((option) => [option.long, defaultOf(option)])),
  );
});

it('docs/install.md lists the hops of doctor, in their order', () => {
  const table = install.slice(install.indexOf('| hop '), install.indexOf('`--browser chrome`'));
  const listed = [...table.matchAll(/^\| `([a-z_]+)`/gm)].map(([, id]) => id);
  const home = testFolder();
  mkdirSync(join(home, 'recipes'));
  const used = { home, queue: 'redis://127.0.0.1', upstream: [] };
  const extra = CAPABILITY_HOPS.flatMap((create) => create(used) ?? []);
  expect(extra).toHaveLength(CAPABILITY_HOPS.length);
  expect(listed).toEqual(hopsFor(null, extra).map((hop) => hop.id));
});

it('docs/install.md names every place that a manifest is written into', () => {
  const places = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
    allBrowserPlaces({ env: {}, userHome: '/u', platform })
      .flatMap((each) => (platform === 'win32' ? each.registryKeys : each.manifestDirectories))
      .map((path) =>
        path.replace(/^(?:\/u\/(?:(?:\.config|Library\/Application Support)\/)?|HKCU\\SOFTWARE\\)/, ''),
      ),
  );
  expect(places).toHaveLength(30);
  expect(places.filter((place) => !install.includes(`\`${place}\``))).toEqual([]);
});

it('docs/library.md names every option, and everything that the package exports', () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: object };
  const paths = Object.keys(exports).filter((path) => path !== './package.json');
  expect(paths).toHaveLength(4);
  const names = [...Object.keys(OptionsSchema.shape), ...paths.map((path) => `spillway${path.slice(1)}`)];
  expect(names.filter((name) => !library.includes(`\`${name}\``))).toEqual([]);
});

const blocks = [...recipes.matchAll(/```json\n([^]*?)\n```/g)].map(([, text = '']) => parseJson(text));
/** Calls as the page writes them: a name and JSON, indented, also over several lines. */
const callsOf = (tool: string): unknown[] =>
  [...recipes.matchAll(new RegExp(`^ {4}${tool} (\\{(?:.*\\}$|$[^]*?^ {4}\\}$))`, 'gm'))].map(
    ([, text = '']) => parseJson(text),
  );

it('docs/recipes.md shows a recipe, and a branch and an act that are steps of one', () => {
  const look = { id: 'look', tool: 'read_page', args: {} };
  const branch = blocks.find((block) => isObject(block) && 'if' in block);
  const act = blocks.find((block) => isObject(block) && 'do' in block);
  const steps = [look, branch, { id: 'act', tool: 'interact', args: { steps: [act] } }];
  const recipe = { version: 1, name: 'shown', title: 'Shown', description: 'Shown.', steps };
  expect([branch, act]).not.toContain(undefined);
  expect([blocks[0], recipe].map((each) => checkRecipe(each).problems)).toEqual([null, null]);
});

it.each([
  ['recipe_save', recipeSave, 2],
  ['recipe_run', recipeRun, 1],
  ['run_resume', runResume, 3],
])('docs/recipes.md shows calls of %s that fit it', (name, { input }, count) => {
  const calls = callsOf(name);
  expect(calls).toHaveLength(count);
  expect(calls.map((args) => input.safeParse(args).error)).toEqual(Array(count).fill(undefined));
});

it('docs/recipes.md has every tool on recipes in its table', () => {
  const rows = [...recipes.matchAll(/^\| `(recipe_\w+)`/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(manifests.map(({ name }) => name).toSorted());
});
