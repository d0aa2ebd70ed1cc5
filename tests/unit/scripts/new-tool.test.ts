import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprint } from '../../../scripts/lib/fingerprint.mjs';
import { parseNewTool, Refusal } from '../../../scripts/lib/new-tool/options.ts';
import { writeNewTool } from '../../../scripts/lib/new-tool/write.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const ROOMS = ['shared', 'server', 'extension', 'tests', 'docs', 'scripts', 'bench'];
const LEFT_OUT = ['node_modules', 'dist', '.git', '.cache', 'coverage', 'images'];

const TSX = 'node_modules/tsx/dist/cli.mjs';
const VITEST = 'node_modules/vitest/vitest.mjs';
const FAST = ['run', '--project', 'fast'];
/** Tests that go through the lists of tools and modes, as far as they differ in what they look at. */
const LIST_DRIVEN = ['failures', 'modes', 'output-schemas', 'pins', 'public-fields', 'structure'].map(
  (name) => `tests/contract/${name}.test.ts`,
);

/** A checkout of its own, with the installed packages of this one. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'spillway-new-tool-'));
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => relative(ROOT, path) === '' || !LEFT_OUT.includes(basename(path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  seedTypecheck();
}, 60_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/**
 * Gives the copy what the compiler remembers of this checkout, so that it checks again only what a new tool
 * changes. The packages are at another path as seen from there.
 */
function seedTypecheck(): void {
  const [memory, types] = ['.cache/typescript-7', '.cache/types'];
  if (!existsSync(join(ROOT, memory)) || !existsSync(join(ROOT, types))) return;
  cpSync(join(ROOT, types), join(copy, types), { recursive: true });
  mkdirSync(join(copy, memory));
  const packages = relative(join(realpathSync(copy), memory), realpathSync(join(ROOT, 'node_modules')));
  for (const name of readdirSync(join(ROOT, memory))) {
    const text = readFileSync(join(ROOT, memory, name), 'utf8');
    writeFileSync(join(copy, memory, name), text.replaceAll('"../../node_modules/', `"${packages}/`));
  }
}

