import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRig, type Rig } from './rig.ts';

let rig: Rig;
let page: Page;
let server: Server;
let origin: string;
const MINIMAL_PDF = `%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj
trailer<</Root 1 0 R>>`;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/pdf')
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(MINIMAL_PDF);
    else if (request.url === '/endless')
      response.writeHead(200, { 'content-type': 'text/html' }).write('<p>so far</p>');
    else if (request.url === '/large')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>some more words</p>'.repeat(100_000));
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  origin = `http://fixture.test:${port}`;
  rig = await openRig();
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
});
beforeEach(async () => {
  page = await rig.context.newPage();
});
afterEach(() => page.close());

async function codeOf(tabId: number): Promise<string | undefined> {
  return (await rig.readTab(tabId)).error?.code;
}

test('a discarded tab', async () => {
  await page.goto(origin);
  const id = await rig.tabIdOf(page);
  const other = await rig.context.newPage();
  await other.bringToFront();
  const discarded = await rig.worker.evaluate(async (tab) => (await chrome.tabs.discard(tab))?.id, id);
  expect(await codeOf(discarded ?? id)).toBe('tab_discarded');
  await other.close();
});

test('a page that never finishes loading is read as far as it is', async () => {
  await page.goto(`${origin}/`);
  const id = await rig.tabIdOf(page);
  await page.goto(`${origin}/endless`, { waitUntil: 'commit' });
  await expect.poll(async () => (await rig.readTab(id)).text).toBe('so far\n');
  expect((await rig.readTab(id)).result?.page.ready_state).toBe('loading');
});

test('a page that navigates away while it is read', async () => {
  await page.goto(`${origin}/large`);
  const id = await rig.tabIdOf(page);
  // The reader is held between two parts, and more are left than it has asked for.
  const reading = rig.readTab(id, {}, { pauseAfter: 1 });
  const isHeld = () => rig.worker.evaluate(() => Reflect.has(globalThis, 'spillwayResume'));
  await expect.poll(isHeld).toBe(true);
  await page.goto(`${origin}/next`);
  await rig.worker.evaluate(() => {
    const resume: unknown = Reflect.get(globalThis, 'spillwayResume');
    if (typeof resume === 'function') resume();
  });
  expect((await reading).error?.code).toBe('page_changed');
  expect((await rig.readTab(id)).text).toBe('hello\n');
});

test('a tab that is closed, or crashes, before it is read', async () => {
  await page.goto(origin);
  const id = await rig.tabIdOf(page);
  const cdp = await rig.context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  void cdp.send('Page.crash').catch(() => undefined);
  await crashed;
  expect(await codeOf(id)).toBe('page_crashed');
  await page.close();
  expect(await codeOf(id)).toBe('tab_not_found');
});
