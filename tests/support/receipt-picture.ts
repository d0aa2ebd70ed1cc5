import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { chromium } from 'playwright';
import { executable, spawnChromium } from './browser.ts';
import type { CallAnswer } from './call-tool.ts';
import { startServer } from './stdio-server.ts';

/*
 * Makes the picture of a receipt in the README: `npx tsx tests/support/receipt-picture.ts [FILE]`. Call, receipt and page are
 * those of a real act in a hidden tab.
 */
const file = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images/receipt.png'));

const LOOK = `<meta name="viewport" content="width=device-width"><style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: #1d2733; background: #f6f4ef }
  header { background: #1f4d3f; color: #fff; padding: 14px 28px; font-weight: 600 }
  main { max-width: 430px; margin: 26px auto; padding: 22px 28px; background: #fff; border-radius: 10px }
  h1 { font-size: 20px; margin: 0 0 12px } p { margin: 6px 0 }
  label { display: block; margin: 9px 0 } input:not([type=checkbox]), select { display: block; width: 100%; padding: 6px; box-sizing: border-box; font: inherit }
  button, .button { font: inherit; font-weight: 600; background: #1f4d3f; color: #fff; border: 0; border-radius: 6px; padding: 9px 16px; margin-top: 8px; text-decoration: none; display: inline-block }
  table { border-collapse: collapse; width: 100%; margin: 8px 0 } td { padding: 5px 0; border-bottom: 1px solid #e6e2d8 } td + td { text-align: right }
</style><header>Oosterhaven Mill</header>`;

const PAGES: Readonly<Record<string, string>> = {
  '/order': `<title>Order</title>${LOOK}<main><h1>Your order</h1><form action="/thanks" method="post">
    <label>Name <input name="name"></label><label>E-mail <input name="mail" type="email"></label>
    <label>Country <select name="country"><option>Iceland<option>Netherlands<option>Norway</select></label>
    <label><input type="checkbox" name="gift"> Wrap it as a gift</label><button>Place order</button></form></main>`,
  '/thanks': `<title>Thank you</title>${LOOK}<main><h1>Thank you, Ada</h1><p>Order 4711 leaves on Monday.</p>
    <table><tr><td>Wheat flour, 2 kg<td>6.40 €<tr><td>Gift wrapping<td>1.50 €<tr><td>Total<td>7.90 €</table>
    <p><a class="button" href="/orders/4711">Follow the parcel</a></p></main>`,
};

const ARGS = {
  fields: {
    Name: 'Ada Lovelace',
    'E-mail': 'ada@example.org',
    Country: 'Netherlands',
    'Wrap it as a gift': true,
  },
  steps: ['click role=button[name="Place order"]'],
};

interface Act {
  readonly receipt: string;
  /** PNG in base64 */
  readonly page: string;
}

/** Fills the form in a tab behind another one. */
async function act(): Promise<Act> {
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGES[pathname] ?? '');
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const { port } = http.address() as AddressInfo;
  const browser = await spawnChromium({
    args: [`--host-resolver-rules=MAP shop.test:80 127.0.0.1:${port}`, '--window-size=540,520'],
  });
  const server = await startServer({ env: browser.serverEnv });
  const ok = async (name: string, args: Record<string, unknown>): Promise<CallAnswer> => {
    const answer = await server.call(name, args);
    if (answer.isError) throw new Error(answer.text);
    return answer;
  };
  try {
    await ok('navigate', { url: 'http://shop.test/order' });
    const { text } = await ok('interact', ARGS);
    const { raw } = await ok('screenshot', {});
    const picture = raw.content.find((block) => block.type === 'image');
    if (picture === undefined) throw new Error('The screenshot has no picture.');
    return { receipt: text, page: picture.data };
  } finally {
    await server.close();
    await browser.close();
    http.closeAllConnections();
    http.close();
  }
}

const callText = `interact ${JSON.stringify(ARGS, null, 2).replaceAll(/\[\s+(".*")\s+\]/g, '[$1]')}`;

const sheet = ({ receipt, page }: Act): string => `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; background: transparent; font: 14px/1.5 system-ui, sans-serif; color: #dfe6ee }
  #sheet { display: flex; width: 880px; border-radius: 12px; overflow: hidden; background: #16202b }
  .says { flex: 1; padding: 20px 24px; min-width: 0 }
  .page { width: 400px; background: #f6f4ef; display: flex; flex-direction: column }
  .page img { width: 400px; display: block }
  h2 { font-size: 12px; font-weight: 600; letter-spacing: 0.04em; text-transform: uppercase; margin: 0 0 8px; color: #8fa3b8 }
  pre { font: 13px/1.55 ui-monospace, 'DejaVu Sans Mono', monospace; margin: 0 0 20px; white-space: pre-wrap; overflow-wrap: anywhere }
  #receipt { border-left: 3px solid #4cc38a; padding-left: 12px; margin: 0 }
  .caption { color: #4a5663; font-size: 12px; padding: 10px 16px; background: #e9e5db }
</style><div id="sheet"><div class="says">
  <h2>The agent calls</h2><pre id="call"></pre>
  <h2>The receipt, ${countTokens(receipt)} tokens</h2><pre id="receipt"></pre></div>
  <div class="page"><div class="caption">The tab afterwards, behind the one in front</div>
  <img src="data:image/png;base64,${page}"></div></div>`;

const acted = await act();
const browser = await chromium.launch({ executablePath: await executable() });
try {
  const page = await browser.newPage({ deviceScaleFactor: 1.25, viewport: { width: 1_000, height: 900 } });
  await page.setContent(sheet(acted));
  await page.locator('#call').evaluate((pre, text) => (pre.textContent = text), callText);
  await page.locator('#receipt').evaluate((pre, text) => (pre.textContent = text), acted.receipt);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await page.locator('#sheet').screenshot({ path: file, omitBackground: true });
} finally {
  await browser.close();
}
