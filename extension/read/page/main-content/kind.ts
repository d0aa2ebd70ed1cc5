import { CONTENT_KINDS, type ContentKind } from '../../../../shared/base/content-kinds.ts';
import type { Block } from './blocks.ts';
import { KIND_SCORES } from './weights.ts';

/** Names of the schema.org types in the page's JSON-LD, in lower case. */
const typesOf = (document: Document): string[] =>
  [...document.querySelectorAll('script[type="application/ld+json"]')].flatMap((script) =>
    [...script.textContent.matchAll(/"@type"\s*:\s*\[?\s*"([^"]+)"/g)].map(([, type = '']) =>
      type.toLowerCase(),
    ),
  );

/** Elements by the name of what their number is evidence of. */
const COUNTED = {
  a: 'a',
  article: 'article',
  blockquote: 'blockquote',
  form: 'form',
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  iframe: 'iframe',
  img: 'img',
  input: 'input',
  li: 'li',
  main: 'main',
  p: 'p',
  pre: 'pre,code',
  section: 'section',
  table: 'table',
  time: 'time,[datetime]',
};
const PRICE = /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|kr|zł)\b)\s?\d|\d\s?(?:[€£¥₹]|\b(?:USD|EUR|GBP|kr|zł)\b)/;
const MAX_STEP = 9;
/** A shorter text may be a label. */
const MIN_PROSE_CHARS = 60;
const MIN_PARAGRAPH = 300;
const log = (count: number): number => Math.min(MAX_STEP, Math.floor(Math.log2(count + 1)));

/** Evidence of a page's kind in its structure and data: names in the table of weights. */
function evidenceOfPage(document: Document, blocks: readonly Block[]): string[] {
  const og = document.querySelector('meta[property="og:type"]')?.getAttribute('content') ?? '';
  const found = [`og:${og.toLowerCase()}`, ...typesOf(document).map((type) => `ld:${type}`)];
  const items = [...document.querySelectorAll('[itemtype]')];
  for (const type of new Set(items.map((el) => el.getAttribute('itemtype')?.split('/').pop() ?? '')))
    found.push(`md:${type.toLowerCase()}`);
  const chars = blocks.reduce((sum, { text }) => sum + text.length, 0);
  const linked = blocks.reduce((sum, block) => sum + block.linked, 0);
  const lines = blocks.filter(({ text }) => text.length >= MIN_PROSE_CHARS);
  const prose = lines.reduce((sum, block) => sum + Math.max(0, block.text.length - block.linked), 0);
  const all = Math.max(1, chars);
  const counts: Record<string, number> = {
    prose: Math.floor((10 * prose) / all),
    chars: log(chars / 200),
    linked: Math.floor((10 * linked) / all),
    prices: log(blocks.filter(({ text }) => PRICE.test(text)).length),
    lines: log(lines.length),
    long: log(lines.filter(({ text }) => text.length >= MIN_PARAGRAPH).length),
  };
  for (const [name, selector] of Object.entries(COUNTED))
    counts[name] = log(document.querySelectorAll(selector).length);
  for (const [name, count] of Object.entries(counts))
    for (let step = 1; step <= count; step++) found.push(`${name}>${step}`);
  return found;
}

/** A page of fewer blocks has too little structure to tell its kind by, and hardly anything to leave out. */
const MIN_BLOCKS = 30;
/** A page with a smaller share of evidence for an article is of the kind that comes next. */
const MIN_ARTICLE = 0.65;

/** The kind of a page, by its structure and its data. */
export function resolveContentKind(document: Document, blocks: readonly Block[]): ContentKind {
  if (blocks.length < MIN_BLOCKS) return 'article';
  const found = new Set(evidenceOfPage(document, blocks));
  const ranked = CONTENT_KINDS.map((kind) => ({ kind, power: Math.exp(KIND_SCORES[kind](found)) }));
  ranked.sort((a, b) => b.power - a.power);
  const all = ranked.reduce((sum, { power }) => sum + power, 0);
  const [first, second] = ranked;
  if (first?.kind !== 'article' || second === undefined) return first?.kind ?? 'article';
  return first.power >= MIN_ARTICLE * all ? 'article' : second.kind;
}
