import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strFromU8, unzipSync } from 'fflate';
import { z } from 'zod';
import { zipExtension } from '../../scripts/lib/extension-zip.mjs';
import { definedOnly } from '../../scripts/lib/environment.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';
import { VERSION } from '../../shared/version.ts';
import { executable } from '../support/browser.ts';
import { installPacked, pack, type PackedFile } from '../support/packed.ts';
import { waitForNoProcess } from '../support/processes.ts';

// What `npm pack` makes, installed into an empty project as a user would.

const ROOT = resolve(import.meta.dirname, '../..');
const CONSUMER = join(ROOT, 'tests/support/consumer');
/** The table of the tokenizer is a million of them, and the four widgets, which cannot share a file, half a million. */
const MAX_PACKED_BYTES = 5_100_000;
/** A face that is loaded when it is shown is a file of its own. */
const MAX_FILES = 300;

const folder = mkdtempSync(join(tmpdir(), 'spillway-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/spillway');
const user = join(folder, 'user');
const env = {
  ...definedOnly(process.env),
  HOME: user,
  XDG_CONFIG_HOME: join(user, '.config'),
  SPILLWAY_HOME: join(user, '.spillway'),
  SPILLWAY_BRIDGE_DIR: join(folder, 'run'),
};

let packed: PackedFile;
beforeAll(() => {
  mkdirSync(project);
  mkdirSync(user);
  packed = pack(folder);
  // The declarations of `ai` name types of JSON Schema, which it does not install.
  installPacked(packed.path, project, ['ai', '@anthropic-ai/sdk', '@types/node', '@types/json-schema']);
}, 300_000);
afterAll(async () => {
  await waitForNoProcess(folder);
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the project to its end. */
function node(...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: project, env, timeout: 110_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

/** Runs the command that the package installs. */
const spillway = (...args: string[]): Promise<Ran> => node('node_modules/.bin/spillway', ...args);

/** The packages that files below `at` import by name. */
function imported(at: string, ending: RegExp, statement: RegExp): Set<string> {
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .flatMap((name) => [...readFileSync(join(at, name), 'utf8').matchAll(statement)])
    .map(([, named, loaded]) => named ?? loaded ?? '')
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
    .filter((name) => !isBuiltin(name) && name !== 'spillway');
  return new Set(names);
}

describe('the packed files', () => {
  test('are few and small', () => {
    expect(packed.sizeBytes).toBeLessThan(MAX_PACKED_BYTES);
    expect(packed.files.length).toBeLessThan(MAX_FILES);
  });

  test('are what was built and what explains it: no sources, no pictures, no declarations of modules', () => {
    const { files } = packed;
    expect(new Set(files.map((path) => path.split('/')[0]))).toEqual(
      new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json']),
    );
    expect(files.filter((path) => /\.tsx?$/.test(path)).toSorted()).toEqual(
      ['ai-sdk', 'anthropic', 'shared', 'spillway'].map((name) => `dist/library/${name}.d.ts`),
    );
    // Pictures are the extension's own icons only.
    expect(
      files.filter((path) => /\.(png|jpe?g|svg|gif|webp)$/.test(path) && !path.includes('/icons/')),
    ).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/index.js',
        'dist/host.js',
        'dist/docs.json.br',
        'dist/library/spillway.js',
        'dist/extension/manifest.json',
        'dist/extension/THIRD-PARTY-NOTICES.txt',
        'dist/THIRD-PARTY-NOTICES.txt',
      ]),
    );
  });

  test('import what their users install, and no more', () => {
    const { dependencies, peerDependencies } = z
      .object({
        dependencies: z.record(z.string(), z.string()),
        peerDependencies: z.record(z.string(), z.string()),
      })
      .parse(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')));
    const dist = join(installed, 'dist');
    const statement =
      /^(?:import|export)\b[^'"`\n]*["']([a-z@][^"']*)["'];$|\bimport\(["'`]([a-z@][^"'`]*)["'`]\)/gm;
    const run = imported(dist, /\.js$/, statement);
    const typed = imported(dist, /\.d\.ts$/, statement);
    const own = Object.keys(dependencies);
    const known = new Set([...own, ...Object.keys(peerDependencies)]);
    expect([...run, ...typed].filter((name) => !known.has(name))).toEqual([]);
    expect(own.filter((name) => !run.has(name) && !typed.has(name))).toEqual([]);
  });
});

test('the notices list every package that was bundled', () => {
  const dist = join(installed, 'dist');
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const bundled = scripts
    .flatMap((name) => readFileSync(join(dist, name), 'utf8').split('\n'))
    // The bundler writes the path of each module above its code.
    .flatMap(
      (line) =>
        /^\/\/ (?:\0?)node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)\//.exec(line)?.[1] ?? [],
    );
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const listed = [...notices.matchAll(/^(\S+)@\S+ \([^)]+\)\nhttps:/gm)].map(([, name]) => name);
  expect(new Set(bundled).size).toBeGreaterThan(20);
  expect([...new Set(bundled)].filter((name) => !listed.includes(name))).toEqual([]);
});

test("the extension's zip has the version, the notices and no key", () => {
  const entries = unzipSync(zipExtension(join(installed, 'dist/extension'), join(installed, 'LICENSE')));
  const manifest: unknown = JSON.parse(strFromU8(entries['manifest.json'] ?? new Uint8Array()));
  expect(manifest).toMatchObject({ version: VERSION, manifest_version: 3 });
  expect(manifest).not.toHaveProperty('key');
  const names = Object.keys(entries);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'worker.js']));
  expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
});

