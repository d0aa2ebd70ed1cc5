import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ANSWER_METHODS } from '../../../shared/bridge/answers.ts';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { killWorker } from '../panel/panel-rig.ts';
import { FeedPageRig } from './feed-page.ts';
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

it('the ledger has what was done on pages, and is intact', async () => {
  await first.call('navigate', { url: site.url('/') });
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
