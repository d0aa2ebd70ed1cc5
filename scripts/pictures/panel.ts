import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EXTENSION_ID } from '../../shared/core/bridge/wire.ts';
import { TEST_NAMES } from '../lib/chromium-switches.ts';
import { openSidePanel, until } from '../../tests/support/side-panel.ts';
import { spawnBrowser, type SpawnedBrowser } from '../../tests/support/worker/browser.ts';
import { CdpTarget } from '../../tests/support/worker/cdp-target.ts';
import { createProfile, removeProfile } from '../../tests/support/browser.ts';
import { startServer, type StdioServer } from '../../tests/support/stdio-server.ts';

/*
 * Makes the pictures of the side panel and of the popup: `tsx scripts/pictures/panel.ts [FOLDER]`. Without a folder, those of docs/images.
 * Two agents at two servers work in one browser, and the panel is the real one. Needs a build, and a font with Chinese.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images'));

const TEAS = ['Sencha', 'Gyokuro', 'Assam', 'Darjeeling', 'Oolong', 'Pu-erh', 'Matcha', 'Keemun', 'Bancha'];
const NOTES = ['Steamed, fresh and grassy.', 'Malty; takes milk well.', 'Light, with a note of muscat.'];
const noteOf = (index: number): string => NOTES[index % NOTES.length] ?? '';

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`;

const shop = createServer(({ url = '/' }, response) => {
  const index = Number(/^\/tea\/(\d+)$/.exec(url)?.[1] ?? NaN);
  const tea = TEAS[index];
  const type = url === '/teas.json' ? 'application/json' : 'text/html; charset=utf-8';
  response.setHeader('content-type', type);
  if (url === '/') {
    const links = TEAS.slice(0, 6).map((name, at) => `<li><a href="/tea/${at}">${name}</a></li>`);
    response.end(
      html('Tea shop', `<p>Leaf tea from small gardens, sent within a day.</p><ul>${links.join('')}</ul>`),
    );
  } else if (tea !== undefined)
    response.end(html(tea, `<p>${noteOf(index)}</p><p>€ ${8 + index}.00 for 100 g</p>`));
  else if (url === '/teas.json')
    response.end(
      JSON.stringify(
        TEAS.map((name, at) => ({
          name,
          origin: at % 2 === 0 ? 'Japan' : 'India',
          price: 8 + at,
          stock: 40 - at,
        })),
      ),
    );
  else response.writeHead(404).end();
});

class Panel {
  readonly #target: CdpTarget;

  constructor(target: CdpTarget) {
    this.#target = target;
  }

  async look(theme: 'light' | 'dark', height = 620): Promise<void> {
    const size = { width: 380, height, deviceScaleFactor: 2, mobile: false };
    await this.#target.send('Emulation.setDeviceMetricsOverride', size);
    await this.#target.send('Emulation.setScrollbarsHidden', { hidden: true });
    const features = [
      { name: 'prefers-color-scheme', value: theme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ];
    await this.#target.send('Emulation.setEmulatedMedia', { features });
  }

  /** Clicks on the first element of a selector whose text has `text`. */
  async click(selector: string, text = ''): Promise<void> {
    await until(`${selector} ${text}`, () =>
      this.#target.evaluate<boolean>(`(() => {
        const found = [...document.querySelectorAll(${JSON.stringify(selector)})].find(({ innerText }) => innerText.includes(${JSON.stringify(text)}));
        for (const marked of document.querySelectorAll('[data-click]')) delete marked.dataset.click;
        if (found !== undefined) found.dataset.click = '';
        return found !== undefined;
      })()`),
    );
    await this.#target.click('[data-click]');
  }

  async choose(selector: string, value: string): Promise<void> {
    await until(selector, () =>
      this.#target.evaluate<boolean>(`(() => {
        const found = document.querySelector(${JSON.stringify(selector)});
        if (found === null) return false;
        found.value = ${JSON.stringify(value)};
        found.dispatchEvent(new Event('change', { bubbles: true }));
        return true;
      })()`),
    );
  }

  shows(text: string): Promise<unknown> {
    return until(text, () =>
      this.#target.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(text)})`),
    );
  }

  async scrollTo(selector: string): Promise<void> {
    await this.#target.evaluate(`document.querySelector(${JSON.stringify(selector)})?.scrollIntoView()`);
  }

  async picture(name: string): Promise<void> {
    await save(this.#target, name);
  }
}

async function save(target: CdpTarget, name: string): Promise<void> {
  await target.evaluate('document.activeElement?.blur()');
  await delay(500);
  const how = { format: 'webp', quality: 60 };
  const { data } = await target.send<{ data: string }>('Page.captureScreenshot', how);
  const bytes = Buffer.from(data, 'base64');
  await writeFile(join(folder, name), bytes);
  console.log(`${name}  ${bytes.length}`);
}

/** A popup takes the scale of the browser, and no more room than its window. */
const SHARP = ['--force-device-scale-factor=2', '--window-size=1600,1600', '--screen-info={1600x1600}'];

