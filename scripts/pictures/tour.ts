import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright';
import { executable, spawnChromium } from '../../tests/support/browser.ts';
import type { CallAnswer } from '../../tests/support/call-tool.ts';
import { startServer } from '../../tests/support/stdio-server.ts';

/*
 * Makes the moving picture of the README and that of a card: `npx tsx scripts/pictures/tour.ts [FOLDER]`. Call, card, page and
 * receipt are real: only the conversation around them is written here.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images'));

const LOOK = `<meta name="viewport" content="width=device-width"><style>
  body { font: 15px/1.45 system-ui, sans-serif; margin: 0; color: #1d2733; background: #f6f4ef }
  header { background: #1f4d3f; color: #fff; padding: 12px 24px; font-weight: 600 }
  main { max-width: 400px; margin: 18px auto; padding: 16px 24px; background: #fff; border-radius: 10px }
  h1 { font-size: 19px; margin: 0 0 10px } p { margin: 6px 0 } label { display: block; margin: 8px 0 }
  input:not([type=checkbox]), select { display: block; width: 100%; padding: 5px; box-sizing: border-box; font: inherit }
  button { font: inherit; font-weight: 600; background: #1f4d3f; color: #fff; border: 0; border-radius: 6px; padding: 8px 16px }
  table { border-collapse: collapse; width: 100%; margin: 8px 0 } td { padding: 5px 0; border-bottom: 1px solid #e6e2d8 } td + td { text-align: right }
</style><header>Oosterhaven Mill</header>`;

const PAGES: Readonly<Record<string, string>> = {
  '/order': `<title>Order</title>${LOOK}<main><h1>Your order</h1><form action="/thanks" method="post">
    <label>Name <input name="name"></label><label>E-mail <input name="mail" type="email"></label>
    <label>Country <select name="country"><option>Iceland<option>Netherlands<option>Norway</select></label>
    <label><input type="checkbox" name="gift"> Wrap it as a gift</label><button>Place order</button></form></main>`,
  '/thanks': `<title>Thank you</title>${LOOK}<main><h1>Thank you, Ada</h1><p>Order 4711 leaves on Monday.</p>
    <table><tr><td>Wheat flour, 2 kg<td>6.40 €<tr><td>Gift wrapping<td>1.50 €<tr><td>Total<td>7.90 €</table></main>`,
};

const ARGS = {
  fields: {
    Name: 'Ada Lovelace',
    'E-mail': 'ada@example.org',
    Country: 'Netherlands',
    'Wrap it as a gift': true,
  },
  steps: ['click "Place order"'],
};

interface Scenes {
  /** PNGs in base64 */
  readonly before: string;
  readonly card: string;
  readonly after: string;
  /** The middle of the button that allows, in pixels of the card's picture. */
  readonly allow: { readonly x: number; readonly y: number };
  readonly receipt: string;
}

const pictureOf = ({ raw }: CallAnswer): string => {
  const picture = raw.content.find((block) => block.type === 'image');
  if (picture === undefined) throw new Error('The screenshot has no picture.');
  return picture.data;
};

/** Waits for the card in which the person is asked. */
async function cardIn(browser: Browser): Promise<Page> {
  for (;;) {
    const open = browser.contexts().flatMap((context) => context.pages());
    const card = open.find((page) => page.url().endsWith('/people/approve/approve.html'));
    if (card !== undefined) {
      await card.locator('#allow[aria-disabled="false"]').waitFor();
      await card.locator('#show-picture').click();
      await card.locator('.picture img').waitFor();
      await card.evaluate('scrollTo(0, 0)');
      return card;
    }
    await delay(50);
  }
}

const CARD_WIDTH = 370;
/** All of it, without scrolling: as in docs/approvals.md. */
const DOCS_CARD = { width: 440, height: 930 };

/** The act, in the browser of a person who is asked. */
async function act(): Promise<Scenes> {
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGES[pathname] ?? '');
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  const browser = await spawnChromium({
    args: [`--host-resolver-rules=MAP shop.test:80 127.0.0.1:${port}`, '--window-size=520,600'],
    rules: 'person',
  });
  const server = await startServer({ env: browser.serverEnv, clientName: 'Claude Code' });
  const ok = async (name: string, args: Record<string, unknown>): Promise<CallAnswer> => {
    const answer = await server.call(name, args);
    if (answer.isError) throw new Error(answer.text);
    return answer;
  };
  try {
    await ok('navigate', { url: 'http://shop.test/order' });
    const before = pictureOf(await ok('screenshot', {}));
    const acting = ok('interact', ARGS);
    const devtools = await browser.devtools();
    const page = await cardIn(devtools);
    await page.setViewportSize(DOCS_CARD);
    await page.screenshot({ path: join(folder, 'card-light.png') });
    // As large as the window that the extension opens.
    await page.setViewportSize({ width: 440, height: 640 });
    const button = await page.locator('#allow').boundingBox();
    if (button === null) throw new Error('The card has no button that allows.');
    const card = (await page.screenshot()).toString('base64');
    await page.locator('#allow').click();
    const { text } = await acting;
    const after = pictureOf(await ok('screenshot', {}));
    await devtools.close();
    const allow = { x: button.x + button.width / 2, y: button.y + button.height / 2 };
    return { before, card, after, allow, receipt: text };
  } finally {
    await server.close();
    await browser.close();
    http.closeAllConnections();
    http.close();
  }
}

