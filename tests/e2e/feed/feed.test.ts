import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ANSWER_METHODS } from '../../../shared/bridge/answers.ts';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { killWorker } from '../panel/panel-rig.ts';
import { FeedPageRig } from './feed-page.ts';

/*
 * What the panel shows of servers, and what a person opens of them, in the built extension, with built servers at the other
 * end. Two of three have one home.
 */

const PROGRAM = join(import.meta.dirname, '../../../dist/index.js');
const run = promisify(execFile);
const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;
const HOME = `<!doctype html><title>Shop</title><h1>Shop</h1><p>Tea, <b>coffee</b> and ${SECRET}.</p>
<label>Name <input></label>`;

let site: FileSite;
let browser: TestContext;
let first: StdioServer;
let second: StdioServer;
/** Of the home of the first one. */
let third: StdioServer;
let panel: FeedPageRig;

beforeAll(async () => {
  site = await serveFiles({ '/': file(HOME, { 'content-type': 'text/html; charset=utf-8' }) });
  browser = await launchContext();
  const env = browser.serverEnv;
  [first, second] = await Promise.all([
    startServer({ env, clientName: 'first-agent' }),
    startServer({ env, clientName: 'second-agent' }),
  ]);
  third = await startServer({ env, clientName: 'third-agent', home: first.home });
  // A server connects with its first call.
  await Promise.all([first, second, third].map((server) => server.call('tabs')));
  panel = await FeedPageRig.open(browser.context);
  await live(panel, 3);
});
afterAll(async () => {
  // Of one home: each waits until the processes of both have gone.
  await Promise.all([first.close(), second.close(), third.close()]);
  await browser.close();
  await site.close();
});

/** Waits until so many servers say what they do. */
const live = (page: FeedPageRig, count: number): Promise<void> =>
  vi.waitFor(async () => {
    const servers = await page.servers();
    expect(servers.map(({ feed }) => feed)).toEqual(Array.from({ length: count }, () => 'live'));
  }, PATIENCE);

const endedAre = (page: FeedPageRig, tool: string, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await page.ended(tool)).toHaveLength(count), PATIENCE);

describe('with three servers at one browser', () => {
  it('shows the agents of all, and each call as it ends', async () => {
    const agents = (await panel.events()).flatMap(({ event }) =>
      event.type === 'agents' ? event.agents : [],
    );
    expect(agents.map(({ name }) => name).toSorted()).toEqual(['first-agent', 'second-agent', 'third-agent']);
    await first.call('oc_journal');
    await second.call('oc_journal');
    await endedAre(panel, 'oc_journal', 2);
    const ended = await panel.ended('oc_journal');
    expect(new Set(ended.map(({ server }) => server)).size).toBe(2);
  });

  it('merges their journals into one timeline, page by page, each line once', async () => {
    for (let n = 0; n < 6; n += 1) await (n % 2 === 0 ? first : second).call('docs');
    // A server gathers its lines for a moment before it writes them, and another one of its home may be asked for them.
    for (const server of [first, second]) await server.call('oc_journal');
    const lines = [];
    let before;
    for (;;) {
      const page = await panel.timeline({ limit: 4, filter: { tool: 'docs' }, before });
      lines.push(...page.lines);
      if (page.next === null) break;
      before = page.next;
    }
    expect(lines).toHaveLength(6);
    expect(new Set(lines.map(({ line }) => line.id)).size).toBe(6);
    const times = lines.map(({ line }) => line.ts);
    expect(times).toEqual(times.toSorted().toReversed());
    const homes = lines.map(({ home }) => home);
    expect(homes.slice(0, 2)).not.toEqual([homes[0], homes[0]]);
  });

  it('no message has a secret of a call', async () => {
    await first.call('find_tools', { query: `tools for ${SECRET}` });
    await endedAre(panel, 'find_tools', 1);
    expect(JSON.stringify(await panel.events())).not.toContain(SECRET);
    expect(JSON.stringify(await panel.timeline({ limit: 100 }))).not.toContain(SECRET);
  });
});

