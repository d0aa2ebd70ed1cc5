import { afterAll, assert, beforeAll, expect, it } from 'vitest';
import { sample } from '../support/depth.ts';
import type { Page } from 'playwright';
import { launchContext, type TestContext } from '../support/browser.ts';
import { deferred } from '../../shared/async/wait.ts';
import { file, serveFiles, type FileSite } from '../support/file-site.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { fetchAll } from './evidence/unpack.ts';
import { inflateSync } from 'node:zlib';

/** A decoded PNG: red, green, blue and alpha of each pixel, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const SIGNATURE_BYTES = 8;

/** Decodes the PNGs that browsers write: 8 bits a channel, RGB or RGBA, not interlaced. */
function decodePng(png: Buffer): Pixels {
  let header: Buffer = Buffer.alloc(0);
  const packed: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') packed.push(body);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : 3;
  if (header[8] !== 8 || (header[9] !== 2 && header[9] !== 6) || header[12] !== 0)
    throw new Error('The PNG is of a kind that browsers do not write.');
  return {
    width,
    height,
    data: toRgba(unfilter(inflateSync(Buffer.concat(packed)), width, height, channels), channels),
  };
}

const GUESSES: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const toLeft = Math.abs(above - corner);
    const toAbove = Math.abs(left - corner);
    const toCorner = Math.abs(left + above - 2 * corner);
    if (toLeft <= toAbove && toLeft <= toCorner) return left;
    return toAbove <= toCorner ? above : corner;
  },
];

/** Undoes the filter of each row (PNG specification, section 9). */
function unfilter(rows: Buffer, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels;
  const plain = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1) + 1;
    const to = row * stride;
    const guess = GUESSES[rows[from - 1] ?? 0];
    if (guess === undefined) throw new Error('The PNG has an unknown filter.');
    for (let at = 0; at < stride; at += 1) {
      const left = at < channels ? 0 : (plain[to + at - channels] ?? 0);
      const above = row === 0 ? 0 : (plain[to + at - stride] ?? 0);
      const corner = row === 0 || at < channels ? 0 : (plain[to + at - stride - channels] ?? 0);
      plain[to + at] = (rows[from + at] ?? 0) + guess(left, above, corner);
    }
  }
  return plain;
}

function toRgba(plain: Uint8Array, channels: number): Uint8Array {
  if (channels === 4) return plain;
  const data = new Uint8Array((plain.length / 3) * 4).fill(255);
  for (let pixel = 0; pixel < plain.length / 3; pixel += 1)
    data.set(plain.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
  return data;
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
    {
      'content-type': 'text/html',
    },
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

const COMPARED = sample(['/mixed', '/wide'], 2);

let site: FileSite;
let browser: TestContext;
let server: StdioServer;
/** Taken before Spillway takes any: afterwards Chromium's first wide picture of another tab may be torn. */
const references = new Map<string, Pixels>();
/** A tab of Spillway's, and what Playwright calls it. */
let tab: string;
let own: Page;
const asked = deferred<void>();
const gate = deferred<void>();

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

afterAll(async () => {
  gate.resolve();
  await server.close();
  await browser.close();
  await site.close();
});

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
  await other.close();
  return decodePng(picture);
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
function joined(tiles: readonly Tile[], width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (const tile of tiles) {
    const pixels = decodePng(Buffer.from(tile.base64, 'base64'));
    expect([pixels.width, pixels.height]).toEqual([tile.width * tile.scale, tile.height * tile.scale]);
    for (let line = 0; line < pixels.height; line += 1) {
      const at = ((tile.y + line) * width + tile.x) * 4;
      if (data[at + 3] !== 0) throw new Error(`Tile ${tile.tile} overlaps another one.`);
      data.set(pixels.data.subarray(line * pixels.width * 4, (line + 1) * pixels.width * 4), at);
    }
  }
  return { width, height, data };
}

/** The first row that differs, or null. */
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
  expect(difference(decodePng(bytes), wanted)).toBeNull();
  const answer = await server.call('screenshot', { tab, area: 'full_page', as: 'tiles' });
  const tiles = await tilesOf(answer.json<Descriptor>());
  expect(tiles.length).toBeGreaterThan(2);
  expect(difference(joined(tiles, wanted.width, wanted.height), wanted)).toBeNull();
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
