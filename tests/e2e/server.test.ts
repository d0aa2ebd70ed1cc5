import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { createProfile, spawnChromium, type TestChromium } from '../support/browser.ts';
import { findProcesses, waitForNoProcess } from '../support/processes.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

let site: FixtureServer;
beforeAll(async () => {
  site = await serveFixtures();
});
afterAll(() => site.close());

const page = (name: string): string => `${site.url}/many-pages/${name}.html`;

interface Receipt {
  readonly tab: string;
  readonly url: string;
  readonly title: string;
  readonly status: number | null;
}

async function open(server: StdioServer, url: string, args: Record<string, unknown> = {}): Promise<Receipt> {
  const answer = await server.call('navigate', { url, ...args });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<Receipt>();
}

describe('a private browser', () => {
  it('starts with the first call that needs it, and goes with the server', async () => {
    const server = await startServer({ args: ['--launch', '--headless'] });
    expect(findProcesses(server.home).filter(({ command }) => command.includes('chromium'))).toEqual([]);
    const receipt = await open(server, page('tiny'));
    expect(receipt).toMatchObject({ status: 200, url: page('tiny') });
    expect((await server.call('read_page')).isError).toBe(false);
    expect(await firstWindow(server)).toEqual({ width: 1_280, height: 900 });
    // It runs without a sandbox when it is root, and says so.
    expect(server.said().includes('--no-sandbox')).toBe(process.getuid?.() === 0);
    await server.close();
    await waitForNoProcess(server.home);
  });

  // Each starts a browser of its own: a first navigation happens once in a browser.
  it.each([
    ['one redirect', 'SIGTERM', '/__/redirect', '800x700'],
    ['five redirects', 'SIGINT', '/__/redirect/5', '700x600'],
    ['a redirect to another site', 'SIGHUP', '/__/cross', '900x800'],
  ] as const)(
    'follows %s in its first navigation; %s ends it with the server',
    async (_what, signal, path, size) => {
      const server = await startServer({ args: ['--launch', '--headless', '--window-size', size] });
      const to = '/many-pages/tiny.html';
      const receipt = await open(server, `${site.url}${path}?to=${to}`, { timeout_ms: 10_000 });
      expect(receipt).toMatchObject({ status: 200, redirects: expect.any(Array) });
      expect(new URL(receipt.url).pathname).toBe(to);
      const [width, height] = size.split('x').map(Number);
      expect(await firstWindow(server)).toEqual({ width, height });
      process.kill(server.pid, signal);
      await waitForNoProcess(server.home);
      await server.close();
    },
  );

  it('that cannot be found is an error with the path', async () => {
    const server = await startServer({ args: ['--launch', '--headless', '--browser', '/nowhere/chromium'] });
    const answer = await server.call('navigate', { url: page('tiny') });
    expect(answer.code()).toBe('browser_launch_failed');
    expect(answer.text).toContain('/nowhere/chromium');
    await server.close();
  });
});

/** The window of the only browser, which is connected. */
async function firstWindow(server: StdioServer): Promise<object | undefined> {
  const health = (await server.call('oc_connection_health')).json<{ browsers: { window: object }[] }>();
  expect(health.browsers).toMatchObject([{ connected: true }]);
  return health.browsers[0]?.window;
}

