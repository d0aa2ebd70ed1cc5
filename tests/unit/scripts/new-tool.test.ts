import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprint } from '../../../scripts/lib/fingerprint.mjs';
import { parseNewTool } from '../../../scripts/lib/new-tool/options.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const LEFT_OUT = ['node_modules', 'dist', '.git', '.cache', 'coverage', 'bench', 'images'];

/** A checkout of its own, with the installed packages of this one. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'spillway-new-tool-'));
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => relative(ROOT, path) === '' || !LEFT_OUT.includes(basename(path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}, 60_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Each file that a new tool could touch, and its text. */
function filesOfCopy(): ReadonlyMap<string, string> {
  const files = ['shared', 'server', 'extension', 'tests', 'docs', 'scripts'].flatMap((room) =>
    readdirSync(join(copy, room), { recursive: true, withFileTypes: true })
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

function run(program: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(copy, 'node_modules', program), ...args], {
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

const newTool = (...args: readonly string[]): Promise<Ended> =>
  run('tsx/dist/cli.mjs', 'scripts/new-tool.ts', ...args);
const stateOfCopy = (): string =>
  fingerprint(copy, ['shared', 'server', 'extension', 'tests', 'docs', 'scripts']);

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
    const { status, output } = await newTool(...args);
    expect(status).toBe(1);
    expect(output).toContain(message);
    expect(output).not.toContain('    at ');
    expect(stateOfCopy()).toBe(before);
  });

  /** Existing files that change with a new tool: all of them generated. */
  const EDITED = [
    'docs/tools.md',
    'extension/worker/handlers.generated.ts',
    'server/tools/runtimes.generated.ts',
    'shared/tools/manifests.generated.ts',
    'shared/tools/methods.generated.ts',
    'tests/tools/cases.generated.ts',
    'tests/tools/fakes.generated.ts',
  ];

  const TOOLS = [
    ['mill_count'],
    ['wind', '--category', 'capture', '--extension', '--spills'],
    ['sail_turning_in_the_wind', '--runs'],
    ['grind', '--category', 'dev', '--runs', '--extension', '--spills'],
  ] as const;

  it('tools of every kind pass every check as they were made', { timeout: 300_000 }, async () => {
    const before = filesOfCopy();
    for (const args of TOOLS) {
      const made = await newTool(...args);
      expect(made, made.output).toMatchObject({ status: 0 });
    }
    expect(changedFiles(before, filesOfCopy())).toEqual(EDITED);
    const again = await newTool('mill_count');
    expect(again.output).toContain('already exists');
    const tests = TOOLS.map(([name]) => `tests/tools/${name}`);
    const tools = TOOLS.flatMap(([name]) => [`shared/tools/${name}`, `server/tools/${name}`]);
    const lists = [
      ...['manifests', 'methods'].map((name) => `shared/tools/${name}.generated.ts`),
      'server/tools/runtimes.generated.ts',
      'tests/tools/cases.generated.ts',
    ];
    const halves = [
      'extension/tools/wind',
      'extension/tools/grind',
      'extension/worker/handlers.generated.ts',
    ];
    const files = [...tests, ...tools, ...lists, ...halves];
    // What the new files and lists reach, with the widest library: the whole is checked by npm run check.
    writeFileSync(
      join(copy, 'tests/tsconfig.new-tool.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: [...tests, 'tests/contract/adapters.test.ts', 'extension/worker/handlers.generated.ts'].map(
          (path) => (path.endsWith('.ts') ? `../${path}` : `../${path}/*.ts`),
        ),
      }),
    );
    const checks = await Promise.all([
      run('typescript-7/bin/tsc', '-p', 'tests/tsconfig.new-tool.json'),
      run('eslint/bin/eslint.js', '--max-warnings', '0', ...files),
      run('oxlint/bin/oxlint', '--config', '.oxlintrc.jsonc', ...files),
      run('prettier/bin/prettier.cjs', '--check', ...files),
      run('tsx/dist/cli.mjs', 'scripts/lint-tool-schemas.ts'),
      run(
        'dependency-cruiser/bin/dependency-cruise.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        ...tools,
        ...halves,
      ),
      run(
        'vitest/vitest.mjs',
        ...['run', '--project', 'fast', ...tests],
        'tests/unit/adapters/library.test.ts',
        ...['structure', 'pins', 'output-schemas', 'adapters'].map(
          (name) => `tests/contract/${name}.test.ts`,
        ),
      ),
    ]);
    for (const { status, output } of checks) expect(status, output).toBe(0);
  });
});
