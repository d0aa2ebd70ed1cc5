#!/usr/bin/env node
// Draws extension/core/icons/icon.svg at each size that the manifest names: node scripts/icons.mjs
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright';

const svg = await readFile(new URL('../extension/core/icons/icon.svg', import.meta.url), 'utf8');
const browser = await chromium.launch({
  executablePath: process.env.SPILLWAY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic'],
});
try {
  for (const size of [16, 32, 48, 128]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const data = Buffer.from(svg).toString('base64');
    await page.setContent(
      `<body style="margin:0"><img style="display:block;width:100vw" src="data:image/svg+xml;base64,${data}">`,
    );
    await page.locator('img').evaluate((img) => img.decode());
    const path = new URL(`../extension/core/public/icons/${size}.png`, import.meta.url).pathname;
    await page.screenshot({ path, omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
