import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lendChromium, type LentChromium } from '../../support/lent-browser.ts';
import { parseSessionPlace } from '../../../server/cli/session/note.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { defer } from '../../../shared/base/async.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { hasEnded, waitForNoProcess } from '../../support/processes.ts';
import { testFolder } from '../../support/test-folder.ts';
import { itDeep } from '../../support/depth.ts';

/* The commands of the terminal as processes of their own, with a browser that has the extension. */

const PROGRAM = resolve(import.meta.dirname, '../../../dist/index.js');
const RULES_URL = `chrome-extension://${EXTENSION_ID}/people/rules/rules.html`;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const page = (title: string, ...links: readonly string[]): string =>
  `<!doctype html><title>${title}</title><h1>${title}</h1>${links.map((link) => `<a href="${link}">${link}</a> `).join('')}`;

const NO_TAB = { code: 1, stderr: expect.stringContaining('no_current_tab') };
const home = testFolder();
/** Resolves when the page that never ends has been requested. */
const asked = defer<void>();
let site: FileSite;
let browser: LentChromium;

beforeAll(async () => {
  site = await serveFiles({
    '/': file(page('Start', '/one', '/two'), HTML),
    '/one': file(page('One'), HTML),
    '/two': file(page('Two'), HTML),
    '/held': (response) => {
      response.writeHead(200, HTML).write(page('Held', '/one'));
      asked.resolve();
    },
  });
  browser = await lendChromium();
});

afterAll(async () => {
  await spillway('stop', '--all');
  await waitForNoProcess(`SPILLWAY_HOME=${home}`);
});

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

function start(
  words: readonly string[],
  cwd = home,
  stdin: 'ignore' | 'pipe' = 'ignore',
  more: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd,
    env: { ...process.env, ...browser.serverEnv, SPILLWAY_HOME: home, ...more },
    stdio: [stdin, 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString('utf8')));
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
  const ended = new Promise<Ended>((done) => child.once('close', (code) => done({ code, stdout, stderr })));
  return { child, ended };
}

const spillway = (...words: readonly string[]): Promise<Ended> => start(words).ended;

function noteOf(cwd: string): { readonly pid: number; readonly path: string } {
  const path = parseSessionPlace(['--home', home], cwd).notePath;
  return { path, ...(JSON.parse(readFileSync(path, 'utf8')) as { readonly pid: number }) };
}

it('crawl is cancelled by Ctrl-C, and names the run that it leaves', async () => {
  const { child, ended } = start(['crawl', site.url('/held'), '--no-respect-robots']);
  await asked.promise;
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toContain('The call was cancelled by Ctrl-C.');
  expect(stderr).toMatch(/`\S+ \S+index\.js crawl --resume run_[A-Z2-7]{12}` continues/);
});

it('rules opens the rules with a proposed one, which only the person saves', async () => {
  const words = ['rules', '--from', 'mail.example', '--to', 'forum.example, 127.0.0.1', '--effect', 'allow'];
  const { code, stdout } = await spillway(...words);
  expect(stdout).toMatch(/^The rules are open in .*applies once you save it\.\n$/);
  expect(code).toBe(0);
  const devtools = await browser.devtools();
  // An inspected worker of the extension does not end, and other files share the browser.
  onTestFinished(() => devtools.close());
  const opened = () =>
    devtools
      .contexts()
      .flatMap((context) => context.pages())
      .find((each) => each.url().startsWith(RULES_URL));
  await expect.poll(opened).toBeDefined();
  const rules = opened();
  await rules?.locator('.damage', { hasText: 'A command filled in this form' }).waitFor();
  expect(await rules?.inputValue('#sites')).toBe('forum.example\n127.0.0.1');
  await rules?.locator('.none').waitFor();
  await rules?.click('#save');
  await rules?.locator('.own li b', { hasText: 'mail.example → forum.example, 127.0.0.1' }).waitFor();
  expect(await rules?.inputValue('#from')).toBe('');
  expect(rules?.url()).toBe(RULES_URL);
  await rules?.close();
});

