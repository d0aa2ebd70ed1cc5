import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';
import { CASES, EXPECTED, PAGES_FOLDER, openCase } from './goldens.ts';
import { openRig, type Rig } from './rig.ts';

const READABILITY = readFileSync(
  createRequire(import.meta.url).resolve('@mozilla/readability/Readability.js'),
  'utf8',
);

let rig: Rig;
let server: FixtureServer;
let page: Page;

beforeAll(async () => {
  server = await serveFixtures({ root: PAGES_FOLDER });
  rig = await openRig();
  page = await rig.context.newPage();
});
afterAll(async () => {
  await page.close();
  await server.close();
});

const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Harmonic mean of precision and recall over words as often as they occur. */
function f1(actual: string, expected: string): number {
  const wanted = new Map<string, number>();
  for (const word of tokens(expected)) wanted.set(word, (wanted.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of tokens(actual)) {
    const left = wanted.get(word) ?? 0;
    if (left > 0) shared += 1;
    wanted.set(word, left - 1);
  }
  return (2 * shared) / (tokens(actual).length + tokens(expected).length);
}

/** What the library makes of the page by itself: a clone of the document, as it is meant to be used. */
function libraryText(): Promise<string> {
  return page.evaluate((source) => {
    const Reader: unknown = new Function(`${source}; return Readability;`)();
    if (typeof Reader !== 'function') throw new Error('No Readability.');
    return Reflect.construct(Reader, [document.cloneNode(true)]).parse()?.textContent ?? '';
  }, READABILITY);
}

test.each(CASES.filter((name) => name.startsWith('article--')))(
  '%s: at least as exact as the library',
  async (name) => {
    await openCase(page, server.port, name);
    const expected = readFileSync(join(EXPECTED, `${name}.main.txt`), 'utf8');
    const { text, result } = await rig.read(page, { format: 'text', main_content_only: true });
    expect(result?.main_content).toBe('found');
    const [ours, library] = [f1(text, expected), f1(await libraryText(), expected)];
    expect(ours).toBeGreaterThanOrEqual(library);
    expect(ours).toBeGreaterThan(0.95);
  },
);

test('a page without an article is read whole, and says so', async () => {
  await openCase(page, server.port, 'shadow--slots');
  const whole = await rig.read(page);
  const { text, result } = await rig.read(page, { main_content_only: true });
  expect(text).toBe(whole.text);
  expect(result).toMatchObject({ main_content: 'whole_page', coverage: [{ kind: 'no_main_content' }] });
  const part = await rig.read(page, { main_content_only: true, selector: 'body' });
  expect(part.result).toMatchObject({ coverage: [] });
});
