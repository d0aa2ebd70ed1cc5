import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { PluginOption } from 'vite';
import { beforeAll, expect, it, vi } from 'vitest';
import { CACHE, ROOT } from '../../../scripts/lib/run.mjs';
import { serveComponents } from '../../support/dev-server.ts';
import { installPackages } from '../../support/install-packages.ts';
import { launched } from '../../support/launched.ts';
import { PATIENCE } from '../../support/patience.ts';

/** `inspect` on pages of frameworks that have packages of their own. */

const FOLDER = 'fixtures/components';
const inFolder = (...path: string[]): string => join(ROOT, FOLDER, ...path);
const { ok } = await launched();

beforeAll(() => installPackages(FOLDER), 600_000);

/** A member of a package that only the deep run installs. */
async function importPlugin(file: string, name: string): Promise<() => PluginOption> {
  const module: Record<string, () => PluginOption> = await import(
    pathToFileURL(inFolder('node_modules', file)).href
  );
  return module[name] ?? expect.fail(file);
}

/** Angular's own compiler, as `ng serve` runs it. */
async function compileAngular(): Promise<PluginOption> {
  const outDir = join(CACHE, 'components', 'angular-out');
  const ngc = inFolder('node_modules/@angular/compiler-cli/bundles/src/bin/ngc.js');
  const args = ['-p', inFolder('angular'), '--outDir', outDir];
  await promisify(execFile)(process.execPath, [ngc, ...args]);
  const read = (name: string): string => readFileSync(join(outDir, name), 'utf8');
  return {
    name: 'angular',
    load: (id) =>
      id === inFolder('angular', 'main.ts') ? { code: read('main.js'), map: read('main.js.map') } : null,
  };
}

const inspectButton = async (url: string): Promise<unknown> => {
  await ok('navigate', { url });
  const ref = await vi.waitFor(async () => {
    const { text } = await ok('find', { role: 'button', name: 'Grind' });
    return /\be\d+\b/.exec(text)?.[0] ?? expect.fail(text);
  }, PATIENCE);
  return (await ok('inspect', { ref })).json<{ components: unknown }>().components;
};

it('names the components of Vue, and where each is defined', async () => {
  const vue = await importPlugin('@vitejs/plugin-vue/dist/index.mjs', 'default');
  const url = await serveComponents('vue', { include: ['vue'], plugins: [vue()] });
  expect(await inspectButton(url)).toEqual([
    { framework: 'vue', name: 'MillButton', defined_at: inFolder('vue/MillButton.vue') },
    { framework: 'vue', name: 'MillYard', defined_at: `${inFolder('vue/MillYard.vue')}:6:8` },
  ]);
});

it('names the components of Svelte, and where each writes the next', async () => {
  const svelte = await importPlugin('@sveltejs/vite-plugin-svelte/src/index.js', 'svelte');
  const url = await serveComponents('svelte', { include: ['svelte'], plugins: [svelte()] });
  expect(await inspectButton(url)).toEqual([
    {
      framework: 'svelte',
      name: 'MillButton',
      writes_at: 'fixtures/components/svelte/MillButton.svelte:5:1',
    },
    { framework: 'svelte', name: 'MillYard', writes_at: 'fixtures/components/svelte/MillYard.svelte:8:5' },
  ]);
});

it('names the components of Angular, and where each is defined', async () => {
  // The compiler links the libraries in the page.
  const include = ['@angular/compiler', '@angular/core', '@angular/platform-browser'];
  const url = await serveComponents('angular', { include, plugins: [await compileAngular()] });
  expect(await inspectButton(url)).toEqual([
    { framework: 'angular', name: 'MillButton', defined_at: 'main.ts:6' },
    { framework: 'angular', name: 'MillYard', defined_at: 'main.ts:13' },
  ]);
});
