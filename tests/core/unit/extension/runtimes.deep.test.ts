import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { testFolder } from '../../../support/test-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const { references } = z
  .object({ references: z.array(z.object({ path: z.string() })) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')));
/** Paths of configurations, without `.json`. */
const PROJECTS = references
  .map(({ path }) => join(path))
  .filter((path) => path.startsWith('extension/'))
  .map((path) => (path.endsWith('.json') ? path.slice(0, -'.json'.length) : join(path, 'tsconfig')));
const PROBES = {
  document: 'export const title: string = document.title;',
  chrome: 'export const id: string = chrome.runtime.id;',
};

const root = testFolder();

const tsc = (...args: string[]): Promise<string> =>
  new Promise((fulfil) => {
    const options = { cwd: root };
    execFile(process.execPath, [TSC, ...args, '--pretty', 'false'], options, (_, stdout) => fulfil(stdout));
  });

let output = '';
beforeAll(async () => {
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const project of PROJECTS) {
    const folder = join(root, project, 'probes');
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(PROBES)) writeFileSync(join(folder, `${name}.ts`), text);
    const config = {
      extends: join(ROOT, `${project}.json`),
      compilerOptions: { outDir: 'out', tsBuildInfoFile: 'out/info' },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  }
  output = await tsc('-b', ...PROJECTS.map((project) => join(project, 'probes')));
});

test.each([
  ['extension/tsconfig.worker', 'document'],
  ['extension/tsconfig.page', 'chrome'],
  ['extension/tsconfig.in-page', 'chrome'],
  ['extension/tsconfig.documents', null],
])('the compiler knows every global in %s but %s', (project, missing) => {
  const lines = output.split('\n').filter((line) => line.startsWith(`${project}/probes/`));
  const expected = expect.stringMatching(`^${project}/probes/${missing}.*: Cannot find name '${missing}'`);
  expect(lines).toEqual(missing === null ? [] : [expected]);
});

test('nothing that the service worker imports brings the document in', async () => {
  const files = await tsc('-p', join(ROOT, 'extension/tsconfig.worker.json'), '--noEmit', '--listFiles');
  expect(files).toContain('lib.webworker.d.ts');
  expect(files).not.toContain('lib.dom.d.ts');
});

test('each file of the extension is in the project of one runtime', async () => {
  const files = await Promise.all(
    PROJECTS.map(async (project) => {
      const shown: unknown = JSON.parse(await tsc('-p', join(ROOT, `${project}.json`), '--showConfig'));
      const { files } = z.object({ files: z.array(z.string()) }).parse(shown);
      return files.map((file) => relative(ROOT, resolve(ROOT, dirname(project), file)));
    }),
  );
  const all = readdirSync(join(ROOT, 'extension'), { recursive: true, encoding: 'utf8' });
  const sources = all.filter((file) => /\.tsx?$/.test(file)).map((file) => join('extension', file));
  expect(files.flat().sort()).toEqual(sources.sort());
});
