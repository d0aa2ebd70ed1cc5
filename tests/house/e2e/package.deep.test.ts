import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveFixtures } from '../../../fixtures/serve.ts';
import { definedOnly } from '../../../scripts/lib/environment.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { executable } from '../../support/browser.ts';
import { installPacked, pack } from '../../support/packed.ts';
import { startServer } from '../../support/stdio-server.ts';
import { waitForNoProcess } from '../../support/processes.ts';

// The result of `npm pack`, installed into an empty project as a user would. package.test.ts checks its contents.

const ROOT = resolve(import.meta.dirname, '../../..');
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

let tarball = '';
beforeAll(() => {
  mkdirSync(project);
  mkdirSync(user);
  const packed = pack(folder);
  tarball = packed.path;
  // The declarations of `ai` name types of JSON Schema, which it does not install.
  installPacked(packed.path, project, ['ai', '@anthropic-ai/sdk', '@types/node', '@types/json-schema']);
}, 300_000);
afterAll(async () => {
  await waitForNoProcess(folder);
  rmSync(folder, { recursive: true, force: true });
});

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

function node(...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: project, env, timeout: 110_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

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

test('from the tarball on an empty home to the first page takes a minute at most', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(join(empty, 'project'), { recursive: true });
  const browser = await executable();
  const site = await serveFixtures();
  onTestFinished(() => site.close());
  const start = performance.now();
  installPacked(tarball, join(empty, 'project'), []);
  const server = await startServer({
    program: join(empty, 'project/node_modules/.bin/spillway'),
    args: ['--launch', '--headless', '--browser', browser],
    home: join(empty, '.spillway'),
    env: { HOME: empty, XDG_CONFIG_HOME: join(empty, '.config') },
  });
  onTestFinished(() => server.close());
  const { tools } = await server.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('navigate');
  await server.call('navigate', { url: `${site.url}/tables/vertical.html` });
  expect((await server.call('read_page')).text).toContain('Compare');
  expect(performance.now() - start).toBeLessThan(60_000);
}, 120_000);

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
  // Several checkers would each compute the packages' types again.
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
