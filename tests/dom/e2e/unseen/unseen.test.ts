import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { pageCases } from '../../../support/page-cases.ts';
import { PER_SHEET, SHEET, sheetOf, wordOf, type Case } from './sheet.ts';

const lab = await openPageLab();

/** Of a sheet: each word is searched for in all that is shown. */
const AT_ONCE = PER_SHEET / 4;

/** The cases of which a reader says the word. */
async function foundIn(cases: readonly Case[]): Promise<Record<string, string[]>> {
  await lab.page.setViewportSize(SHEET);
  const found: Record<string, string[]> = {};
  for (let from = 0; from < cases.length; from += AT_ONCE) {
    const part = cases.slice(from, from + AT_ONCE);
    await lab.call(
      'show',
      sheetOf(part, (at) => wordOf(from + at)),
    );
    const sayings = await lab.call(
      'sayings',
      part.map((_, at) => wordOf(from + at)),
    );
    for (const [reader, text] of Object.entries(sayings)) {
      const known = text.toUpperCase();
      (found[reader] ??= []).push(
        ...part.filter((_, at) => known.includes(wordOf(from + at))).map(({ name }) => name),
      );
    }
  }
  return found;
}

/** Hidden text that a reader says, and why. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // These formats show attributes that tell elements apart, and no person reads those.
  html: ['attributes--a-data-attribute-a-comment-a-template-a-hidden-input-a-description'],
  nodes: ['attributes--a-data-attribute-a-comment-a-template-a-hidden-input-a-description'],
  'extract html': ['attributes--a-data-attribute-a-comment-a-template-a-hidden-input-a-description'],
  findings: ['attributes--a-data-attribute-a-comment-a-template-a-hidden-input-a-description'],
  skeleton: [
    'attributes--a-data-attribute-a-comment-a-template-a-hidden-input-a-description',
    // The browser offers it when a person types.
    'security-and-fallback--an-option-of-a-hidden-list',
  ],
};

/** Visible text that a reader does not have, and why. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  // The text of a shadow tree has an item of its own, which is not there for what is slotted.
  nodes: [
    'next-to-a-cover--in-a-shadow-tree-over-its-backdrop',
    'security-and-fallback--fallback-of-an-object-that-has-nothing',
  ],
  // Selectors and `wait_for` search text, and the value of a field is not text.
  find: ['painted--white-in-a-dark-input'],
  'text=': ['painted--white-in-a-dark-input'],
  'text=/…/': ['painted--white-in-a-dark-input'],
  'wait_for text': [
    'painted--a-pale-placeholder',
    'painted--a-placeholder-of-a-field-with-white-letters',
    'painted--white-in-a-dark-input',
    'painted--white-placeholder-of-a-dark-field',
  ],
  nearest: ['painted--white-in-a-dark-input'],
  // A quoted text is a whole one.
  'text="…"': [
    'clipped--a-scroller-to-the-side',
    'clipped--before-an-ellipsis',
    'legible--the-first-line-of-a-clamp',
    'painted--white-in-a-dark-input',
  ],
};

/** These say names and labels alone. */
const OF_NAMES = ['findings', 'names', 'names of acts', 'labels of fields', 'links', 'skeleton', 'extract'];

test('no reader says what a person cannot see', async () => {
  const found = await foundIn(pageCases('dom/tricks'));
  for (const [reader, names] of Object.entries(found))
    expect([reader, names]).toEqual([reader, EXCEPTIONS[reader] ?? []]);
});

test('readers have what a person sees', async () => {
  const cases = pageCases('dom/look-alikes').map(({ name }) => name);
  const found = await foundIn(pageCases('dom/look-alikes'));
  for (const [reader, names] of Object.entries(found)) {
    if (OF_NAMES.includes(reader)) continue;
    const unread = cases.filter((name) => !names.includes(name));
    expect([reader, unread]).toEqual([reader, UNREAD[reader] ?? []]);
  }
});

test('hidden texts that are known to be read are read, so that a change moves them to the tricks', async () => {
  const known = pageCases('dom/known-tricks').map(({ name }) => name);
  const { markdown, snapshot, html } = await foundIn(pageCases('dom/known-tricks'));
  expect({ markdown, snapshot, html }).toEqual({ markdown: known, snapshot: known, html: known });
});

/** The words are links too, so that a crawl would name them. */
async function foundInSource(folder: string): Promise<string[][]> {
  const found: string[][] = [];
  for (const { name, html } of pageCases(folder)) {
    // A rule that hides most of a page is one of its scripts.
    const whole = `${html}<p>${'Other words of the page. '.repeat(9)}</p>`;
    for (const page of [whole, whole.replaceAll('>WORD<', '><a href="/x">WORD</a><')])
      for (const [reader, text] of Object.entries(await lab.call('parsedSayings', page)))
        if (text.includes('WORD')) found.push([reader, name]);
  }
  return found;
}

test('no reader of a parsed page says what its source hides', async () => {
  expect(await foundInSource('dom/source-tricks')).toEqual([]);
});

test('readers of a parsed page have what its rules show', async () => {
  const found = await foundInSource('dom/source-look-alikes');
  for (const { name } of pageCases('dom/source-look-alikes'))
    for (const reader of ['markdown', 'text', 'html', 'nodes', 'links'])
      expect(found).toContainEqual([reader, name]);
});
