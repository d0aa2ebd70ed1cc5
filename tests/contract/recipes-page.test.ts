import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { isObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';
import { checkRecipe } from '../../shared/recipes/check.ts';
import { manifests, recipeRun, recipeSave } from '../../shared/tools/recipes/manifest.ts';
import { runResume } from '../../shared/tools/runs/manifest.ts';

// The examples in docs/recipes.md can be copied: each is valid for its purpose.

const page = readFileSync(join(resolve(import.meta.dirname, '../..'), 'docs/recipes.md'), 'utf8');
const blocks = [...page.matchAll(/```json\n([^]*?)\n```/g)].map(([, text = '']) => parseJson(text));
/** Calls as the page writes them: a name and JSON, indented, also over several lines. */
const callsOf = (tool: string): unknown[] =>
  [...page.matchAll(new RegExp(`^ {4}${tool} (\\{(?:.*\\}$|$[^]*?^ {4}\\}$))`, 'gm'))].map(([, text = '']) =>
    parseJson(text),
  );

it('its recipe is one', () => {
  expect(checkRecipe(blocks[0]).problems).toBeNull();
});

it('its branch and its act are steps of one', () => {
  const look = { id: 'look', tool: 'read_page', args: {} };
  const branch = blocks.find((block) => isObject(block) && 'if' in block);
  const act = blocks.find((block) => isObject(block) && 'do' in block);
  const steps = [look, branch, { id: 'act', tool: 'interact', args: { steps: [act] } }];
  const recipe = { version: 1, name: 'shown', title: 'Shown', description: 'Shown.', steps };
  expect([branch, act]).not.toContain(undefined);
  expect(checkRecipe(recipe).problems).toBeNull();
});

it('its calls fit their tools', () => {
  const [saves, runs, resumed] = [callsOf('recipe_save'), callsOf('recipe_run'), callsOf('run_resume')];
  expect([saves.length, runs.length, resumed.length]).toEqual([2, 1, 3]);
  for (const args of saves) expect(recipeSave.input.safeParse(args).error).toBeUndefined();
  for (const args of runs) expect(recipeRun.input.safeParse(args).error).toBeUndefined();
  for (const args of resumed) expect(runResume.input.safeParse(args).error).toBeUndefined();
});

it('its table has every tool on recipes', () => {
  const rows = [...page.matchAll(/^\| `(recipe_\w+)`/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(manifests.map(({ name }) => name).toSorted());
});
