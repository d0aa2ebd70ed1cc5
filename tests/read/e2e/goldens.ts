import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import type { Rig } from './rig.ts';

export const PAGES_FOLDER = resolve(import.meta.dirname, '../../../fixtures/pages');
export const EXPECTED = join(PAGES_FOLDER, 'expected');

const ENDINGS: Readonly<Record<ReadPageOptions['format'], string>> = {
  markdown: '.md',
  snapshot: '.snapshot.txt',
  text: '.txt',
  html: '.clean.html',
  nodes: '.ndjson',
};

/** Every case: `area--case`, one file each. */
export const CASES = readdirSync(PAGES_FOLDER)
  .filter((file) => file.endsWith('.html'))
  .map((file) => file.slice(0, -'.html'.length));

/** Cases whose HTML and items are pinned too. */
const FULL_CASES = ['shadow--slots', 'forms--secrets', 'forms--controls', 'frames--inline'];
const TEXT_CASES = [
  'text--reading',
  'hidden--styles',
  'markdown--lists',
  'markdown--tables',
  'frames--inline',
];

export function formatsOf(name: string): ReadPageOptions['format'][] {
  return [
    'markdown',
    'snapshot',
    ...(TEXT_CASES.includes(name) ? ['text' as const] : []),
    ...(FULL_CASES.includes(name) ? ['html' as const, 'nodes' as const] : []),
  ];
}

/** The fixture server's port, and where fonts put a box. */
function mask(text: string): string {
  return text.replace(/\.test:\d+/g, '.test').replace(/"box":\[[^\]]*\]/g, '"box":[]');
}

export function expectedFile(name: string, format: ReadPageOptions['format']): string {
  return join(EXPECTED, `${name}${ENDINGS[format]}`);
}

export function readExpected(name: string, format: ReadPageOptions['format']): string {
  return readFileSync(expectedFile(name, format), 'utf8');
}

/** Opens a case under a host name that is not a secure context. */
export async function openCase(page: Page, port: number, name: string): Promise<void> {
  await page.goto(`http://fixture.test:${port}/${name}.html`);
}

/** One format of an open page, masked; throws what the read failed with. */
export async function readMasked(rig: Rig, page: Page, options: Partial<ReadPageOptions>): Promise<string> {
  const { text, error } = await rig.read(page, options);
  if (error !== null) throw new Error(`${error.code}: ${error.message}`);
  return mask(options.format === 'snapshot' || options.format === 'nodes' ? renumber(text) : text);
}

/** A ref at the start of a line or an item, or of a node. */
const REF = /(?<=^|(?<!\\)[[|]|"ref":")((?:f\d+)*)e(\d+)(?=[ \]"|\n]|$)/gm;

/** Refs are unique per browser: here those of each frame are renumbered from 1, in order of issue. */
export function renumber(text: string): string {
  const numbers = new Map<string, Set<number>>();
  for (const [, prefix = '', number] of text.matchAll(REF))
    numbers.set(prefix, (numbers.get(prefix) ?? new Set()).add(Number(number)));
  const ranks = new Map(
    [...numbers].map(([prefix, given]) => {
      const sorted = [...given].sort((a, b) => a - b);
      return [prefix, new Map(sorted.map((number, at) => [number, at + 1]))];
    }),
  );
  return text.replace(
    REF,
    (_ref, prefix: string, number: string) => `${prefix}e${ranks.get(prefix)?.get(Number(number))}`,
  );
}
