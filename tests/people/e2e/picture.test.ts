import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { failure } from '../../support/worker/failure.ts';
import { ApprovalRig } from './rig.ts';
import { buy } from './shop.ts';
import { answerAt } from '../../support/file-site.ts';

/* Every part of the page has its own colour, which identifies it in the picture. */
const PAGE = `<!doctype html><title>Colours</title><style>
  body { margin: 0; background: rgb(250, 250, 250) }
  body > * { position: absolute; border: 0; padding: 0; font-size: 0 }
  #buy { left: 200px; top: 100px; width: 120px; height: 40px; background: rgb(0, 160, 0) }
  #secret { left: 200px; top: 160px; width: 120px; height: 20px; background: rgb(220, 0, 0) }
  #card { left: 340px; top: 100px; width: 20px; height: 40px; background: rgb(220, 0, 0) }
  #end { left: 400px; top: 160px; width: 60px; height: 60px; background: rgb(0, 160, 160) }
</style>
<button id="buy">Buy</button>
<input id="secret" type="password" name="pass" value="hunter2">
<input id="card" autocomplete="cc-number" value="4111">
<div id="end">End</div>`;

let rig: ApprovalRig;
let port: number;
let tabId: number;
beforeAll(async () => {
  port = await answerAt((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  rig = await ApprovalRig.start();
});
beforeEach(async () => {
  await rig.ask();
  tabId = await rig.capture.newTab();
  await rig.capture.visit(tabId, `http://127.0.0.1:${port}/`, 'Colours');
});

async function ask(step: string): Promise<Page> {
  const error = await failure(buy(rig.port, tabId, { step }));
  expect(error.code, error.message).toBe('approval_required');
  return rig.card('Act for you on this page?');
}

/** The same once its card has a picture: a page that is not drawn in time has none. */
async function pictured(step: string): Promise<Page> {
  for (;;) {
    const page = await ask(step);
    await page.locator('.picture img, #show-picture, main:not(:has(.picture))').waitFor();
    if ((await page.locator('#show-picture').count()) > 0) {
      // The bar of the browser would cover the card.
      expect(await rig.capture.isAttached(tabId)).toBe(false);
      await page.click('#show-picture');
      await page.locator('.picture img, main:not(:has(.picture))').waitFor();
    }
    if ((await page.locator('.picture').count()) > 0) return page;
    await rig.ask();
  }
}

/** Red, green and blue, and how far a pixel may be from each. */
type Colour = readonly [number, number, number, number];

/** How many pixels of the picture are about that colour, and its size. */
async function look(page: Page, ...colours: readonly Colour[]) {
  return page.evaluate(async (wanted) => {
    const img = document.querySelector<HTMLImageElement>('.picture img');
    if (img === null) throw new Error('No picture.');
    await img.decode();
    const canvas = new OffscreenCanvas(img.naturalWidth, img.naturalHeight);
    const context = canvas.getContext('2d');
    context?.drawImage(img, 0, 0);
    const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    const counts = wanted.map((colour) => {
      let count = 0;
      for (let at = 0; at < data.length; at += 4)
        if (colour.slice(0, 3).every((part, index) => Math.abs((data[at + index] ?? 0) - part) < colour[3]))
          count += 1;
      return count;
    });
    return { counts, units: img.src.length, width: canvas.width, height: canvas.height };
  }, colours);
}

const GREEN: Colour = [0, 160, 0, 40];
const RED: Colour = [220, 0, 0, 40];
// Thin lines lose colour when a picture is made small.
const MARK: Colour = [209, 0, 108, 80];

it('shows the element in its frame with what is around it, without what is secret', async () => {
  // A page may show a password as plain text.
  const page = await pictured('click css=#buy');
  const { counts, units, width, height } = await look(page, GREEN, RED, MARK);
  const [green = 0, red, mark = 0] = counts;
  expect(green).toBeGreaterThan(120 * 40 * 0.7);
  expect(red).toBe(0);
  expect(mark).toBeGreaterThan(2 * (120 + 40));
  // The button and the others fit into a picture of normal size.
  expect([width, height]).toEqual([406, 240]);
  expect(units).toBeLessThanOrEqual(40_000);
  expect(await page.textContent('.picture figcaption')).toContain('The page decides what it shows.');
});

it('takes the picture of a front tab without the debugger, and undoes a cancelled one with one click', async () => {
  const worker = await rig.capture.worker();
  await worker.evaluate(async (id) => {
    await chrome.tabs.update(id, { active: true });
    const pinch = { x: 150, y: 60, scaleFactor: 2, gestureSourceType: 'mouse' };
    await chrome.debugger.attach({ tabId: id }, '1.3');
    await chrome.debugger.sendCommand({ tabId: id }, 'Input.synthesizePinchGesture', pinch);
    await chrome.debugger.detach({ tabId: id });
    await chrome.storage.session.set({ debuggerCancelled: true });
  }, tabId);
  const page = await pictured('click css=#buy');
  const { counts, width, height } = await look(page, GREEN, RED);
  expect(counts[0]).toBeGreaterThan(120 * 40 * 0.7);
  expect(counts[1]).toBe(0);
  // All that the person sees of the page.
  expect([width, height].map((side) => side < 406)).toEqual([true, true]);
  expect(await page.textContent('.banner')).toContain('You cancelled debugging');
  await page.click('#allow-debugging');
  await expect.poll(() => page.locator('.banner').count()).toBe(0);
  const kept = await (
    await rig.capture.worker()
  ).evaluate(() => chrome.storage.session.get('debuggerCancelled'));
  expect(kept).toEqual({});
});

itDeep('is not taken where the page may not be read', async () => {
  const worker = await rig.capture.worker();
  const rule = { id: 'r1', sites: ['127.0.0.1'], risks: ['read'], agents: null, effect: 'ask' };
  await worker.evaluate((policy) => chrome.storage.local.set({ policy }), {
    version: 1,
    rules: [{ ...rule, source: 'person' }],
    lists: {},
  });
  const page = await ask('click css=#buy');
  await rig.live(page);
  await expect.poll(() => page.locator('.picture').count()).toBe(0);
  expect(await rig.capture.isAttached(tabId)).toBe(false);
  await (await rig.capture.worker()).evaluate(() => chrome.storage.local.remove('policy'));
});
