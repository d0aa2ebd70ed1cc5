import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { bundle } from '../../scripts/lib/bundle.mjs';
import { findChromium } from '../../dist/chromium.js';
import { scorePage, scoreWords, summarizeScores } from './score.mjs';
import { halfOf, readSet } from './sets.mjs';

const USAGE = `node bench/main-content/measure.mjs FOLDER [options]

  --extractor NAME   spillway (default) or readability
  --half dev|held    one half of the set, by hash of the page's name
  --type TYPE        pages of one type of a WCXB split
  --most N           the first N pages
  --write FILE       every page's text, as JSON
  --output FILE      scores such a file, or one of scrapinghub's output/*.json, and runs nothing`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    extractor: { type: 'string', default: 'spillway' },
    half: { type: 'string' },
    type: { type: 'string' },
    most: { type: 'string', default: 'Infinity' },
    write: { type: 'string' },
    output: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error(USAGE);

/** One blank page with the extractors in it: pages are parsed there, and load and run nothing. */
async function openBench() {
  const content = await bundle(join(import.meta.dirname, 'page.js'));
  const browser = await chromium.launch({ executablePath: await findChromium(), headless: true });
  const page = await browser.newPage();
  await page.addScriptTag({ content });
  return {
    extract: (html) =>
      page.evaluate(([name, text]) => globalThis.mainContentBench[name](text), [options.extractor, html]),
    close: () => browser.close(),
  };
}

/** @returns {Promise<Record<string, string>>} texts by page */
async function extractAll(pages) {
  const bench = await openBench();
  const texts = {};
  try {
    for (const { id, html } of pages) texts[id] = await bench.extract(html());
  } finally {
    await bench.close();
  }
  return texts;
}

function readTexts(path) {
  const found = JSON.parse(readFileSync(path, 'utf8'));
  return Object.fromEntries(
    Object.entries(found.output ?? found).map(([id, text]) => [id, text.articleBody ?? text]),
  );
}

const squash = (text) => text.replace(/[\u00ad\u200b]/g, '').replace(/\s+/g, ' ');

/** Share of the strings that the texts hold. */
function shareHeld(pages, texts, name) {
  let [held, all] = [0, 0];
  for (const page of pages) {
    const text = squash(texts[page.id] ?? '');
    all += page[name].length;
    held += page[name].filter((part) => text.includes(squash(part))).length;
  }
  return all === 0 ? null : held / all;
}

function summarizeStrings(pages, texts) {
  let [found, missed, wrong] = [0, 0, 0];
  for (const page of pages) {
    const text = squash(texts[page.id] ?? '');
    const held = page.with.filter((part) => text.includes(squash(part))).length;
    found += held;
    missed += page.with.length - held;
    for (const part of page.without) if (text.includes(squash(part))) wrong += 1;
  }
  const [precision, recall] = [found / (found + wrong), found / (found + missed)];
  return { f1: (2 * precision * recall) / (precision + recall), precision, recall };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const digits = (value) => value.toFixed(4);
const line = ({ f1, precision, recall }) =>
  `F1 ${digits(f1)}  precision ${digits(precision)}  recall ${digits(recall)}`;

/** WCXB's own figures, of each type of page and of all: means of the pages' scores. */
function printWords(pages, texts) {
  const scored = pages.map(({ id, type, gold }) => ({ type, ...scoreWords(gold, texts[id] ?? '') }));
  const types = [...new Set(scored.map(({ type }) => type))].sort();
  for (const type of [...types, 'all']) {
    const some = scored.filter((page) => type === 'all' || page.type === type);
    const means = Object.fromEntries(
      ['f1', 'precision', 'recall'].map((name) => [name, mean(some.map((page) => page[name]))]),
    );
    console.log(`${type.padEnd(14)} ${String(some.length).padStart(4)} pages  ${line(means)}`);
  }
}

const pages = readSet(folder)
  .filter(({ type }) => options.type === undefined || type === options.type)
  .filter(({ id }) => options.half === undefined || halfOf(id) === options.half)
  .slice(0, Number(options.most));
const texts = options.output === undefined ? await extractAll(pages) : readTexts(options.output);
if (options.write !== undefined) writeFileSync(options.write, JSON.stringify(texts));
const gold = pages.filter((page) => page.gold !== null);
console.log(`${pages.length} pages of ${folder}`);
if (gold.length > 0) {
  console.log(
    `text     ${line(summarizeScores(gold.map(({ id, gold }) => scorePage(gold, texts[id] ?? ''))))}`,
  );
  console.log('words');
  printWords(gold, texts);
}
if (shareHeld(pages, texts, 'with') !== null) console.log(`strings  ${line(summarizeStrings(pages, texts))}`);
