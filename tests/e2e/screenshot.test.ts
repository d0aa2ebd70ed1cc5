import { beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../support/depth.ts';
import { file, serveFiles, type FileSite } from '../support/file-site.ts';
import { launched } from '../support/launched.ts';

/** `screenshot` in tabs that are really hidden, its pictures decoded by the browser itself. */
const { site, server, ok } = await launched();
let tab: string;
let looker: string;

/** A page that draws the last picture and reports its size and the colours at a few points. */
let picture: Buffer = Buffer.alloc(0);
let pictures: FileSite;

const LOOKER = `<!doctype html><title>Looker</title><p id="said"></p><script>
const image = new Image();
image.onload = () => {
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const at = (x, y) => [...context.getImageData(Math.floor(x * (canvas.width - 1)), Math.floor(y * (canvas.height - 1)), 1, 1).data].slice(0, 3);
  const places = new URLSearchParams(location.search).get('at').split(';').map((place) => place.split(',').map(Number));
  said.textContent = JSON.stringify({ width: canvas.width, height: canvas.height, colours: places.map(([x, y]) => at(x, y)) });
};
image.onerror = () => (said.textContent = 'no picture');
image.src = '/picture';
</script>`;

const WIDE = `<!doctype html><body style="margin:0"><div style="width:20000px;height:3000px;background:linear-gradient(90deg,rgb(200,0,0) 50%,rgb(0,120,0) 50%)"></div>`;

beforeAll(async () => {
  pictures = await serveFiles({
    '/picture': (response) => void response.writeHead(200, { 'cache-control': 'no-store' }).end(picture),
    '/wide': file(WIDE, { 'content-type': 'text/html' }),
    '/': file(LOOKER, { 'content-type': 'text/html' }),
  });
  const openTab = async (): Promise<string> =>
    (await server.call('tabs', { action: 'open' })).json<{ opened: string }>().opened;
  [tab, looker] = [await openTab(), await openTab()];
  await ok('navigate', { url: `${site.url}/screenshot/`, tab });
});

type Looked = { readonly width: number; readonly height: number; readonly colours: readonly number[][] };

/** Takes a picture, and reports how a browser sees it. Points are fractions of its width and height. */
async function take(
  args: Record<string, unknown>,
  places = '0.5,0.5',
): Promise<Looked & { notes: string; mimeType: string; sizeBytes: number }> {
  const answer = await ok('screenshot', { tab, ...args });
  const [block] = answer.raw.content;
  if (block?.type !== 'image') throw new Error(`No picture but ${answer.text}`);
  picture = Buffer.from(block.data, 'base64');
  const looked = await look(places);
  return { ...looked, notes: answer.notes, mimeType: block.mimeType, sizeBytes: picture.length };
}

async function look(places: string): Promise<Looked> {
  await ok('navigate', { url: pictures.url(`/?at=${encodeURIComponent(places)}`), tab: looker });
  const consoleText = await server.call('read_page', { tab: looker, format: 'text', selector: '#said' });
  return JSON.parse(consoleText.text) as Looked;
}

const near = (colour: readonly number[] | undefined, wanted: readonly number[], slack = 12): boolean =>
  colour !== undefined && colour.every((part, index) => Math.abs(part - (wanted[index] ?? 0)) <= slack);

const RED = [200, 0, 0];
const GREEN = [0, 120, 0];
const BLUE = [0, 0, 200];
const CYAN = [0, 200, 200];

describe('what is taken', () => {
  it.each(sample(['png', 'jpeg', 'webp'], 2))('the viewport of a hidden tab, as %s', async (format) => {
    const taken = await take({ format }, '0.5,0.01;0.9,0.9');
    expect(taken.mimeType).toBe(`image/${format}`);
    expect(near(taken.colours[0], RED)).toBe(true);
    expect(near(taken.colours[1], [255, 255, 255])).toBe(true);
    expect(taken.notes).toContain(`${taken.width} × ${taken.height} pixels`);
    expect(taken.notes).toContain('the viewport');
    expect(taken.notes).toContain('Images cannot be redacted');
    expect(taken.notes).toContain(`Untrusted page text from ${site.url}/screenshot/`);
  });

  it('the full page, top and bottom, within the edge that models see', async () => {
    const taken = await take({ area: 'full_page', as: 'image' }, '0.5,0.005;0.5,0.99');
    expect(taken.height).toBeLessThanOrEqual(1_568);
    expect(taken.height).toBeGreaterThan(1_550);
    expect(near(taken.colours[0], RED)).toBe(true);
    expect(near(taken.colours[1], GREEN)).toBe(true);
    expect(taken.notes).toContain('as: "tiles"');
  });

  it('a page that is 20,000 pixels wide, to its right edge', async () => {
    await ok('navigate', { url: pictures.url('/wide'), tab });
    const taken = await take({ area: 'full_page', as: 'image' }, '0.01,0.5;0.999,0.5');
    expect(taken.width).toBe(1_568);
    expect([near(taken.colours[0], RED), near(taken.colours[1], GREEN)]).toEqual([true, true]);
    expect(taken.notes).not.toContain('cut');
    await ok('navigate', { url: `${site.url}/screenshot/`, tab });
  });

  it.each([
    ['in view', '#top', RED],
    ['below the viewport', '#below', GREEN],
    ['scrolled out of sight in a list', '#row9', BLUE],
    ['scrolled out of sight in a frame of the same origin', 'button', CYAN],
  ])('one element, %s', async (_name, selector, colour) => {
    const taken = await take({ selector }, '0.5,0.05;0.99,0.95');
    for (const found of taken.colours) expect(near(found, colour), String(found)).toBe(true);
    expect(taken.notes).not.toContain('clipped:');
  });

  it('one element by its ref, in frames of this origin and another', async () => {
    const snapshot = (await server.call('read_page', { tab, format: 'snapshot' })).text;
    const refs = [...snapshot.matchAll(/^\s*(\S*e\d+) button In a frame/gm)].map(([, ref]) => ref);
    expect(refs.map((ref) => ref?.startsWith('f'))).toEqual([false, true]);
    for (const ref of refs) {
      const taken = await take({ ref }, '0.02,0.05;0.98,0.95');
      expect([taken.width, taken.height]).toEqual([90, 30]);
      for (const found of taken.colours) expect(near(found, CYAN), String(found)).toBe(true);
    }
  });

  it('leaves the page as it was, and the tab where it was', async () => {
    const state = async (): Promise<unknown> => {
      const consoleText = await server.call('read_page', { tab, format: 'text', selector: '#said' });
      const tabs = (await server.call('tabs')).json<{ tabs: { tab: string; active?: boolean }[] }>().tabs;
      return [consoleText.text, tabs.filter(({ active }) => active === true).map((each) => each.tab)];
    };
    const [before, size] = [await state(), (await take({})).width];
    await take({ area: 'full_page', as: 'image' });
    await take({ selector: '#below' });
    expect(await state()).toEqual(before);
    // Scrollbars are back, or the page would be wider.
    expect((await take({})).width).toBe(size);
    await expect
      .poll(async () => (await take({ selector: '#list' }, '0.1,0.3')).colours[0])
      .toEqual([240, 240, 240]);
  });
});

it.each([
  [{ selector: '#none' }, 'screenshot_failed', 'is not displayed'],
  [{ selector: '#off' }, 'screenshot_failed', 'outside the page'],
  [{ selector: '#clipped' }, 'screenshot_failed', 'is clipped by'],
  [{ selector: '#nowhere' }, 'selector_not_found', '#nowhere'],
  [{ ref: 'e99999' }, 'ref_not_found', 'e99999'],
  [{ area: 'full_page', selector: 'p' }, 'invalid_argument', 'area'],
  [{ tab: 'b1:999999' }, 'tab_not_found', 'b1:999999'],
])('what cannot be taken %j', async (args, code, text) => {
  const answer = await server.call('screenshot', { tab, ...args });
  expect(answer.code()).toBe(code);
  expect(answer.text).toContain(text);
});