/** Takes the popup once it shows the element of a selector. */
async function takePopup(browser: SpawnedBrowser, name: string, shown: string): Promise<void> {
  const workers = browser.devtools.contexts().flatMap((context) => context.serviceWorkers());
  await workers[0]?.evaluate('chrome.action.openPopup()');
  const url = `chrome-extension://${EXTENSION_ID}/install/popup/popup.html`;
  const target = await until('popup', async () => (await CdpTarget.find(browser, 'page', url)) ?? false);
  await until(shown, () => target.evaluate<boolean>(`document.querySelector('${shown}') !== null`));
  await save(target, name);
  await target.evaluate('close()').catch(() => undefined);
}

/** @throws with the answer if nothing was stored: its row would never appear */
async function store(agent: StdioServer, tool: string, args: Record<string, unknown>): Promise<void> {
  const { text } = await agent.call(tool, { ...args, output_mode: 'handle' });
  if (!text.includes('"output_handle"')) throw new Error(`${tool} stored nothing: ${text}`);
}

/** Works as two agents do. One of their calls fails. */
async function work(claude: StdioServer, codex: StdioServer, site: string): Promise<void> {
  await claude.call('navigate', { url: `${site}/` });
  await claude.call('read_page', {});
  await store(claude, 'crawl', { url: `${site}/`, max_pages: 6 });
  await codex.call('tabs', {});
  await codex.call('read_page', { tab: 'b1:999' });
  await store(claude, 'fetch', { url: `${site}/teas.json` });
  await codex.call('oc_journal', {});
}

/** The popup of a browser in which no host is installed. */
async function takeUnconnected(): Promise<void> {
  const bare = await spawnBrowser(mkdtempSync(join(tmpdir(), 'spillway-pictures-')), SHARP);
  try {
    await takePopup(bare, 'popup-not-set-up-light.webp', '#retry-row:not([hidden])');
  } finally {
    await bare.close();
  }
}

await takeUnconnected();
const profile = createProfile(undefined, { rules: 'person' });
const home = mkdtempSync(join(tmpdir(), 'spillway-pictures-'));
shop.listen(0, '127.0.0.1');
await once(shop, 'listening');
const site = `http://teas.test:${(shop.address() as AddressInfo).port}`;
const browser = await spawnBrowser(profile.profile, [TEST_NAMES, ...SHARP]);
const bin = resolve(import.meta.dirname, '../../node_modules/.bin');
const env = { ...profile.serverEnv, PATH: [bin, process.env['PATH']].join(delimiter) };
const [claude, codex] = [
  await startServer({ env, home, clientName: 'claude-code' }),
  await startServer({ env, home, clientName: 'codex' }),
];
let cursor: StdioServer | undefined;
try {
  await claude.call('tabs', {});
  const panel = new Panel(await openSidePanel(browser));
  await panel.look('light');
  await panel.click('#tab-timeline');
  await work(claude, codex, site);
  await panel.click('.row.call', 'tab_not_found');
  await panel.shows('Call tabs');
  await panel.picture('panel-timeline-light.webp');
  await panel.click('#tab-outputs');
  await panel.click('.outputs-part .row', 'Fetch file');
  await panel.shows('Gyokuro');
  await panel.picture('panel-output-light.webp');
  await panel.click('#part button', 'All outputs');
  await panel.look('dark');
  await panel.click('.outputs-part .row', 'Crawl');
  await panel.shows('Tea shop');
  await panel.picture('panel-output-dark.webp');
  await panel.look('light');
  await panel.click('#tab-now');
  await panel.click('.agent-group:nth-of-type(2) button', 'Stop');
  await panel.shows('Allow again');
  await panel.picture('panel-now-light.webp');
  await panel.click('.agent-group button', 'Allow again');
  await takePopup(browser, 'popup-connected-light.webp', '#agent-list .stop');
  await panel.click('#tab-settings');
  await panel.look('light', 850);
  await panel.shows('Extension');
  await panel.picture('panel-settings-light.webp');
  const files = { id: 'files', command: 'mcp-server-filesystem', args: ['notes'], cwd: home };
  // As private as the home that it is in.
  mkdirSync(join(home, 'notes'), { mode: 0o700 });
  writeFileSync(join(home, 'spillway.json'), JSON.stringify({ upstreams: [files] }));
  cursor = await startServer({ env, home, clientName: 'cursor' });
  await cursor.call('oc_journal', {});
  await panel.click('[aria-labelledby=upstreams-title] .warning button');
  await panel.shows('read_file');
  await panel.scrollTo('[aria-labelledby=upstreams-title] .warning');
  await panel.picture('panel-upstream-light.webp');
  await cursor.client.close();
  cursor = undefined;
  await panel.choose('#panel-language', 'zh-CN');
  await panel.look('dark');
  await panel.click('#tab-ledger');
  await panel.shows('codex');
  await panel.picture('panel-ledger-dark-zh.webp');
} finally {
  await Promise.allSettled([claude.close(), codex.close(), cursor?.close()]);
  await browser.close();
  shop.closeAllConnections();
  shop.close();
  rmSync(home, { recursive: true, force: true });
  await removeProfile(profile);
}
