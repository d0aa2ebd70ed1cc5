import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { launchBrowser } from '../../tests/support/widget-hosts/open.ts';

/*
 * Makes the pictures for the store of the pictures in docs/images: `tsx scripts/pictures/store.ts [FOLDER]`. Without a folder, in
 * release/store. The sizes are those that the form asks for.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const folder = resolve(process.argv[2] ?? join(ROOT, 'release/store'));
mkdirSync(folder, { recursive: true });

const PICTURES = [
  ['ask', 'It asks you before an agent acts', 'card-light.png'],
  ['panel', 'See what agents do, and stop them', 'panel-now-light.webp'],
  ['output', 'Large answers stay here: the agent pages and queries them', 'panel-output-light.webp'],
] as const;
const SCREENSHOT = { width: 1_280, height: 800 };
const TILE = { width: 440, height: 280 };

const inline = (path: string): string =>
  `data:image/${path.endsWith('webp') ? 'webp' : 'png'};base64,${readFileSync(join(ROOT, path)).toString('base64')}`;

const sheet = (title: string, image: string, scale: number): string => `<!doctype html><style>
  body { margin: 0; height: 100vh; display: grid; grid-template-rows: auto 1fr; place-items: center; gap: 1rem; box-sizing: border-box;
    padding: ${40 * scale}px; font: 600 ${34 * scale}px system-ui, sans-serif; color: #10243e; background: linear-gradient(160deg, #eaf3ff, #c9dffb); }
  img { min-height: 0; max-height: 100%; max-width: 100%; border-radius: ${12 * scale}px; box-shadow: 0 8px 32px #0003; object-fit: contain; }
  img.icon { box-shadow: none; }
</style><div>${title}</div><img class="${scale < 1 ? 'icon' : ''}" src="${image}">`;

const browser = await launchBrowser();
try {
  for (const [name, title, image] of PICTURES)
    await shoot(name, SCREENSHOT, sheet(title, inline(`docs/images/${image}`), 1));
  await shoot('tile', TILE, sheet('Spillway', inline('extension/core/public/icons/128.png'), 0.8));
} finally {
  await browser.close();
}

async function shoot(name: string, viewport: typeof SCREENSHOT, html: string): Promise<void> {
  const page = await browser.newPage({ viewport });
  await page.setContent(html);
  await page.locator('img').evaluate((image: HTMLImageElement) => image.decode());
  await page.screenshot({ path: join(folder, `${name}-${viewport.width}x${viewport.height}.png`) });
  await page.close();
}
