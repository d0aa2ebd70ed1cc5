import axe from 'axe-core';
import type { Browser } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { galleryPieces, openGallery, readRecorded, type Gallery } from '../../support/face-page/gallery.ts';
import { launchBrowser } from '../../support/widget-hosts/open.ts';

const TOOLS: readonly ToolManifest[] = MANIFESTS;
const PIECES = galleryPieces();

let browser: Browser;
let gallery: Gallery;
beforeAll(async () => {
  browser = await launchBrowser();
  gallery = await openGallery(browser);
});

it('has every face that a tool declares, and an answer of every tool', () => {
  const declared = TOOLS.flatMap(({ name, faces }) => faces.panel.map((surface) => `${name} · ${surface}`));
  const there = new Set(PIECES.map(({ name }) => name.split(' · ').slice(0, 2).join(' · ')));
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter((face) => !there.has(face))).toEqual([]);
  const recorded = new Set(readRecorded().map(({ tool }) => tool));
  expect(TOOLS.map(({ name }) => name).filter((name) => !recorded.has(name))).toEqual([]);
});

/** Pieces that are wider than their place, blank, or contain markup from a page. */
const FAULTS = `[...document.querySelectorAll('.piece')].flatMap((piece) => {
  const face = piece.querySelector('.detail');
  const seen = face.innerText.trim() !== '' || face.querySelector('img, svg, .c-skeleton, input, textarea') !== null;
  const markup = face.querySelector('script, iframe, object, [onerror], [onclick], a[href^="javascript"], img:not([src^="data:"])');
  return [
    ...(seen ? [] : ['blank']),
    ...(piece.scrollWidth > piece.clientWidth ? ['too wide'] : []),
    ...(markup === null ? [] : ['markup']),
  ].map((fault) => piece.dataset.piece + ': ' + fault);
})`;

/** Landmarks of faces have the same names where many faces are on one page, as nowhere else. */
const VIOLATIONS = `axe.run({ rules: { 'landmark-unique': { enabled: false } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary).join(' | ')))`;

const LOOKS = [
  ['light', 320, 'en'],
  ['light', 1_200, 'en'],
  ['dark', 320, 'en'],
  ['dark', 1_200, 'en'],
  ['dark', 1_200, 'zh-CN'],
  ['dark', 320, 'zh-CN'],
  ['light', 1_200, 'zh-CN'],
  ['light', 320, 'zh-CN'],
] as const;
it.each(LOOKS)(
  'is accessible, whole and never blank: %s, %d pixels wide, in %s',
  async (colorScheme, width, language) => {
    const { page, messages } = gallery;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    // In the gate each piece has one of the two looks.
    await gallery.show({ pieces: PIECES, language });
    expect(await page.evaluate(FAULTS)).toEqual([]);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    await page.evaluate(axe.source);
    expect(await page.evaluate(VIOLATIONS)).toEqual([]);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(messages).toEqual([]);
  },
  180_000,
);

it('is reached and worked with the keyboard alone', async () => {
  const { page } = gallery;
  await page.setViewportSize({ width: 400, height: 900 });
  await gallery.show({ pieces: PIECES, language: 'en' });
  // Openers are opened by keyboard, so that their content is reached too.
  await page.evaluate(`globalThis.controls = () => [...document.querySelectorAll('.piece :is(a[href], button, summary, input, select, textarea, [tabindex="0"])')]
    .filter((el) => !el.disabled && el.tabIndex >= 0 && el.checkVisibility({ visibilityProperty: true }))`);
  const opens = `globalThis.controls().filter((el) => el.matches('summary') ? !el.parentElement.open : el.getAttribute('aria-expanded') === 'false')`;
  for (let round = 0; round < 4; round += 1) {
    const count: number = await page.evaluate(`${opens}.length`);
    for (let at = 0; at < count; at += 1) {
      const isThere = await page.evaluate(
        `(() => { const [next] = ${opens}; next?.focus(); return next !== undefined; })()`,
      );
      if (isThere !== true) break;
      await page.keyboard.press('Enter');
    }
  }
  expect(await page.evaluate(`${opens}.length`)).toBe(0);
  // Arrow keys move between the rows of a list, which is one stop of the tab key.
  const reached: number = await page.evaluate(`globalThis.controls().length`);
  expect(reached).toBeGreaterThan(20);
  await page.evaluate(
    `globalThis.seen = new Set(); globalThis.controls()[0].focus(); globalThis.seen.add(document.activeElement)`,
  );
  // The browser adds stops of its own: scrollable places.
  for (let at = 1; at < reached * 2; at += 1) {
    await page.keyboard.press('Tab');
    const isOver = await page.evaluate(
      '(globalThis.seen.add(document.activeElement), globalThis.controls().every((el) => globalThis.seen.has(el)))',
    );
    if (isOver === true) break;
  }
  const left = await page.evaluate(
    `globalThis.controls().filter((el) => !globalThis.seen.has(el)).map((el) => el.outerHTML.slice(0, 160))`,
  );
  expect(left).toEqual([]);
}, 240_000);