it.each([
  [['--from', 'mail.example', '--effect', 'allow'], '--to: a rule about text needs'],
  [['--from', 'no site', '--to', 'a.example', '--effect', 'deny'], '--from: "no site" is not a site'],
  [['--from', 'a.example,', '--to', 'b.example', '--effect', 'ask'], '--from: "" is not a site'],
  [['--effect', 'let'], 'Allowed choices are allow, ask, deny'],
  [['--browser', 'another'], 'under the name another'],
])('rules %j are refused', async (flags, reason) => {
  const { code, stderr } = await spillway('rules', ...flags);
  expect(stderr).toContain(reason);
  expect(code).not.toBe(0);
});

describe('the session of a folder', () => {
  const folder = testFolder();
  const inFolder = (...words: readonly string[]): Promise<Ended> => start(words, folder).ended;

  it('keeps its tab and its refs from one command to the next, and no other folder sees them', async () => {
    expect(await inFolder('navigate', site.url('/'))).toMatchObject({ code: 0 });
    const [, ref = ''] =
      /\[(e\d+) \/one\]/.exec((await inFolder('read-page', '--format', 'snapshot')).stdout) ?? [];
    expect(await inFolder('interact', `click ${ref}`)).toMatchObject({ code: 0 });
    // A page read in its own tab leaves the current tab unchanged.
    expect((await inFolder('read', site.url('/two'))).stdout).toContain('# Two');
    expect((await inFolder('read', '--no-include-links')).stdout).toBe('# One\n');
    expect(await spillway('read-page')).toMatchObject(NO_TAB);
  });

  itDeep('serves one user alone, and says so of a build that it does not have', async () => {
    const { path, pid } = noteOf(folder);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const note = readFileSync(path, 'utf8');
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(note) as object), build: 'another' }));
    expect((await inFolder('read')).stderr).toContain('runs another version of Spillway');
    writeFileSync(path, note);
    expect(noteOf(folder).pid).toBe(pid);
  });

  itDeep(
    'with a name takes paths of the folder and a log level, and names the stop after another flag',
    async () => {
      const words = ['--log-level', 'debug', '--download-root', '.', 'run-list', '--session', 'files'];
      expect(await inFolder(...words)).toMatchObject({ code: 0, stderr: '' });
      expect(await inFolder(...words)).toMatchObject({ code: 0, stderr: '' });
      const log = parseSessionPlace(['--home', home, '--session', 'files'], folder).notePath.replace(
        /json$/,
        'log',
      );
      await expect.poll(() => readFileSync(log, 'utf8')).toContain('"level":20');
      const refused = await inFolder('--launch', ...words);
      expect(refused.stderr).toMatch(/another value of launch.* stop --session files`/s);
      expect(refused.code).toBe(2);
    },
  );

  itDeep('is started again after a kill, and by its commands after a stop', async () => {
    const { pid } = noteOf(folder);
    process.kill(pid, 'SIGKILL');
    // Until then its socket still takes connections.
    await expect.poll(() => hasEnded(pid)).toBe(true);
    expect(await inFolder('tabs', 'list')).toMatchObject({ code: 0 });
    expect(await inFolder('stop')).toMatchObject({ code: 0, stdout: `Ended the session ${folder}.\n` });
    expect(existsSync(parseSessionPlace(['--home', home], folder).notePath)).toBe(false);
    expect(await inFolder('stop')).toMatchObject({ code: 0, stdout: `No session ${folder} is running.\n` });
    expect(await inFolder('read-page')).toMatchObject(NO_TAB);
  });

  it('is not found by a note that others could have written', async () => {
    const { path, pid } = noteOf(folder);
    chmodSync(path, 0o620);
    expect(await inFolder('read')).toMatchObject({ code: 1 });
    expect(noteOf(folder).pid).not.toBe(pid);
    process.kill(pid, 'SIGTERM');
  });

  itDeep('reads a program from its input', async () => {
    const { child, ended } = start(['script', '-', '--input', '{"n":2}'], folder, 'pipe');
    child.stdin?.end('return input.n + 1;');
    expect(await ended).toMatchObject({ code: 0, stdout: '3' });
  });

  itDeep('ends with an uninstall', async () => {
    const { pid, path } = noteOf(folder);
    expect(await start(['uninstall'], folder, 'ignore', { HOME: home }).ended).toMatchObject({ code: 0 });
    expect(existsSync(path)).toBe(false);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), PATIENCE);
  });
});
