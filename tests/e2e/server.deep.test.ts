import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { createProfile, spawnChromium } from '../support/browser.ts';
import { firstWindow, open } from '../support/opened.ts';
import { waitForNoProcess } from '../support/processes.ts';
import { startServer } from '../support/stdio-server.ts';

/* What of tests/e2e/server.test.ts takes a browser for each row. */

let site: FixtureServer;
beforeAll(async () => {
  site = await serveFixtures();
});
afterAll(() => site.close());

it.each([
  ['one redirect', 'SIGHUP', '/__/redirect', '800x700'],
  ['five redirects', 'SIGINT', '/__/redirect/5', '700x600'],
] as const)(
  '%s in the first navigation; %s ends a browser with its server',
  async (_what, signal, path, size) => {
    const server = await startServer({ args: ['--launch', '--headless', '--window-size', size] });
    const receipt = await open(server, `${site.url}${path}?to=/many-pages/tiny.html`);
    expect(receipt).toMatchObject({ status: 200, url: `${site.url}/many-pages/tiny.html` });
    const [width, height] = size.split('x').map(Number);
    expect(await firstWindow(server)).toEqual({ width, height });
    process.kill(server.pid, signal);
    await waitForNoProcess(server.home);
    await server.close();
  },
);

it('several browsers of one server are distinguished, and never guessed', async () => {
  const near = createProfile();
  const far = createProfile(near.bridgeDirectory);
  const [one, two] = [await spawnChromium({ profile: near }), await spawnChromium({ profile: far })];
  const server = await startServer({ env: near.serverEnv });
  const connected = async (): Promise<number> =>
    (await server.call('oc_connection_health')).json<{ browsers: unknown[] }>().browsers.length;
  await expect.poll(connected).toBe(2);
  const ambiguous = await server.call('navigate', { url: `${site.url}/many-pages/tiny.html` });
  expect(ambiguous.code()).toBe('browser_ambiguous');
  expect(ambiguous.text).toMatch(/b1 \(Chromium .*b2 \(Chromium /);
  const a = await open(server, `${site.url}/many-pages/tiny.html`, { browser: 'b1' });
  const b = await open(server, `${site.url}/many-pages/thai.html`, { browser: 'b2' });
  expect([a.tab.slice(0, 3), b.tab.slice(0, 3)]).toEqual(['b1:', 'b2:']);
  expect((await server.call('read_page', { tab: b.tab })).text).toMatch(/\p{Script=Thai}/u);
  expect((await server.call('read_page', { tab: a.tab })).text).not.toMatch(/\p{Script=Thai}/u);
  await server.close();
  await two.close();
  await one.close();
});
