import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { testFolder } from '../../support/test-folder.ts';

// Checks, builds and tests, in a separate checkout, the files that new-tool.test.ts only reads.

const ROOT = resolve(import.meta.dirname, '../../..');
const LEFT_OUT = ['node_modules', 'dist', '.git', '.cache', 'coverage'];
const copy = testFolder();
beforeAll(() => {
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => relative(ROOT, path) === '' || !LEFT_OUT.includes(basename(path)),
  });
  git('init', '--quiet');
  git('add', '--all');
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}, 60_000);

const git = (...args: readonly string[]): readonly string[] =>
  spawnSync('git', args, { cwd: copy, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);

async function run(program: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(copy, program), ...args], {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  return new Promise<{ readonly status: number | null; readonly output: string }>((fulfil, reject) => {
    child.once('error', reject);
    child.once('close', (status) => fulfil({ status, output: Buffer.concat(parts).toString() }));
  });
}

const TSX = 'node_modules/tsx/dist/cli.mjs';
const vitest = (...args: readonly string[]) =>
  run('node_modules/vitest/vitest.mjs', 'run', '--project', 'fast', ...args);

/** Tests that iterate over tools and modes, one per kind of check. */
const LIST_DRIVEN = 'adapters failures modes output-schemas pins public-fields structure'
  .split(' ')
  .map((name) => `tests/core/contract/${name}.test.ts`);

function writeMode(): void {
  const mode = readFileSync(join(copy, 'tests/support/modes/terse.mode.ts'), 'utf8');
  const write = (path: string, text: string): void => writeFileSync(join(copy, path), text);
  const card = 'extension/widgets/card';
  mkdirSync(join(copy, card));
  write('server/core/modes/terse.mode.ts', mode.replace('../../../server/core/', '../'));
  write(`${card}/card.html`, '<!doctype html>\n<script type="module" src="./main.tsx"></script>\n');
  write(`${card}/main.tsx`, "import { render } from 'preact';\n\nrender(<hr />, document.body);\n");
}

const TOOLS = [
  ['mill_count'],
  ['wind', '--category', 'capture', '--extension', '--spills'],
  ['sail_turning_in_the_wind', '--runs'],
  ['grind', '--category', 'dev', '--runs', '--extension', '--spills'],
] as const;

const outsideBlocks = (text: string): string =>
  text.replaceAll(/<!-- generated: .*?<!-- \/generated -->/gs, '');

it(
  'new tools and a new mode are new files, which every check and test finds',
  { timeout: 1_200_000 },
  async () => {
    writeMode();
    for (const args of TOOLS) {
      const { status, output } = await run(TSX, 'scripts/new-tool.ts', ...args);
      expect(status, output).toBe(0);
    }
    const refused = await run(TSX, 'scripts/new-tool.ts', 'mill_count');
    expect(refused.status).toBe(1);
    expect(refused.output).toContain('the tool mill_count already exists');
    expect(refused.output).not.toContain('    at ');

    // Of the existing files, the generated ones change, and the panel's tables gain the tool's row and words.
    expect(git('diff', '--name-only')).toEqual([
      ...['docs/modes.md', 'docs/terminal.md', 'docs/tools.md'],
      'extension/core/worker/handlers.generated.ts',
      ...['faces/rows.ts', 'words/en/tools.ts', 'words/zh-CN.json'].map((path) => `extension/ui/${path}`),
      ...['modes/modes', 'modes/names', 'runtimes'].map((path) => `server/core/${path}.generated.ts`),
      ...['manifests', 'methods', 'names'].map((name) => `shared/core/tools/${name}.generated.ts`),
      'tests/support/cases.generated.ts',
    ]);
    expect(outsideBlocks(readFileSync(join(copy, 'docs/modes.md'), 'utf8'))).toBe(
      outsideBlocks(readFileSync(join(ROOT, 'docs/modes.md'), 'utf8')),
    );

    const checks = await run('scripts/check.mjs');
    expect(checks.status, checks.output).toBe(0);
    const widget = ['build', '--mode', 'widget-card', '--outDir', join(copy, 'card')];
    const built = await run('node_modules/vite/bin/vite.js', ...widget);
    expect(built.status, built.output).toBe(0);
    expect(existsSync(join(copy, 'card/card.html'))).toBe(true);
    expect((await run(TSX, 'server/cli/main.ts', '--help')).output).toContain('default, apps, openai, terse');

    // Of the build, they start the threads.
    symlinkSync(join(ROOT, 'dist'), join(copy, 'dist'));
    // Only the golden of the mode is missing. Only -u writes it.
    const golden = join(copy, 'fixtures/golden/mode-terse.txt');
    const first = await vitest(...LIST_DRIVEN);
    expect(first.status).toBe(1);
    expect(first.output).toMatch(/ FAIL .*the table of the mode terse, to the letter/);
    expect(first.output).toMatch(/Tests +1 failed \|/);
    expect(existsSync(golden)).toBe(false);
    const second = await vitest('-t', 'the table of the mode', 'tests/core/contract/modes.test.ts', '-u');
    expect(second.status, second.output).toBe(0);
    expect(readFileSync(golden, 'utf8')).toContain('crawl model async full widget:run description\n');
  },
);
