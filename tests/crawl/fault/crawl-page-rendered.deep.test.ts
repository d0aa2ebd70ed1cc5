import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveEvil, type EvilServer } from '../../../fixtures/evil.ts';
import { CrawlRig } from '../e2e/rig.ts';

/* This suite spawns Chromium itself, so that a crawl's tabs are really hidden, and lets pages open others freely. */
let rig: CrawlRig;
let evil: EvilServer;
let front: number;
const saved: string[] = [];

beforeAll(async () => {
  [rig, evil] = await Promise.all([CrawlRig.start(), serveEvil()]);
  front = (await rig.port.call('tabs.active', {})).tab.id;
  const session = await rig.browser.devtools.newBrowserCDPSession();
  session.on('Browser.downloadWillBegin', ({ url }) => saved.push(url));
  await session.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true });
});

afterAll(() => evil.close());

const at = (path: string): string => `http://evil.test:${evil.port}${path}`;
const render = (path: string, more: Parameters<CrawlRig['page']>[1] = {}) =>
  rig.page(path.startsWith('http') ? path : at(path), { render: 'always', ...more });
const openTabs = async (): Promise<number[]> =>
  (await rig.port.call('tabs.list', {})).tabs.map(({ id }) => id).filter((id) => id !== front);
const release = (): Promise<unknown> => rig.port.call('crawl.release', { crawl: 'test-crawl' });

it('the readable part of an incomplete rendered page has nothing of the previous page if only headers came', async () => {
  await release();
  expect((await render('/plain')).text).toContain('A plain page.');
  const { result, text, links } = await render('/stall', { timeout_ms: 700 });
  expect(result.error?.code).toBe('response_timeout');
  expect({ text, links }).toEqual({ text: '', links: [] });
});

it('what a page does to its tab asks, and is not answered', async () => {
  const alert = await render('/alert');
  expect(alert.result.error).toBe(null);
  expect(alert.text).toContain('After the alert.');
  expect((await render('/dialogs')).text).toContain('confirm: false, prompt: null');
  expect((await render('/late-alert')).result.error).toBe(null);
});

it('what a page does to its tab opens others, which are closed, and the front tab stays in front', async () => {
  await release();
  expect((await render('/popup')).result.title).toBe('null');
  expect((await render('/popup-link')).text).toContain('Opens a link.');
  await expect.poll(openTabs).toHaveLength(1);
  await expect.poll(async () => (await rig.port.call('tabs.active', {})).tab.id).toBe(front);
});

it('what a page does to its tab frames a file, which is not saved', async () => {
  const { result, text } = await render('/frame-download');
  expect(result.error).toBe(null);
  expect(text).toContain('A frame that is a file.');
  // Nor is the target of a download link; the page is read.
  const anchor = await render('/anchor-download');
  expect(anchor.result.error).toBe(null);
  expect(anchor.text).toContain('A page that saves a file.');
  expect(saved).toEqual([]);
});

it('the tabs of a crawl are as many as pages at once, used again, behind the front one, and closed by crawl.release', async () => {
  await release();
  await Promise.all(Array.from({ length: 4 }, () => render('/plain')));
  const first = await openTabs();
  await Promise.all(Array.from({ length: 4 }, () => render('/plain')));
  expect((await openTabs()).toSorted()).toEqual(first.toSorted());
  expect(first.length).toBeLessThanOrEqual(4);
  expect((await rig.port.call('tabs.active', {})).tab.id).toBe(front);
  await release();
  expect(await openTabs()).toEqual([]);
});

it('the tabs of a crawl are closed when the server goes, and those of another server stay', async () => {
  await release();
  rig.port.open(2);
  await render('/plain');
  const kept = await openTabs();
  await rig.begin({ url: at('/plain'), render: 'always' }, 2).page;
  expect(await openTabs()).toHaveLength(2);
  rig.port.send(0, { type: 'close', channel: 2, reason: 'The test is over.' });
  await expect.poll(openTabs).toEqual(kept);
});
