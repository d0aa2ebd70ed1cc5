import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRig, type Rig } from './rig.ts';
import { answerAt } from '../../support/file-site.ts';

let rig: Rig;
let page: Page;
let origin: string;

beforeAll(async () => {
  const port = await answerAt((request, response) => {
    if (request.url === '/large')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>some more words</p>'.repeat(100_000));
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>');
  });
  origin = `http://fixture.test:${port}`;
  rig = await openRig();
});
beforeEach(async () => (page = await rig.context.newPage()));
afterEach(() => page.close());

async function codeOf(tabId: number): Promise<string | undefined> {
  return (await rig.readTab(tabId)).error?.code;
}

test('a page that navigates away while it is read', async () => {
  await page.goto(`${origin}/large`);
  const id = await rig.tabIdOf(page);
  // The reader is held between two parts, and more are left than it has requested.
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
