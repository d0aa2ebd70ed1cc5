import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { definedOnly } from '../../scripts/lib/environment.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';
import { VERSION } from '../../shared/version.ts';
import { executable } from '../support/browser.ts';
import { installPacked, pack } from '../support/packed.ts';
import { waitForNoProcess } from '../support/processes.ts';

// What `npm pack` makes, installed into an empty project as a user would. What is in it: package.test.ts.

const ROOT = resolve(import.meta.dirname, '../..');
const CONSUMER = join(ROOT, 'tests/support/consumer');
const folder = mkdtempSync(join(tmpdir(), 'spillway-package-'));
const project = join(folder, 'project');
const user = join(folder, 'user');
const env = {
  ...definedOnly(process.env),
  HOME: user,
  XDG_CONFIG_HOME: join(user, '.config'),
  SPILLWAY_HOME: join(user, '.spillway'),
  SPILLWAY_BRIDGE_DIR: join(folder, 'run'),
};

beforeAll(() => {
  mkdirSync(project);
  mkdirSync(user);
  const packed = pack(folder);
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