const WIDTH = 960;
const HEIGHT = 600;

const sheet = `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; width: ${WIDTH}px; height: ${HEIGHT}px; display: flex; font: 15px/1.5 system-ui, sans-serif; background: #16202b; color: #dfe6ee; overflow: hidden }
  #talk { width: 430px; padding: 18px 22px; box-sizing: border-box } #talk > * { margin: 0 0 14px }
  #you { background: #26384a; border-radius: 10px; padding: 9px 14px }
  pre { font: 12.5px/1.42 ui-monospace, 'DejaVu Sans Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere; color: #a9bdd1 }
  #receipt { border-left: 3px solid #4cc38a; padding-left: 12px; color: #dfe6ee }
  #tab { position: relative; flex: 1; background: #f6f4ef } #tab img { position: absolute }
  #page { left: 0; top: 0; width: 530px }
  #card { left: 90px; top: 40px; width: ${CARD_WIDTH}px; border-radius: 8px; box-shadow: 0 8px 36px #0009 }
  #hand { position: absolute; width: 26px; filter: drop-shadow(0 1px 2px #0008) }
</style><div id="talk"><p id="you">Order two kilos of flour for Ada, wrapped as a gift.</p><pre id="call"></pre><pre id="receipt"></pre></div>
<div id="tab"><img id="page"><img id="card"><svg id="hand" viewBox="0 0 24 24"><path d="M4 2l15 11-7 1 4 7-3 1.5-4-7-5 5z" fill="#111" stroke="#fff" stroke-width="1.4"/></svg></div>`;

/** One picture of the sequence. */
interface Frame {
  readonly page: 'before' | 'after';
  readonly call?: boolean;
  readonly card?: boolean;
  /** The pointer's progress towards the button: 1 has arrived. */
  readonly hand?: number;
  readonly receipt?: boolean;
  readonly ms: number;
}
const FRAMES: readonly Frame[] = [
  { page: 'before', ms: 1_600 },
  { page: 'before', call: true, ms: 1_800 },
  { page: 'before', call: true, card: true, ms: 2_600 },
  ...[0.2, 0.5, 0.8].map((hand) => ({ page: 'before' as const, call: true, card: true, hand, ms: 120 })),
  { page: 'before', call: true, card: true, hand: 1, ms: 1_100 },
  { page: 'after', call: true, receipt: true, ms: 4_500 },
];

/** Shows one picture of the sequence: a text, because tsx adds helpers to functions that a page lacks. */
const show = (page: Page, scenes: Scenes, frame: Frame): Promise<void> =>
  page.evaluate<void>(
    `(async (scenes, frame) => {
      const at = (id) => document.getElementById(id);
      at('page').src = 'data:image/png;base64,' + scenes[frame.page];
      at('card').src = 'data:image/png;base64,' + scenes.card;
      await Promise.all([...document.images].map((image) => image.decode()));
      for (const id of ['call', 'receipt', 'card', 'hand'])
        at(id).style.display = frame[id] ? '' : 'none';
      const scale = ${CARD_WIDTH} / at('card').naturalWidth;
      const left = 1 - (frame.hand ?? 0);
      at('hand').style.left = 90 + scenes.allow.x * scale + left * 120 + 'px';
      at('hand').style.top = 40 + scenes.allow.y * scale - left * 140 + 'px';
    })(${JSON.stringify(scenes)}, ${JSON.stringify(frame)})`,
  );

const require = createRequire(import.meta.url);
const encoder = readFileSync(require.resolve('gifenc/dist/gifenc.esm.js'), 'utf8');

/** Encodes in the page, which can decode PNGs. @returns the GIF in base64 */
const encode = (page: Page, frames: readonly { png: string; ms: number }[]): Promise<string> =>
  page.evaluate<string>(
    `(async () => {
      const { GIFEncoder, quantize, applyPalette } =
        await import(URL.createObjectURL(new Blob([${JSON.stringify(encoder)}], { type: 'text/javascript' })));
      const gif = GIFEncoder();
      for (const { png, ms } of ${JSON.stringify(frames)}) {
        const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
        const { width, height } = image;
        const context = new OffscreenCanvas(width, height).getContext('2d');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, width, height);
        const palette = quantize(data, 256);
        gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay: ms });
      }
      gif.finish();
      return gif.bytes().toBase64();
    })()`,
  );

const scenes = await act();
const browser = await chromium.launch({ executablePath: await executable() });
try {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await page.setContent(sheet);
  const call = `interact ${JSON.stringify(ARGS, null, 2).replaceAll(/\[\s+(".*")\s+\]/g, '[$1]')}`;
  await page.locator('#call').evaluate((pre, text) => (pre.textContent = text), call);
  await page.locator('#receipt').evaluate((pre, text) => (pre.textContent = text), scenes.receipt);
  const frames: { png: string; ms: number }[] = [];
  for (const frame of FRAMES) {
    await show(page, scenes, frame);
    frames.push({ png: (await page.screenshot()).toString('base64'), ms: frame.ms });
  }
  writeFileSync(join(folder, 'tour.gif'), Buffer.from(await encode(page, frames), 'base64'));
} finally {
  await browser.close();
}
