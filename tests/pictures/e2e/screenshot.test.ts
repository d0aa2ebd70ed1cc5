import { beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';

/** `screenshot` in tabs that are really hidden, its pictures decoded by the browser itself. */
const { site, server, ok } = await launched();
let tab: string;
let looker: string;

/** A page that draws the last picture and reports its size and the colours at a few points. */
let picture: Buffer = Buffer.alloc(0);
let pictures: FileSite;
let controls = '';

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

const BOARD = `<!doctype html><body style="margin:0;background:#fff"><p id="n" style="position:absolute;left:100px;top:50px;width:40px;height:20px;margin:0;background:rgb(0,120,0)"></p>`;
const WIDE = `<!doctype html><body style="margin:0"><div style="width:20000px;height:3000px;background:linear-gradient(90deg,rgb(200,0,0) 50%,rgb(0,120,0) 50%)"></div>`;

beforeAll(async () => {
  pictures = await serveFiles({
    '/picture': (response) => void response.writeHead(200, { 'cache-control': 'no-store' }).end(picture),
    '/wide': file(WIDE, { 'content-type': 'text/html' }),
    '/board': file(BOARD, { 'content-type': 'text/html' }),
    '/controls': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(controls),
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

describe('a picture that is sent only if it differs', () => {
  const setColour = (colour: string) =>
    ok('evaluate', { tab, code: `() => { document.querySelector('#n').style.background = '${colour}'; }` });
  const picturesIn = async (args: Record<string, unknown>) => {
    const answer = await ok('screenshot', { tab, if_changed: 0, ...args });
    return { isSent: answer.raw.content[0]?.type === 'image', said: answer.text + answer.notes };
  };

  it('says how, by the share of the pixels and their place', async () => {
    await ok('navigate', { url: pictures.url('/board'), tab });
    expect((await picturesIn({})).isSent).toBe(true);
    const same = await picturesIn({});
    expect(same).toMatchObject({
      isSent: false,
      said: expect.stringContaining('Not sent: 0% of the pixels'),
    });
    expect(same.said).toMatch(/about \d+ tokens/);
    await setColour('rgb(200,0,0)');
    expect(await picturesIn({ if_changed: 50 })).toMatchObject({
      isSent: false,
      said: expect.stringMatching(/Not sent: 0\.\d+% of the pixels/),
    });
    // The last picture is the last that was sent.
    expect(await picturesIn({})).toMatchObject({
      isSent: true,
      said: expect.stringContaining('within 40 × 20 px at 100, 50 of the page'),
    });
    expect((await picturesIn({})).isSent).toBe(false);
  });

  it('compares pictures of one area', async () => {
    expect((await picturesIn({ selector: '#n' })).said).toContain('no earlier picture');
    expect((await picturesIn({ selector: '#n' })).isSent).toBe(false);
    await setColour('rgb(0,0,200)');
    expect((await picturesIn({ selector: '#n' })).said).toContain('100% of the pixels changed');
    await ok('evaluate', { tab, code: `() => { document.querySelector('#n').style.width = '90px'; }` });
    expect(await picturesIn({ selector: '#n' })).toMatchObject({
      isSent: true,
      said: expect.stringContaining('had another size'),
    });
  });

  it('says the size in tokens alone, which no later picture is compared with', async () => {
    await setColour('rgb(0,120,0)');
    const size = await ok('screenshot', { tab, as: 'size' });
    expect(size.raw.content[0]?.type).toBe('text');
    expect(size.text).toMatch(/^\d+ × \d+ pixels, about \d+ tokens: the viewport/);
    expect((await picturesIn({})).isSent).toBe(true);
  });
});

describe('refs drawn on controls', () => {
  const CONTROLS = (frame: string) => `<!doctype html><body style="margin:0;background:#fff;color:#fff">
    <button style="position:absolute;left:20px;top:100px;width:200px;height:60px;border:0;background:#fff" onclick="this.textContent='Pressed'">Press</button>
    <a href="#x" style="position:absolute;left:20px;top:300px;width:200px;height:60px">A link</a>
    <button style="position:absolute;left:20px;top:3000px">Out of view</button>
    <button style="position:absolute;left:400px;top:100px;width:100px;height:60px">Under</button>
    <div style="position:absolute;left:390px;top:90px;width:200px;height:90px;background:#fff"></div>
    <iframe src="${frame}" style="position:absolute;left:20px;top:400px"></iframe>`;

  it('of those in view that a press reaches, outlined, and named for the next act', async () => {
    controls = CONTROLS(pictures.url('/wide', 'localhost'));
    await ok('navigate', { url: pictures.url('/controls'), tab });
    const plain = await take({}, '0.5,0.5');
    const answer = await ok('screenshot', { tab, refs: true });
    expect(answer.notes).toContain('2 refs are drawn');
    expect(answer.notes).toContain('Frames of other sites have no refs');
    const found = (await ok('find', { tab, query: 'Press button' })).text;
    const ref = /\be\d+/.exec(found)?.[0] ?? '';
    const drawn = await take(
      { refs: true },
      `${20 / plain.width},${130 / plain.height};${30 / plain.width},${94 / plain.height};${402 / plain.width},${102 / plain.height}`,
    );
    expect([near(drawn.colours[0], [209, 0, 108], 40), near(drawn.colours[2], [255, 255, 255])]).toEqual([
      true,
      true,
    ]);
    expect((await ok('interact', { tab, steps: [`click ${ref}`] })).text).toContain('Pressed');
  });

  it('never as a change of the page', async () => {
    await ok('screenshot', { tab });
    const again = await ok('screenshot', { tab, refs: true, if_changed: 0 });
    expect(again.raw.content[0]?.type).toBe('text');
    await ok('navigate', { url: `${site.url}/screenshot/`, tab });
  });
});

it.each([
  [{ refs: true, area: 'full_page' }, 'invalid_argument', 'refs'],
  [{ if_changed: 1, as: 'tiles', area: 'full_page' }, 'invalid_argument', 'if_changed'],
  [{ if_changed: 101 }, 'invalid_argument', 'if_changed'],
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
