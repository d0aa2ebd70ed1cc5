import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { bundle } from '../scripts/lib/bundle.mjs';
import { searchChromium } from '../dist/chromium.js';
import { ROOT } from '../scripts/lib/run.mjs';

/*
 * `node bench/markdown-validity.mjs FOLDER [--show]`: reads every saved page of a folder (`.html`,
 * `.html.gz`) as Markdown and parses it with remark. Counts the pages on which a sign of Markdown is
 * left as literal text that is not literal in the page.
 *
 * Needs a build (`npm run build`), which finds the browser. The network is off and no script runs.
 */
const SIGNS = ['**', '~~', '\\'];
const PAGE_TIMEOUT_MS = 20_000;
const BLANK_PAGE = { contentType: 'text/html; charset=utf-8', body: '<!doctype html><body>' };
const NO_MARKDOWN = new Set(['code', 'inlineCode', 'html']);

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node bench/markdown-validity.mjs FOLDER [--show]');

const parser = unified().use(remarkParse).use(remarkGfm);

/** A lazy picture below the window would never load. */
function readPage(file) {
  const bytes = readFileSync(file);
  const html = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return html.replace(/\sloading\s*=\s*["']?lazy["']?/gi, '');
}

/** @throws when a page is not read in time */
async function inTime(work) {
  const late = sleep(PAGE_TIMEOUT_MS, null, { ref: false }).then(() => {
    throw new Error('was not read in time');
  });
  return Promise.race([work, late]);
}

function* textsOf(node) {
  if (node.type === 'text') yield node.value;
  else if (!NO_MARKDOWN.has(node.type)) for (const child of node.children ?? []) yield* textsOf(child);
}

const squash = (text) => text.replace(/\s+/g, '');

/** The texts that contain a sign which the page does not. */
function literalSigns(markdown, pageText) {
  const plain = squash(pageText);
  const found = [];
  for (const text of textsOf(parser.parse(markdown)))
    for (const sign of SIGNS) {
      if (!text.includes(sign)) continue;
      if (!plain.includes(squash(text))) found.push(text);
    }
  return found;
}

async function openLab() {
  const { found } = await searchChromium();
  const browser = await chromium.launch({
    executablePath: found?.path,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
  });
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.route(
    () => true,
    (route) => (route.request().isNavigationRequest() ? route.fulfill(BLANK_PAGE) : route.abort()),
  );
  // The content script's reader, which sets `spillwayLab`.
  const script = await bundle(join(ROOT, 'tests/support/page-lab/page-bundle.ts'));
  const open = async () => {
    await page.goto('http://page.test/');
    await page.addScriptTag({ content: script });
  };
  await open();
  return { browser, page, open };
}

const files = readdirSync(folder, { recursive: true })
  .filter((name) => /\.html?(?:\.gz)?$/.test(name))
  .sort()
  .map((name) => join(folder, name));
const { browser, page, open } = await openLab();
let bad = 0;
let failed = 0;
for (const file of files) {
  try {
    const read = (format) =>
      inTime(
        page.evaluate(
          ([html, options]) => globalThis.spillwayLab.read(html, options).then(({ text }) => text),
          [readPage(file), { format }],
        ),
      );
    const found = literalSigns(await read('markdown'), await read('text'));
    if (found.length === 0) continue;
    bad += 1;
    console.log(`${basename(file)}: ${found.length}`);
    if (flags.includes('--show'))
      for (const text of found.slice(0, 5)) console.log(`    ${text.slice(0, 200)}`);
  } catch (error) {
    failed += 1;
    console.log(`${basename(file)}: ${error.message.split('\n')[0]}`);
    await open();
  }
}
await browser.close();
console.log(`${bad} of ${files.length} pages have a literal sign; ${failed} could not be read.`);
