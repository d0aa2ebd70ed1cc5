import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveEvil, type EvilServer } from '../../fixtures/evil.ts';
import { EXTENSION_ID } from '../../shared/bridge/wire.ts';
import { CrawlRig } from '../e2e/crawl-page/rig.ts';

let rig: CrawlRig;
let evil: EvilServer;

beforeAll(async () => {
  [rig, evil] = await Promise.all([CrawlRig.start(), serveEvil()]);
});

afterAll(async () => {
  await rig.close();
  await evil.close();
});

const at = (path: string): string => `http://evil.test:${evil.port}${path}`;

/** Ends a target of the extension as the browser would. */
async function end(type: string, path: string): Promise<void> {
  const session = await rig.browser.devtools.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const url = `chrome-extension://${EXTENSION_ID}/${path}`;
  const target = targetInfos.find((found) => found.type === type && found.url === url);
  if (target === undefined) throw new Error(`There is no ${path}.`);
  await session.send('Target.closeTarget', { targetId: target.targetId });
  await session.detach();
}

it('the offscreen document goes: its pages fail, the next one is read', async () => {
  const { page } = rig.begin({ url: at('/drip'), timeout_ms: 30_000 });
  page.catch(() => undefined);
  await expect.poll(() => evil.open).toContain('/drip');
  await end('background_page', 'offscreen/offscreen.html');
  await expect(page).rejects.toMatchObject({ code: 'page_crashed' });
  expect((await rig.page(at('/plain'))).text).toContain('A plain page.');
});

it('the worker goes: the next one closes the tabs of its crawls, and no other', async () => {
  const before = (await rig.port.call('tabs.list', {})).tabs.map(({ id }) => id);
  await Promise.all([1, 2, 3].map(() => rig.page(at('/plain'), { render: 'always' })));
  const { page } = rig.begin({ url: at('/drip'), render: 'always', timeout_ms: 30_000 });
  page.catch(() => undefined);
  await expect.poll(() => evil.open).toContain('/drip');
  expect((await rig.port.call('tabs.list', {})).tabs.length).toBeGreaterThan(before.length);
  await end('service_worker', 'worker.js');
  const port = await rig.host.port(2);
  port.open(1);
  await expect.poll(async () => (await port.call('tabs.list', {})).tabs.map(({ id }) => id)).toEqual(before);
  await expect.poll(() => evil.open).toEqual([]);
});