describe('several servers and one browser', () => {
  let browser: TestChromium;
  let first: StdioServer;
  let second: StdioServer;
  beforeAll(async () => {
    browser = await spawnChromium();
    [first, second] = await Promise.all([
      startServer({ env: browser.serverEnv }),
      startServer({ env: browser.serverEnv }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    await browser.close();
  });

  it('each works in a tab of its own, at the same time', async () => {
    const [arabic, thai] = await Promise.all([open(first, page('arabic')), open(second, page('thai'))]);
    expect(arabic.tab).not.toBe(thai.tab);
    const rounds = Array.from({ length: 10 }, async () => {
      const [a, b] = await Promise.all([first.call('read_page'), second.call('read_page')]);
      return [a.text, b.text] as const;
    });
    const texts = await Promise.all(rounds);
    expect(new Set(texts.map(([a]) => a)).size).toBe(1);
    expect(new Set(texts.map(([, b]) => b)).size).toBe(1);
    expect(texts[0]?.[0]).toMatch(/\p{Script=Arabic}/u);
    expect(texts[0]?.[1]).toMatch(/\p{Script=Thai}/u);
  });

  it('one that leaves does not disturb the other', async () => {
    const third = await startServer({ env: browser.serverEnv });
    await open(third, page('tiny'));
    const reading = first.call('read_page');
    await third.close();
    expect((await reading).isError).toBe(false);
    expect((await second.call('read_page')).isError).toBe(false);
  });

  it('one that is killed does not disturb the other', async () => {
    const third = await startServer({ env: browser.serverEnv });
    await open(third, page('tiny'));
    process.kill(third.pid, 'SIGKILL');
    expect((await first.call('read_page')).isError).toBe(false);
    await third.close();
  });

  it('one whose client leaves in the middle of a call ends with it', async () => {
    const third = await startServer({ env: browser.serverEnv });
    const hanging = third.call('navigate', { url: `${site.url}/__/never` }).catch(() => 'gone');
    await expect.poll(() => findProcesses(third.home).length).toBe(1);
    await third.close();
    expect(await hanging).toBe('gone');
    await waitForNoProcess(third.home);
  });

  it('a page that never finishes loading times out with its tab kept, which can be read', async () => {
    const third = await startServer({ env: browser.serverEnv });
    const slow = await third.call('navigate', { url: `${site.url}/__/never`, timeout_ms: 5_000 });
    expect(slow.code()).toBe('navigation_timeout');
    expect(slow.text).toMatch(/The new tab b1:\d+ stays open and is your current tab/);
    expect((await third.call('read_page')).text).toContain('This page never ends.');
    await third.close();
  });
});

describe('several browsers and one server', () => {
  it('are distinguished, and never guessed', async () => {
    const near = createProfile();
    const far = createProfile(near.bridgeDirectory);
    const [one, two] = [await spawnChromium({ profile: near }), await spawnChromium({ profile: far })];
    const server = await startServer({ env: near.serverEnv });
    await expect
      .poll(
        async () => {
          const health = (await server.call('oc_connection_health')).json<{ browsers: unknown[] }>();
          return health.browsers.length;
        },
        { timeout: 20_000 },
      )
      .toBe(2);
    const ambiguous = await server.call('navigate', { url: page('tiny') });
    expect(ambiguous.code()).toBe('browser_ambiguous');
    expect(ambiguous.text).toMatch(/b1 \(Chromium .*b2 \(Chromium /);
    const a = await open(server, page('tiny'), { browser: 'b1' });
    const b = await open(server, page('thai'), { browser: 'b2' });
    expect([a.tab.slice(0, 3), b.tab.slice(0, 3)]).toEqual(['b1:', 'b2:']);
    expect((await server.call('read_page', { tab: b.tab })).text).toMatch(/\p{Script=Thai}/u);
    expect((await server.call('read_page', { tab: a.tab })).text).not.toMatch(/\p{Script=Thai}/u);
    await server.close();
    await two.close();
    await one.close();
  });
});

describe('a server outlives its browser', () => {
  it('and finds the next one without a restart', async () => {
    const profile = createProfile();
    const browser = await spawnChromium({ profile });
    const server = await startServer({ env: profile.serverEnv });
    const before = await open(server, page('tiny'));
    await browser.kill();
    const gone = await server.call('read_page');
    expect(['browser_disconnected', 'browser_not_connected']).toContain(gone.code());
    const next = await spawnChromium({ profile });
    // The same profile is the same browser; its tabs are new ones, and an old id never means one of them.
    const stale = await server.call('read_page', { tab: before.tab });
    expect(stale.code()).toBe('tab_not_found');
    const after = await open(server, page('tiny'), { browser: 'b1' });
    expect(after.tab).toMatch(/^b1:/);
    const health = (await server.call('oc_connection_health')).json<{ browsers: { reconnects: number }[] }>();
    expect(health.browsers.map(({ reconnects }) => reconnects)).toEqual([1]);
    await server.close();
    await next.close();
  });
});
