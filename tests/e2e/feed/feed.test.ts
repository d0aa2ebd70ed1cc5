import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { METER_METHODS } from '../../../shared/bridge/meter.ts';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { FeedPageRig } from './feed-page.ts';

/* What the panel shows of servers, in the built extension, with the built server at the other end. */

const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;

const MetersAnswer = z.object({
  meters: z.array(z.object({ server: z.string(), reading: METER_METHODS['meter.read'].result })),
});

let browser: TestContext;
let first: StdioServer;
let second: StdioServer;
let panel: FeedPageRig;

beforeAll(async () => {
  browser = await launchContext();
  const env = browser.serverEnv;
  [first, second] = await Promise.all([
    startServer({ env, clientName: 'first-agent' }),
    startServer({ env, clientName: 'second-agent' }),
  ]);
  // A server connects with its first call.
  await Promise.all([first.call('tabs'), second.call('tabs')]);
  panel = await FeedPageRig.open(browser.context);
  await live(panel, 2);
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await browser.close();
});

/** Waits until so many servers say what they do. */
const live = (page: FeedPageRig, count: number): Promise<void> =>
  vi.waitFor(async () => {
    const servers = await page.servers();
    expect(servers.map(({ feed }) => feed)).toEqual(Array.from({ length: count }, () => 'live'));
  }, PATIENCE);

const endedAre = (page: FeedPageRig, tool: string, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await page.ended(tool)).toHaveLength(count), PATIENCE);

describe('with two servers at one browser', () => {
  it('shows the agents of both, and each call as it ends', async () => {
    const agents = (await panel.events()).flatMap(({ event }) =>
      event.type === 'agents' ? event.agents : [],
    );
    expect(agents.map(({ name }) => name).toSorted()).toEqual(['first-agent', 'second-agent']);
    await first.call('oc_journal');
    await second.call('oc_journal');
    await endedAre(panel, 'oc_journal', 2);
    const ended = await panel.ended('oc_journal');
    expect(new Set(ended.map(({ server }) => server)).size).toBe(2);
  });

  it('merges their journals into one timeline, page by page, each line once', async () => {
    for (let n = 0; n < 6; n += 1) await (n % 2 === 0 ? first : second).call('docs');
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

  it('lists runs and outputs of a home', async () => {
    const [server] = await panel.servers();
    await first.call('docs', { output_mode: 'handle' });
    await second.call('docs', { output_mode: 'handle' });
    const home = server?.home ?? '';
    expect(await panel.ask({ type: 'runs', home })).toEqual({ runs: [], total: 0, next_offset: null });
    expect(await panel.ask({ type: 'outputs', home })).toHaveProperty('next', null);
    await expect(panel.ask({ type: 'outputs', home: 'elsewhere' })).rejects.toThrow('browser_disconnected');
  });

  it('shows what each has answered in tokens, counted by the thread of the build, and says when that changes', async () => {
    const meters = async () => MetersAnswer.parse(await panel.ask({ type: 'meter' })).meters;
    await vi.waitFor(async () => {
      const read = await meters();
      expect(read.map(({ reading }) => reading.total.estimated_tokens)).toEqual([0, 0]);
    }, PATIENCE);
    const [meter] = await meters();
    expect(meter?.reading.sessions).toMatchObject([
      { agent: expect.stringMatching(/-agent$/), budget: null },
    ]);
    expect(meter?.reading.total.tokens).toBeGreaterThan(100);
    expect((await panel.events()).map(({ event }) => event.type)).toContain('meter');
  });

  it('lifts no budget from a page in a tab', async () => {
    const [server] = await panel.servers();
    const lift = { type: 'lift', server: server?.server ?? '', session: 'any', tokens: 5 } as const;
    await expect(panel.ask(lift)).rejects.toThrow('invalid_argument');
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
      await panel.killWorker();
      await first.call('docs');
      await second.call('docs');
      await live(panel, 2);
    }
    await endedAre(panel, 'docs', before.length + 9);
    const ids = (await panel.ended('docs')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('when a server is started again', async () => {
    const before = await panel.ended('docs');
    await second.close();
    await live(panel, 1);
    second = await startServer({ env: browser.serverEnv, clientName: 'second-agent' });
    await second.call('tabs');
    await live(panel, 2);
    await second.call('docs');
    await endedAre(panel, 'docs', before.length + 1);
  });

  it('when the page is slow: a server sends it no more than one batch, and what came meanwhile follows', async () => {
    const slow = await FeedPageRig.open(browser.context, { hasAcks: false });
    await live(slow, 2);
    await vi.waitFor(
      async () => expect(await slow.page.evaluate(() => window.feed.messages)).toBe(2),
      PATIENCE,
    );
    const fast = await panel.ended('docs');
    for (let n = 0; n < 20; n += 1) await first.call('docs');
    await endedAre(panel, 'docs', fast.length + 20);
    expect(await slow.page.evaluate(() => window.feed.messages)).toBe(2);
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
