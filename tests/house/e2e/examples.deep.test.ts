import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';
import { testFolder } from '../../support/test-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const home = testFolder();

let fixtures: FixtureServer;
let page: string;
beforeAll(async () => {
  fixtures = await serveFixtures();
  page = `${fixtures.url}/cards/index.html`;
});
afterAll(() => fixtures.close());

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a Node program until it exits on its own: one that something keeps alive is killed, and fails. */
function node(args: readonly string[], folder = home): Promise<Ran> {
  const { ANTHROPIC_API_KEY: _key, ...env } = process.env;
  const options = { cwd: ROOT, timeout: 110_000, env: { ...env, SPILLWAY_HOME: folder } };
  return new Promise((done) => {
    execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

const loop = (end: string) => (stdout: string) => {
  const steps = [`→ navigate {"url":"${page}"}`, '← ok', '→ read_page {}', '← ok'];
  expect(stdout.split('\n').slice(0, 4)).toEqual(steps);
  expect(stdout).toContain('The page begins: ');
  expect(stdout).toContain(end);
};

interface Example {
  readonly name: string;
  readonly does: string;
  readonly of?: string;
  readonly check: (stdout: string) => void;
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'library',
    does: 'opens a page, puts it aside, and pages it',
    check: (stdout: string) => {
      expect(stdout).toMatch(/^oh_[A-Z2-7]{12}: \d+ bytes of text\/markdown\n/);
      const [head = '', ...text] = stdout.split('\n');
      const size = Number(/: (\d+) bytes/.exec(head)?.[1]);
      // Every byte of it, page by page; the last line break is the example's own.
      expect(Buffer.byteLength(text.join('\n')) - 1).toBe(size);
    },
  },
  { name: 'anthropic', does: 'gives a model the tools, and the page', check: loop('(end_turn, 6 messages)') },
  { name: 'ai-sdk', does: 'gives a model the tools, and the page', check: loop('(stop)') },
];

/** The gate runs one of these; the one without a browser is cheap. */
const MIXED: Example = {
  name: 'mixed-tools',
  does: 'gives a model the tools of another server',
  of: join(ROOT, 'examples'),
  check: (stdout: string) => {
    expect(stdout).toMatch(/^→ files_list_directory\n← ok\nThe folder begins: .*\[FILE\]/);
  },
};

test.each([...EXAMPLES, MIXED])('$name $does', async ({ name, of = page, check }) => {
  const { code, stdout, stderr } = await node([`examples/${name}.mjs`, of]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  check(stdout);
});

test('a workflow asks, and continues with the answer in another process', async () => {
  const asked = await node(['examples/invoice.mjs', page]);
  expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 0, stderr: '' });
  const [question = '', next = ''] = asked.stdout.split('\n');
  expect(question).toMatch(/^Pay \d+ for http/);
  const { code, stdout, stderr } = await node(next.split(' ').slice(1));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', output: { paid: true } });
});

test('a workflow watches a page, and asks before it orders', async () => {
  const { code, stdout, stderr } = await node(['examples/watch.mjs', page, 'Card']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/Order it\?|"looks?":/);
});

const LIVE = [
  ...['Timeout', 'Immediate', 'TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap', 'Worker', 'FSEventWrap'],
];

test('importing the package starts nothing, prints nothing and takes no signal', async () => {
  const untouched = join(home, 'untouched');
  const program = `
    const before = process.eventNames().length;
    const names = ['spillway', 'spillway/anthropic', 'spillway/ai-sdk', 'spillway/workflow'];
    const [{ createSpillway }] = await Promise.all(names.map((name) => import(name)));
    const spillway = createSpillway();
    const listeners = process.eventNames().length - before;
    const live = process.getActiveResourcesInfo().filter((name) => ${JSON.stringify(LIVE)}.includes(name));
    await spillway.close();
    console.log(JSON.stringify({ listeners, live }));`;
  const { code, stdout, stderr } = await node(['--input-type=module', '--eval', program], untouched);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ listeners: 0, live: [] });
  expect(existsSync(untouched)).toBe(false);
}, 120_000);