/** Each file that is not a fixture, and its text. */
function filesOfCopy(): ReadonlyMap<string, string> {
  const files = ['', ...ROOMS].flatMap((room) =>
    readdirSync(join(copy, room), { recursive: room !== '', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  return new Map(files.map((path) => [relative(copy, path), readFileSync(path, 'latin1')]));
}

/** Files that were there before and differ now. */
const changedFiles = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...before]
    .filter(([path, text]) => after.get(path) !== text)
    .map(([path]) => path)
    .sort();

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program of the copy, or of its packages. */
function run(program: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(copy, program), ...args], {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  return new Promise((fulfil, reject) => {
    child.once('error', reject);
    child.once('close', (status) => fulfil({ status, output: Buffer.concat(parts).toString() }));
  });
}

const newTool = (...args: readonly string[]): Promise<Ended> => run(TSX, 'scripts/new-tool.ts', ...args);

/** Writes the files of a mode and of a widget that it shows; answers their paths. */
function writeMode(): readonly string[] {
  const mode = readFileSync(join(copy, 'tests/support/modes/terse.mode.ts'), 'utf8');
  const files = {
    'server/modes/terse.mode.ts': mode.replace('../../../server/core/', '../core/'),
    'server/widgets/card/card.html': `<!doctype html>\n<script type="module" src="./main.tsx"></script>\n`,
    'server/widgets/card/main.tsx': `import { render } from 'preact';\n\nrender(<hr />, document.body);\n`,
  };
  mkdirSync(join(copy, 'server/widgets/card'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(copy, path), text);
  return Object.keys(files);
}

/** What people write of a page. */
const outsideBlocks = (text = ''): string => text.replaceAll(/<!-- generated: .*?<!-- \/generated -->/gs, '');
const stateOfCopy = (): string => fingerprint(copy, ROOMS);

describe('arguments', () => {
  it('have defaults, and are all taken', () => {
    const plain = {
      name: 'mill_count',
      category: 'read',
      tier: 3,
      extension: false,
      runs: false,
      spills: false,
    };
    expect(parseNewTool(['mill_count'])).toEqual(plain);
    expect(parseNewTool('--category dev mill_count --tier 2 --extension --runs --spills'.split(' '))).toEqual(
      {
        name: 'mill_count',
        category: 'dev',
        tier: 2,
        extension: true,
        runs: true,
        spills: true,
      },
    );
  });

  it.each([
    ['', 'Pass one name; 0 were given'],
    ['one two', 'Pass one name; 2 were given'],
    ['Mill', 'name: "Mill" is not valid'],
    ['mill-count', 'name: "mill-count" is not valid'],
    ['../mill', 'name: "../mill" is not valid'],
    ['1mill', 'name: "1mill" is not valid'],
    ['mi', 'name: "mi" is not valid'],
    [`m${'i'.repeat(64)}`, 'is not valid'],
    ['mill__count', 'name: "mill__count" is not valid'],
    ['mill_internal', 'reserved for tools that only widgets call'],
    ['capture', 'name: "capture" selects a group of tools'],
    ['default', 'name: "default" selects a group of tools'],
    ['mill --category captur', '--category: "captur" is not one of read, act, capture'],
    ['mill --category captur', 'Did you mean capture?'],
    ['mill --tier 4', '--tier: "4" is not one of 1, 2, 3'],
    ['mill --panel', "Unknown option '--panel'"],
  ])('"%s" is refused: %s', (args, message) => {
    expect(() => parseNewTool(args.split(' ').filter((each) => each !== ''))).toThrow(message);
  });
});

describe('in a checkout', () => {
  it.each([
    ['read_page', 'shared/tools/read_page already exists'],
    ['runs', 'name: "runs" selects a group of tools'],
    ['run_status', 'the tool run_status already exists, in shared/tools/runs'],
    ['tool_name', 'run_status', 'Pass one name'],
    ['mill_count', '--category', 'mills', 'is not one of'],
  ])('%s is refused, and nothing is changed', async (...args) => {
    const message = args.pop() ?? '';
    const before = stateOfCopy();
    const refused: unknown = await writeNewTool(copy, args).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toHaveProperty('message', expect.stringContaining(message));
    expect(stateOfCopy()).toBe(before);
  });

  it('the command prints why it refuses, without a stack, and changes nothing', async () => {
    const before = stateOfCopy();
    const { status, output } = await newTool('read_page');
    expect(status).toBe(1);
    expect(output).toContain('shared/tools/read_page already exists');
    expect(output).not.toContain('    at ');
    expect(stateOfCopy()).toBe(before);
  });

  const TOOLS = [
    ['mill_count'],
    ['wind', '--category', 'capture', '--extension', '--spills'],
    ['sail_turning_in_the_wind', '--runs'],
    ['grind', '--category', 'dev', '--runs', '--extension', '--spills'],
  ] as const;

  /** Everything that existed before and changes with new tools and modes. */
  const GENERATED = [
    'README.md',
    'docs/modes.md',
    'docs/tools.md',
    'extension/worker/handlers.generated.ts',
    'server/library/tool-arguments.generated.ts',
    'server/modes/modes.generated.ts',
    'server/modes/names.generated.ts',
    'server/tools/runtimes.generated.ts',
    'shared/tools/manifests.generated.ts',
    'shared/tools/methods.generated.ts',
    'shared/tools/names.generated.ts',
    'tests/tools/cases.generated.ts',
    'tests/tools/fakes.generated.ts',
  ];

  it('new tools and a new mode are new files, which every check finds', { timeout: 600_000 }, async () => {
    const before = filesOfCopy();
    const mode = writeMode();
    // Each run of the command generates everything: the last one does so for the tools between as well.
    for (const args of TOOLS) {
      if (args !== TOOLS[0] && args !== TOOLS.at(-1)) {
        await writeNewTool(copy, args);
        continue;
      }
      const made = await newTool(...args);
      expect(made, made.output).toMatchObject({ status: 0 });
    }
    const after = filesOfCopy();
    expect(changedFiles(before, after)).toEqual(GENERATED);
    for (const page of ['README.md', 'docs/modes.md'])
      expect(outsideBlocks(after.get(page))).toBe(outsideBlocks(before.get(page)));

    await expect(writeNewTool(copy, ['mill_count'])).rejects.toThrow('already exists');
    const folders = TOOLS.map(([name]) => name);
    const added = [...after.keys()].filter((path) => !before.has(path));
    for (const path of added.filter((each) => !mode.includes(each)))
      expect(folders).toContain(/\/tools\/([^/]+)\//.exec(path)?.[1]);

    const code = [...added, ...GENERATED].filter((path) => /\.tsx?$/.test(path));
    const checks = await Promise.all([
      run('scripts/typecheck.mjs'),
      run('node_modules/oxlint/bin/oxlint', '--config', '.oxlintrc.jsonc', '--deny-warnings', ...code),
      run('node_modules/oxfmt/bin/oxfmt', '--check', ...added, ...GENERATED),
      run(TSX, 'scripts/lint-tool-schemas.ts'),
      run(TSX, 'scripts/generate.ts', '--check'),
      run(TSX, 'scripts/docs.ts', '--check'),
      run('scripts/lint-tier.mjs'),
      run('node_modules/vite/bin/vite.js', 'build', '--mode', 'widget-card', '--outDir', join(copy, 'card')),
    ]);
    for (const { status, output } of checks) expect(status, output).toBe(0);
    expect(readdirSync(join(copy, 'card'))).toContain('card.html');
    const help = await run(TSX, 'server/cli/main.ts', '--help');
    expect(help.output).toContain('default, apps, openai, terse');

    // The one thing that is missing is the golden of the mode. Only -u writes it.
    const golden = join(copy, 'fixtures/golden/mode-terse.txt');
    const first = await run(
      VITEST,
      ...FAST,
      ...folders.map((name) => `tests/tools/${name}/`),
      ...LIST_DRIVEN,
    );
    expect(first.status).toBe(1);
    expect(first.output).toMatch(/ FAIL .*the table of the mode terse, to the letter/);
    expect(first.output, first.output).toMatch(/Tests +1 failed \|/);
    expect(existsSync(golden)).toBe(false);
    const table = ['-t', 'the table of the mode', 'tests/contract/modes.test.ts'];
    const second = await run(VITEST, ...FAST, ...table, '-u');
    expect(second.status, second.output).toBe(0);
    expect(readFileSync(golden, 'utf8')).toContain('crawl model async full widget:run description note\n');
  });
});
