import { afterAll, assert, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { defer } from '../../../shared/base/async.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { fetchAll } from '../../evidence/e2e/unpack.ts';

/** A decoded PNG: red, green, blue and alpha of each pixel, row by row. */
type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

async function decodePng(page: Page, png: string): Promise<Pixels> {
  const { data, ...size } = await page.evaluate<
    Pick<Pixels, 'width' | 'height'> & { data: string }
  >(`(async () => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob());
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { width, height, data: new Uint8Array(data.buffer).toBase64() };
  })()`);
  return { ...size, data: Buffer.from(data, 'base64') };
}

/* Full pages in a browser with scrollbars, compared with Playwright's pictures without them. */

/** Small, so that there is less to compare. */
const VIEWPORT = { width: 500, height: 400 };

const row = (index: number, height: number): string =>
  `<p style="margin:0;height:${height}px;background:hsl(${(index * 47) % 360} 60% 80%)">` +
  `<b style="float:left">left ${index}</b>right ${index}, and some words more</p>`;
const rows = (count: number, height: number): string =>
  Array.from({ length: count }, (_, index) => row(index, height)).join('');
const words = Array.from(
  { length: 12 },
  (_, index) => `<p>${`Paragraph ${index} is long enough to break into lines. `.repeat(9)}</p>`,
).join('');

const page = (style: string, body: string): ReturnType<typeof file> =>
  file(
    `<!doctype html><meta charset="utf-8"><title>Tiles</title><style>body{margin:0}${style}</style>${body}`,
    { 'content-type': 'text/html' },
  );

const MIXED = page(
  `html { background: linear-gradient(45deg, #fa0, #05a 30%, #0c6) }
  header { position: fixed; inset: 0 0 auto 0; height: 50px; background: #c00 }
  footer { position: fixed; inset: auto 0 0 0; height: 40px; background: #00c }
  nav { position: sticky; top: 50px; height: 30px; background: #0c0 }
  #vh { height: 100vh; background: radial-gradient(red, blue) }
  #inner { height: 300px; overflow: auto; border: 3px solid }
  #text { width: 83%; font: 15.5px/1.37 serif }`,
  `<header>Top</header><div id="vh"></div><nav>Sticky</nav><div id="inner">${rows(30, 30)}</div>
  <div id="text">${words}</div>${rows(20, 61)}<footer>Bottom</footer>`,
);
const WIDE = page(
  '#wide { width: 2222px; height: 300px; background: repeating-linear-gradient(90deg, #fff, #089 100px, #f0f 222px) }',
  `<div id="wide"></div>${rows(10, 71)}`,
);
/** The page cannot draw beyond its viewport before the server has answered. */
const STUCK = page(
  '',
  `${rows(100, 61)}<script>addEventListener('resize', () => {
    const request = new XMLHttpRequest(); request.open('GET', '/gate', false); request.send(); }, { once: true })</script>`,
);

const COMPARED = ['/mixed', '/wide'];

let site: FileSite;
let browser: TestContext;
let server: StdioServer;
/** Taken before Spillway takes any: afterwards Chromium's first wide picture of another tab may be torn. */
const references = new Map<string, Pixels>();
/** A tab of Spillway's, and what Playwright calls it. */
let tab: string;
let own: Page;
const asked = defer<void>();
const gate = defer<void>();

beforeAll(async () => {
  site = await serveFiles({
    '/mixed': MIXED,
    '/wide': WIDE,
    '/stuck': STUCK,
    '/gate': (response) => {
      asked.resolve();
      void gate.promise.then(() => response.end());
    },
  });
  browser = await launchContext({ scrollbars: true });
  for (const path of COMPARED) references.set(path, await reference(path));
  server = await startServer({ env: browser.serverEnv });
  const arriving = browser.context.waitForEvent('page');
  ({ tab } = (await server.call('navigate', { url: site.url('/mixed') })).json<{ tab: string }>());
  own = await arriving;
  await own.setViewportSize(VIEWPORT);
});

afterAll(() => void gate.resolve());

async function open(path: string): Promise<void> {
  await own.goto(site.url(path));
  await own.evaluate(() => scrollTo(0, 333));
}

async function reference(path: string): Promise<Pixels> {
  const other = await browser.context.newPage();
  await other.setViewportSize(VIEWPORT);
  const session = await browser.context.newCDPSession(other);
  await session.send('Emulation.setScrollbarsHidden', { hidden: true });
  await other.goto(site.url(path));
  await other.evaluate(() => scrollTo(0, 333));
  const picture = await other.screenshot({ fullPage: true });
  const pixels = await decodePng(other, picture.toString('base64'));
  await other.close();
  return pixels;
}

interface Tile {
  readonly tile: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly mime_type: string;
  readonly base64: string;
}

interface Descriptor {
  readonly output_handle: string;
  readonly item_count: number;
  readonly preview: string | null;
}

const tilesOf = async ({ output_handle: handle }: Descriptor): Promise<Tile[]> =>
  JSON.parse((await fetchAll(server, handle)).toString('utf8')) as Tile[];

/** Joins tiles. Throws if two of them overlap. */
async function joined(tiles: readonly Tile[], width: number, height: number): Promise<Pixels> {
  const data = new Uint8Array(width * height * 4);
  for (const tile of tiles) {
    const pixels = await decodePng(own, tile.base64);
    expect([pixels.width, pixels.height]).toEqual([tile.width * tile.scale, tile.height * tile.scale]);
    for (let line = 0; line < pixels.height; line += 1) {
      const at = ((tile.y + line) * width + tile.x) * 4;
      if (data[at + 3] !== 0) throw new Error(`Tile ${tile.tile} overlaps another one.`);
      data.set(pixels.data.subarray(line * pixels.width * 4, (line + 1) * pixels.width * 4), at);
    }
  }
  return { width, height, data };
}

function difference(ours: Pixels, theirs: Pixels): number | string | null {
  if (ours.width !== theirs.width || ours.height !== theirs.height)
    return `${ours.width} × ${ours.height}, not ${theirs.width} × ${theirs.height}`;
  for (let line = 0; line < ours.height; line += 1) {
    const [from, to] = [line * ours.width * 4, (line + 1) * ours.width * 4];
    if (Buffer.compare(ours.data.subarray(from, to), theirs.data.subarray(from, to)) !== 0) return line;
  }
  return null;
}

const layout = (): Promise<unknown> =>
  own.evaluate(() => {
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = document.documentElement;
    return [innerWidth, innerHeight, scrollX, scrollY, clientWidth, clientHeight, scrollWidth, scrollHeight];
  });

it.each(COMPARED)('a full page %s is what Playwright takes without scrollbars', async (path) => {
  await open(path);
  const [before, wanted] = [await layout(), references.get(path)];
  assert(wanted !== undefined);
  const whole = await server.call('screenshot', { tab, area: 'full_page', as: 'handle' });
  const bytes = await fetchAll(server, whole.json<Descriptor>().output_handle);
  expect(difference(await decodePng(own, bytes.toString('base64')), wanted)).toBeNull();
  const answer = await server.call('screenshot', { tab, area: 'full_page', as: 'tiles' });
  const tiles = await tilesOf(answer.json<Descriptor>());
  expect(tiles.length).toBeGreaterThan(2);
  expect(difference(await joined(tiles, wanted.width, wanted.height), wanted)).toBeNull();
  expect(await layout()).toEqual(before);
});

it('a full page gets its scrollbars back when the call is cancelled', async () => {
  await open('/stuck');
  const before = await layout();
  const cancel = new AbortController();
  const call = server.call('screenshot', { tab, area: 'full_page', as: 'tiles' }, cancel.signal);
  const ended = expect(call).rejects.toThrow();
  await asked.promise;
  cancel.abort();
  await ended;
  gate.resolve();
  await expect.poll(layout).toEqual(before);
});
