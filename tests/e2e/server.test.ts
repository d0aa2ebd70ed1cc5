import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { createProfile, spawnChromium, type TestChromium } from '../support/browser.ts';
import { findProcesses, waitForNoProcess } from '../support/processes.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

interface Receipt {
  readonly tab: string;
  readonly url: string;
}

/** Goes to a page, which has to succeed. */
async function open(server: StdioServer, url: string, args: object = {}): Promise<Receipt> {
  const answer = await server.call('navigate', { url, ...args });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<Receipt>();
}

/** The window of the only browser, which is connected. */
async function firstWindow(server: StdioServer): Promise<object | undefined> {
  const health = (await server.call('oc_connection_health')).json<{ browsers: { window: object }[] }>();
  expect(health.browsers).toMatchObject([{ connected: true }]);
  return health.browsers[0]?.window;
}

let site: FixtureServer;
beforeAll(async () => {
  site = await serveFixtures();
});
afterAll(() => site.close());

const page = (name: string): string => `${site.url}/many-pages/${name}.html`;

describe('a private browser', () => {
  it('starts with the first call, follows a redirect in its first navigation, and goes with the server', async () => {
    const server = await startServer({ args: ['--launch', '--headless', '--window-size', '900x800'] });
    expect(findProcesses(server.home).filter(({ command }) => command.includes('chromium'))).toEqual([]);
    const receipt = await open(server, `${site.url}/__/cross?to=/many-pages/tiny.html`);
    expect(receipt).toMatchObject({ status: 200, redirects: expect.any(Array) });
    expect(new URL(receipt.url).pathname).toBe('/many-pages/tiny.html');
    expect((await server.call('read_page')).isError).toBe(false);
    expect(await firstWindow(server)).toEqual({ width: 900, height: 800 });
    // It runs without a sandbox when it is root, and says so.
    expect(server.said().includes('--no-sandbox')).toBe(process.getuid?.() === 0);
    process.kill(server.pid, 'SIGTERM');
    await waitForNoProcess(server.home);
    await server.close();
  });

  it('that cannot be found is an error with the path', async () => {
    const server = await startServer({ args: ['--launch', '--headless', '--browser', '/nowhere/chromium'] });
    const answer = await server.call('navigate', { url: page('tiny') });
    expect(answer.code()).toBe('browser_launch_failed');
    expect(answer.text).toContain('/nowhere/chromium');
    await server.close();
  });
});

describe('a server and a browser of a person', () => {
  const profile = createProfile();
  let browser: TestChromium;
  let first: StdioServer;
  beforeAll(async () => {
    browser = await spawnChromium({ profile });
    first = await startServer({ env: profile.serverEnv });
  });
  afterAll(async () => {
    await first.close();
    await browser.close();
  });

  it('that ends: the server finds the next one without a restart', async () => {
    const before = await open(first, page('tiny'));
    await browser.kill();
    const gone = await first.call('read_page');
    expect(['browser_disconnected', 'browser_not_connected']).toContain(gone.code());
    browser = await spawnChromium({ profile });
    // The same profile is the same browser; its tabs are new ones, and an old id never means one of them.
    const stale = await first.call('read_page', { tab: before.tab });
    expect(stale.code()).toBe('tab_not_found');
    const after = await open(first, page('tiny'), { browser: 'b1' });
    expect(after.tab).toMatch(/^b1:/);
    const health = (await first.call('oc_connection_health')).json<{ browsers: { reconnects: number }[] }>();
    expect(health.browsers.map(({ reconnects }) => reconnects)).toEqual([1]);
  });
});