test('the installed command serves the whole chain to a page', async () => {
  expect((await spillway('--version')).stdout).toBe(`${VERSION}\n`);
  const chromium = await executable();
  const { code, stdout } = await spillway(
    'doctor',
    '--json',
    '--launch',
    '--headless',
    '--browser',
    chromium,
  );
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, failed: null, version: VERSION });
  expect(code).toBe(0);
}, 120_000);

test('the installed command registers its native host', async () => {
  const { code, stderr } = await spillway('install', '--browser', 'chromium');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const home = env.SPILLWAY_HOME;
  // The host is a copy: it starts when the package is gone.
  expect(readFileSync(join(home, 'host/spillway-host'), 'utf8')).toContain(join(home, 'host/host.mjs'));
  expect(existsSync(join(home, 'extension/manifest.json'))).toBe(true);
  const { stdout } = await spillway('doctor', '--json', '--browser', 'chromium');
  const { hops } = z
    .looseObject({
      hops: z.array(z.looseObject({ id: z.string(), status: z.string(), evidence: z.array(z.string()) })),
    })
    .parse(JSON.parse(stdout));
  // No browser of this home has started the host yet; everything before that holds.
  expect(hops.find(({ status }) => status !== 'ok')?.id).toBe('host_process');
}, 60_000);

test('the installed server lists its tools to an MCP client', async () => {
  const client = new Client({ name: 'spillway-tests', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: join(project, 'node_modules/.bin/spillway'), env, stderr: 'ignore' }),
  );
  expect(client.getServerVersion()).toMatchObject({ name: 'spillway', version: VERSION });
  const { tools } = await client.listTools();
  const known = MANIFESTS.map(({ name }) => name as string);
  expect(tools.length).toBeGreaterThan(5);
  expect(tools.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  await client.close();
}, 60_000);

test('the installed library is imported by its names', async () => {
  const program = `
    const names = ['spillway', 'spillway/anthropic', 'spillway/ai-sdk'];
    const [{ createSpillway }, { toAnthropicTools }, { toAiSdkTools }] = await Promise.all(names.map((name) => import(name)));
    const session = createSpillway();
    console.log(toAnthropicTools(session).length === Object.keys(toAiSdkTools(session)).length);
    await session.close();`;
  expect(await node('--input-type=module', '--eval', program)).toEqual({
    code: 0,
    stdout: 'true\n',
    stderr: '',
  });
}, 60_000);

describe('a program compiles against the installed declarations', () => {
  beforeAll(() => {
    cpSync(CONSUMER, project, { recursive: true });
  });

  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];
  // Several checkers would each work out the types of the packages again.
  const one = ['--checkers', '1'];
  test.each([
    // TypeScript 7 checks the declarations themselves, in a fifth of the time.
    ['nodenext, TypeScript 6', 'typescript', ['-p', 'tsconfig.json', '--skipLibCheck']],
    ['nodenext, TypeScript 7', 'typescript-7', ['-p', 'tsconfig.json', ...one]],
    ['bundler', 'typescript-7', ['-p', 'tsconfig.json', ...bundler, ...one]],
    // The declarations of `ai` are not correct with exact optional properties; ours are.
    ['exact optional properties', 'typescript-7', ['-p', 'tsconfig.exact.json', ...one]],
  ])(
    '%s',
    async (_name, compiler, args) => {
      const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
      expect(await node(tsc, ...args)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
    120_000,
  );
});

test('the stack of a defect leads to a line of its source file', async () => {
  const broken = `
    import { Server } from 'node:net';
    Server.prototype.listen = () => { throw new TypeError('A defect of the test.'); };`;
  const preload = `data:text/javascript,${encodeURIComponent(broken)}`;
  const { code, stderr } = await node(
    '--import',
    preload,
    'node_modules/spillway/dist/index.js',
    '--http',
    '0',
  );
  expect(code).toBe(1);
  const [frame, url = '', line = ''] = /\(?(file:\/\/\S+\.js):(\d+):\d+\)?/.exec(stderr) ?? [];
  expect(frame, stderr).toBeDefined();

  const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n').slice(0, Number(line));
  const statement = lines.at(-1)?.trim() ?? '';
  expect(statement).toContain('listen(');
  // The module's path is above the code of each module.
  const source = lines.findLast((each) => /^\/\/ server\/\S+\.ts$/.test(each))?.slice('// '.length);
  const sourceLines = readFileSync(join(ROOT, source ?? ''), 'utf8').split('\n');
  expect(sourceLines.map((each) => each.trim())).toContain(statement.replaceAll('"', "'"));
}, 60_000);
