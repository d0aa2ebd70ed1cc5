import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { rounds, sample } from '../../../support/depth.ts';
import { openLab } from '../../../support/page-lab/lab.ts';
import type { LocateFunctions } from '../../../support/page-lab/locate-bundle.ts';
import { LOCATORS, PAGES, SELECTORS } from './cases.ts';
import { isKnown } from './differences.ts';

const lab = await openLab<LocateFunctions>('tests/support/page-lab/locate-bundle.ts');

const FIXTURES = resolve('fixtures/pages');
const pages: readonly (readonly [string, string])[] = [
  ...Object.entries(PAGES),
  ...sample(
    readdirSync(FIXTURES).filter((name) => name.endsWith('.html')),
    8,
  ).map((name) => [name, readFileSync(resolve(FIXTURES, name), 'utf8')] as const),
];

const marksOf = async (locator: Locator): Promise<string[]> =>
  (
    await locator.evaluateAll((els) => els.map((el) => el.getAttribute('data-mark') ?? el.localName))
  ).toSorted();

const ours = async (selector: string): Promise<string[] | string> => {
  const found = await lab.call('locate', selector, true);
  return typeof found === 'string' ? found : found.toSorted();
};

const PATTERN = /^\/(.+)\/(\w*)$/;
function locatorOf(page: Page, kind: (typeof LOCATORS)[number][0], text: string): Locator {
  const [, source, flags] = PATTERN.exec(text) ?? [];
  const wanted = source === undefined ? text.replace(/^"(.*)"$/, '$1') : new RegExp(source, flags);
  const exact = text.startsWith('"');
  if (kind === 'label') return page.getByLabel(wanted, { exact });
  return kind === 'placeholder' ? page.getByPlaceholder(wanted, { exact }) : page.getByTestId(wanted);
}

describe.each(pages)('%s', (_name, html) => {
  it("has for each selector the elements that Playwright's engines find", async () => {
    const { words, elements } = await lab.call('show', html);
    expect(elements).toBeGreaterThan(3);
    const texts = words
      .slice(0, rounds(60, 15))
      .flatMap((word) => [`text=${word}`, `text="${word}"`, `role=button[name*="${word}"i]`]);
    const wrong: string[] = [];
    let found = 0;
    for (const selector of [...SELECTORS, ...texts]) {
      const mine = await ours(selector);
      const theirs = await marksOf(lab.page.locator(selector));
      found += theirs.length;
      if (typeof mine === 'string') wrong.push(`${selector}: ${mine}`);
      else
        wrong.push(
          ...mine.filter((mark) => !theirs.includes(mark)).map((mark) => `${selector}: only ours ${mark}`),
          ...theirs.filter((mark) => !mine.includes(mark)).map((mark) => `${selector}: only theirs ${mark}`),
        );
    }
    expect(wrong.filter((each) => !isKnown(each))).toEqual([]);
    expect(found).toBeGreaterThan(15);
  });

  it('has for labels, placeholders and test ids what its locators find', async () => {
    await lab.call('show', html);
    for (const [kind, text] of LOCATORS)
      expect([kind, text, await ours(`${kind}=${text}`)]).toEqual([
        kind,
        text,
        await marksOf(locatorOf(lab.page, kind, text)),
      ]);
  });
});

describe('a selector', () => {
  it('finds what is in shadow trees and frames, in the order of the page', async () => {
    await lab.call(
      'show',
      `<p>one</p><iframe srcdoc="<p>two</p><iframe srcdoc='<p>three</p>'></iframe>"></iframe>
       <div><template shadowrootmode=open><p>four</p><slot></slot></template><p>five</p></div><p>six</p>`,
    );
    const marks = async (selector: string): Promise<readonly string[] | string> =>
      lab.call('locate', selector, false);
    const paragraphs = await marks('p');
    expect(paragraphs).toHaveLength(6);
    for (const selector of ['//p', 'css=body >> css=p', 'role=paragraph'])
      expect(new Set(await marks(selector)).size, selector).toBeGreaterThan(3);
    for (const [at, word] of ['one', 'two', 'three', 'four', 'five', 'six'].entries())
      expect(await marks(`text=${word}`)).toEqual([paragraphs[at]]);
    expect(await marks('css=p >> nth=3')).toEqual([paragraphs[3]]);
    expect(await marks('css=iframe >> text=three')).toEqual([paragraphs[2]]);
  });

  it.each([
    ['', 0, 'empty'],
    ['css=', 4, 'missing'],
    ['css=button >> ', 13, 'empty'],
    ['css=div >', 9, 'missing'],
    ['css=div > [', 10, 'not CSS'],
    ['css=p, a:nope(1)', 7, 'not CSS'],
    ['bogus=1', 0, 'css, text, role'],
    ['*css=p', 0, 'not an engine'],
    ['text=', 5, 'takes a text'],
    ['text=/(/', 5, 'regular expression'],
    ['role=', 5, 'a role'],
    ['role=button[', 12, 'name of an attribute'],
    ['role=button[name', 16, '= or ]'],
    ['role=button[name=]', 17, 'a value'],
    ['role=button[name="Save"', 23, ']'],
    ['role=button[nam="Save"]', 12, 'include-hidden, level'],
    ['css=p >> role=checkbox[checked=maybe]', 23, 'true, false, mixed'],
    ['role=heading[level=x]', 13, 'a number'],
    ['role=button[name*=/x/]', 18, 'compared with ='],
    ['role=button junk', 12, '['],
    ['xpath=//[', 6, 'XPath'],
    ['//p[', 0, 'XPath'],
    ['css=p >> nth=first', 13, 'whole number'],
    ['css=p >> visible=maybe', 17, 'true or false'],
  ])('%j is invalid at position %i', async (selector, position, why) => {
    await lab.call('show', '<p>a</p>');
    const answer = await lab.call('locate', selector, true);
    expect(answer).toContain('selector_invalid: ');
    expect(answer).toContain(`invalid at position ${position}: `);
    expect(answer).toContain(why);
  });
});
