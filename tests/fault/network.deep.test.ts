import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { EXTENSION_ID } from '../../shared/bridge/wire.ts';
import { lendBrowser, type SpawnedBrowser } from '../e2e/worker/browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import type { HarEntry } from '../unit/network/replay.ts';
import { PATIENCE } from '../support/patience.ts';

let site: FixtureServer;
let browser: SpawnedBrowser;
let server: StdioServer;

beforeAll(async () => {
  site = await serveFixtures();
  const lent = await lendBrowser({});
  browser = lent;
  server = await startServer({ env: lent.serverEnv });
});
afterAll(async () => {
  await server.close();
  await browser.close();
  await site.close();
});

/** Ends the extension's service worker as the browser would. */
async function killWorker(): Promise<void> {
  const session = await browser.devtools.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const url = `chrome-extension://${EXTENSION_ID}/worker.js`;
  const worker = targetInfos.find((target) => target.type === 'service_worker' && target.url === url);
  if (worker === undefined) throw new Error('No worker is running.');
  await session.send('Target.closeTarget', { targetId: worker.targetId });
  await session.detach();
}

interface Status {
  readonly captures: readonly {
    readonly state: string;
    readonly gaps: number;
    readonly ended: string | null;
  }[];
}

it('a capture resumes automatically after the worker died, and reports the gap', async () => {
  const { opened: tab } = (await server.call('tabs', { action: 'open' })).json<{ opened: string }>();
  await server.call('network', { action: 'start', tab });
  await server.call('navigate', { tab, url: `${site.url}/__/frame?text=before` });
  expect((await server.call('network', { tab })).json<HarEntry[]>().length).toBeGreaterThan(0);

  await killWorker();
  await vi.waitFor(async () => {
    const status = (await server.call('network', { action: 'status' })).json<Status>();
    expect(status.captures).toMatchObject([{ state: 'capturing', gaps: 1, ended: null }]);
  }, PATIENCE);
  // What was captured before can be read, whatever became of the browser meanwhile.
  const kept = await server.call('network', { tab, output_mode: 'handle' });
  expect(kept.notes).toContain('the browser disconnected 1 time');

  await vi.waitFor(async () => {
    const loaded = await server.call('navigate', { tab, url: `${site.url}/__/frame?text=after` });
    expect(loaded.isError).toBe(false);
  }, PATIENCE);
  const urls = (await server.call('network', { tab })).json<HarEntry[]>().map(({ request }) => request.url);
  expect(urls).toContain(`${site.url}/__/frame?text=before`);
  expect(urls).toContain(`${site.url}/__/frame?text=after`);
});

it('the browser ends: the capture says so, and what it had can be read', async () => {
  await browser.close();
  await vi.waitFor(async () => {
    const status = (await server.call('network', { action: 'status' })).json<Status>();
    expect(status.captures).toMatchObject([{ state: 'ended', ended: 'browser_disconnected' }]);
  }, PATIENCE);
  const answer = await server.call('network');
  expect(answer.json<HarEntry[]>().length).toBeGreaterThanOrEqual(2);
  expect(answer.notes).toContain('ended: browser_disconnected');
});