describe('loses and doubles nothing', () => {
  it('when the worker is ended again and again', async () => {
    const before = await panel.ended('docs');
    for (let n = 0; n < 3; n += 1) {
      await first.call('docs');
      await killWorker(panel.page);
      await first.call('docs');
      await second.call('docs');
      await live(panel, 3);
    }
    await endedAre(panel, 'docs', before.length + 9);
    const ids = (await panel.ended('docs')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('when the page is slow: a server sends it no more than one batch, and what came meanwhile follows', async () => {
    const slow = await FeedPageRig.open(browser.context, { hasAcks: false });
    await live(slow, 3);
    await vi.waitFor(
      async () => expect(await slow.page.evaluate(() => window.feed.messages)).toBe(3),
      PATIENCE,
    );
    const fast = await panel.ended('docs');
    for (let n = 0; n < 20; n += 1) await first.call('docs');
    await endedAre(panel, 'docs', fast.length + 20);
    expect(await slow.page.evaluate(() => window.feed.messages)).toBe(3);
    await slow.page.evaluate(() => {
      window.feed.hasAcks = true;
      window.feed.ack();
    });
    await endedAre(slow, 'docs', 20);
    await slow.page.close();
  });
});

it('a page of ours that is not the panel gets nothing', async () => {
  const page = await browser.context.newPage();
  await page.goto(`chrome-extension://${EXTENSION_ID}/popup/popup.html`);
  const isClosed = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const port = chrome.runtime.connect({ name: 'feed' });
        port.onMessage.addListener(() => resolve(false));
        port.onDisconnect.addListener(() => resolve(true));
        port.postMessage({ type: 'begin', cursors: {} });
      }),
  );
  expect(isClosed).toBe(true);
  await page.close();
});

/** The home of two servers. */
async function homeOf(): Promise<string> {
  const homes = (await panel.servers()).map(({ home }) => home);
  return homes.find((home, at) => homes.lastIndexOf(home) !== at) ?? '';
}

/** The calls of a tool that have ended, by their ids. */
const callsOf = async (tool: string): Promise<string[]> =>
  (await panel.events()).flatMap(({ event }) =>
    event.type === 'call' && event.phase === 'ended' && event.line['tool'] === tool
      ? [String(event.line['call_id'])]
      : [],
  );

/** What the newest call of a tool answered, once so many have ended. */
async function resultOf(tool: string, count: number) {
  await vi.waitFor(async () => expect(await callsOf(tool)).toHaveLength(count), PATIENCE);
  const call = (await callsOf(tool)).at(-1) ?? '';
  const answer = await panel.ask({ type: 'result', home: await homeOf(), call });
  return ANSWER_METHODS['call.result'].result.parse(answer).answer;
}

async function openTab(server: StdioServer): Promise<string> {
  const answer = await server.call('navigate', { url: site.url('/') });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<{ readonly tab: { readonly tab: string } | string }>().tab as string;
}

describe('what a call answered', () => {
  it('is its text with its notes, whichever server of the home has made it, without a secret', async () => {
    await openTab(first);
    await openTab(third);
    await first.call('read_page');
    const one = await resultOf('read_page', 1);
    expect(one).toMatchObject({ ok: true, error: null, stored: null, picture: null });
    expect(one?.value).toContain('# Shop');
    expect(one?.notes.join('\n')).toContain('Untrusted page text');
    expect(one?.state).toMatchObject({ title: 'Shop' });
    expect(JSON.stringify(one)).not.toContain(SECRET);
    await third.call('read_page', { format: 'text' });
    expect((await resultOf('read_page', 2))?.value).toContain('coffee');
  });
});

it('the ledger has what was done on pages, and is intact', async () => {
  await first.call('interact', { fields: { Name: 'Ada' } });
  const home = await homeOf();
  const page = await vi.waitFor(async () => {
    const read = ANSWER_METHODS['ledger.page'].result.parse(await panel.ask({ type: 'ledger', home }));
    expect(read.is_intact).toBe(true);
    return read;
  }, PATIENCE);
  expect(page.lines.map(({ kind }) => kind)).toContain('act');
  expect(JSON.stringify(page)).not.toContain(SECRET);
});

it('the browser remembers how long the ledger was', async () => {
  const home = await homeOf();
  const read = async () =>
    ANSWER_METHODS['ledger.page'].result.parse(await panel.ask({ type: 'ledger', home }));
  const verify = async (): Promise<string> => {
    const env = { ...process.env, ...browser.serverEnv };
    const args = [PROGRAM, 'ledger', 'verify', '--home', first.home];
    // It ends with code 1 where something is missing.
    return run(process.execPath, args, { env }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  await expect.poll(verify, PATIENCE).toMatch(/is intact.*\nCompared with/s);
  // As somebody would who knows where everything is: the chains, and the heads that tell of them.
  for (const [folder, ending] of [
    ['ledger', '.jsonl'],
    ['ledger-heads', '.head'],
  ] as const)
    for (const name of await readdir(join(first.home, folder)))
      if (name.endsWith(ending)) await rm(join(first.home, folder, name));
  await expect.poll(read, PATIENCE).toMatchObject({ is_intact: false, is_shorter: true });
  expect(await verify()).toContain('shorter than the browser remembers');
  // A page in a tab is not where a person is.
  await expect(panel.ask({ type: 'ledger_forget', home })).rejects.toThrow('invalid_argument');
});
