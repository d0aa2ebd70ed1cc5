import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import {
  createProfile,
  liveHosts,
  spawnChromium,
  type TestChromium,
  type TestProfile,
} from '../../support/browser.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { rounds, sample } from '../../support/depth.ts';
import { hasEnded, hostPid } from '../../support/processes.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { answerAt } from '../../support/file-site.ts';

/*
 * One process of the path dies or freezes while a large page crosses it. Whatever happens: the call
 * ends with a code, no partial handle is visible, and the next call works.
 */

const SECTIONS = rounds(5_000, 1_500);
const PARAGRAPH = 'a paragraph of ordinary length and no meaning, '.repeat(16);

let url: string;
beforeAll(async () => {
  const body = Array.from(
    { length: SECTIONS },
    (_, index) => `<h2>Section ${index}</h2><p>Section ${index} has ${PARAGRAPH}and ends here.</p>`,
  ).join('\n');
  const port = await answerAt((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Large</title>${body}`);
  });
  url = `http://127.0.0.1:${port}/`;
});

let profile: TestProfile;
let browser: TestChromium;
let server: StdioServer;
/** That of the home, which all servers share. */
let database: HomeDatabase;
const startBrowser = (): Promise<TestChromium> =>
  spawnChromium({ profile, args: ['--remote-debugging-port=0'] });
// A test restarts what it kills: the next one needs it.
beforeAll(async () => {
  profile = createProfile();
  browser = await startBrowser();
  server = await startServer({ env: profile.serverEnv });
  database = new HomeDatabase(server.home);
});
beforeEach(async () => {
  const opened = await server.call('navigate', { url });
  expect(opened.isError, opened.text).toBe(false);
  return removeHandles;
});
afterAll(async () => {
  await server.close();
  database.close();
  // A second server was given the first one's home, and leaves it to us.
  rmSync(server.home, { recursive: true, force: true });
  await browser.close();
});

/** A fault that comes after its transfer must not hit the next call. */
const hostEnded = (pid: number): Promise<void> => expect.poll(() => hasEnded(pid)).toBe(true);

async function killHost(): Promise<void> {
  const pid = hostPid(profile.bridgeDirectory);
  process.kill(pid, 'SIGKILL');
  await hostEnded(pid);
}

/** Stopped first: a running server might answer before the signal. False if it has the whole handle. */
async function killServer(): Promise<boolean> {
  const { pid } = server;
  process.kill(pid, 'SIGSTOP');
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') T ');
  const isInTime = isInProgress();
  process.kill(pid, isInTime ? 'SIGKILL' : 'SIGCONT');
  return isInTime;
}

function storeFiles(): string[] {
  const folder = join(server.home, 'output');
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}

const handlesOnDisk = (): unknown[] => database.rows('SELECT file FROM output').flat();

/** Whether there is a file without a handle: a transfer is in progress. */
function isInProgress(): boolean {
  const files = storeFiles().filter((name) => name.includes('oh_'));
  if (files.length === 0) return false;
  const handles = handlesOnDisk();
  return files.some((name) => !handles.includes(name.replace('.index', '')));
}

function removeHandles(): void {
  for (const file of handlesOnDisk()) {
    database.write(() => database.run('DELETE FROM output WHERE file = ?', String(file)));
    for (const end of ['', '.index'])
      rmSync(join(server.home, 'output', `${String(file)}${end}`), { force: true });
  }
}

/**
 * Reads into a handle and triggers `fault` once the first bytes are on disk. A read that ended before this process saw
 * its bytes is repeated, and so is one for which a fault that returns false comes too late.
 */
async function readWhile(fault: () => Promise<unknown>): Promise<CallAnswer | 'gone'> {
  for (;;) {
    let hasEnded = false;
    const reading = server
      .call('read_page', { output_mode: 'handle' })
      .catch((): 'gone' => 'gone')
      .finally(() => (hasEnded = true));
    await expect.poll(() => hasEnded || isInProgress(), { interval: 1 }).toBe(true);
    if (!hasEnded && (await fault()) !== false) return reading;
    expect(codeOf(await reading)).toBeUndefined();
    removeHandles();
  }
}

const codeOf = (answer: CallAnswer | 'gone'): string | undefined =>
  answer === 'gone' ? 'gone' : answer.code();

async function prepareCloseWorker(): Promise<() => Promise<void>> {
  const [port] = readFileSync(join(profile.profile, 'DevToolsActivePort'), 'utf8').split('\n');
  const devtools = `http://127.0.0.1:${port ?? ''}/json`;
  const targets = (await (await fetch(devtools)).json()) as { id: string; type: string; url: string }[];
  const worker = targets.find(
    ({ type, url: source }) => type === 'service_worker' && source.includes(EXTENSION_ID),
  );
  if (worker === undefined) throw new Error(`no worker among ${JSON.stringify(targets)}`);
  const host = hostPid(profile.bridgeDirectory);
  return async () => {
    expect((await fetch(`${devtools}/close/${worker.id}`)).ok).toBe(true);
    await hostEnded(host);
  };
}

/** The fault came in time and nothing is there, or too late and everything is. */
function expectWholeOrNothing(answer: CallAnswer | 'gone'): void {
  const code = codeOf(answer);
  if (code !== undefined) expect(code).toBe('browser_disconnected');
  expect(handlesOnDisk()).toHaveLength(code === undefined ? 1 : 0);
  removeHandles();
}

async function expectWorksAgain(): Promise<void> {
  // A busy machine may take longer to start a host than a call waits for its browser.
  await expect.poll(() => liveHosts(profile.bridgeDirectory)).not.toEqual([]);
  const next = await server.call('navigate', { url });
  expect(next.isError, next.text).toBe(false);
  const read = await server.call('read_page', { output_mode: 'handle' });
  expect(read.isError, read.text).toBe(false);
  expect(handlesOnDisk()).toHaveLength(1);
}

/** Faults of one process of the path while a page is read, in the order in which the gate samples them. */
const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  'the native host is killed': async () => {
    expectWholeOrNothing(await readWhile(killHost));
  },
  'the service worker is closed': async () => {
    expectWholeOrNothing(await readWhile(await prepareCloseWorker()));
  },
  'the browser is killed': async () => {
    expectWholeOrNothing(await readWhile(() => browser.kill()));
    browser = await startBrowser();
    // Its tabs went with it, and no other tab is taken.
    expect((await server.call('read_page')).code()).toBe('tab_not_found');
  },
  'the server is killed: the next one finds no partial handle and removes what is left': async () => {
    expect(codeOf(await readWhile(killServer))).toBe('gone');
    expect(handlesOnDisk()).toEqual([]);
    const { home } = server;
    await server.client.close();
    server = await startServer({ env: profile.serverEnv, home });
    await expect.poll(isInProgress).toBe(false);
  },
  'the native host is stopped: the call can be cancelled, and continues when it runs again': async () => {
    const pid = hostPid(profile.bridgeDirectory);
    process.kill(pid, 'SIGSTOP');
    const cancel = new AbortController();
    const hanging = server.call('read_page', {}, cancel.signal);
    cancel.abort();
    await expect(hanging).rejects.toThrow();
    process.kill(pid, 'SIGCONT');
  },
};

it.each(sample(Object.keys(FAULTS), 3))('%s', async (name) => {
  await FAULTS[name]?.();
  await expectWorksAgain();
});
