import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { rounds, sample } from '../../../support/depth.ts';
import { openLab } from '../../../support/page-lab/lab.ts';
import type { LocateFunctions } from '../../../support/page-lab/locate-bundle.ts';
import { LOCATORS, PAGES, SELECTORS } from './cases.ts';

const lab = await openLab<LocateFunctions>('tests/support/page-lab/locate-bundle.ts');

const FIXTURES = resolve('fixtures/pages');
const pages: readonly (readonly [string, string])[] = [
  ...Object.entries(PAGES),
  ...sample(
    readdirSync(FIXTURES).filter((name) => name.endsWith('.html')),
    8,
  ).map((name) => [name, readFileSync(resolve(FIXTURES, name), 'utf8')] as const),
];

const DIFFERENCES: readonly { readonly found: RegExp; readonly why: string }[] = [
  { found: /^role=button.*only ours \d+ summary$/, why: 'snapshots call a summary a button' },
  { found: /^role=heading\[level=.*\d h2$/, why: 'aria-level is the level, as in the tree of Chromium' },
  {
    found: /^role=textbox.*only ours \d+ div$/,
    why: 'an editable element is a textbox, as in the tree of Chromium',
  },
  { found: /^role=form: only ours \d+ form$/, why: 'snapshots show a form without a name' },
  { found: /^role=group: only ours \d+ address$/, why: 'HTML-AAM makes a group of an address' },
  { found: /^text=a >> nth=0: only/, why: 'ours follow the order of the page, into shadow trees and frames' },
];

const isKnown = (difference: string): boolean => DIFFERENCES.some(({ found }) => found.test(difference));

/** Selectors, where they are wrong, and a word of the reason. */
const INVALID = [
  ['', 0, 'empty'],
  ['css=', 4, 'missing'],
  ['css=div > [', 10, 'not CSS'],
  ['css=p, a:nope(1)', 7, 'not CSS'],
  ['bogus=1', 0, 'css, text, role'],
  ['*css=p', 0, 'not an engine'],
  ['text=', 5, 'takes a text'],
  ['text=/(/', 5, 'regular expression'],
  ['role=', 5, 'a role'],
  ['role=button[', 12, 'name of an attribute'],
  ['role=button[name', 16, '= or ]'],
  ['role=button[name="Save"', 23, ']'],
  ['role=button[nam="Save"]', 12, 'include-hidden, level'],
  ['css=p >> role=checkbox[checked=maybe]', 23, 'true, false, mixed'],
  ['role=button[name*=/x/]', 18, 'compared with ='],
  ['role=button[name=]', 17, 'a value'],
  ['role=button junk', 12, '['],
  ['role=heading[level=x]', 13, 'a number'],
  ['xpath=//[', 6, 'XPath'],
  ['css=p >> nth=first', 13, 'whole number'],
  ['css=p >> visible=maybe', 17, 'true or false'],
  [`css=${':is('.repeat(2_000)}p${')'.repeat(2_000)}`, 4, 'nested too deep'],
] as const;

const marksOf = async (locator: Locator): Promise<string[]> =>
  (
    await locator.evaluateAll((els) => els.map((el) => el.getAttribute('data-mark') ?? el.localName))
  ).toSorted();

const ours = async (
  selectors: readonly string[],
): Promise<readonly (readonly [string, string[] | string])[]> =>
  (await lab.call('locateEach', selectors)).map((found, at) => [
    selectors[at] ?? '',
    typeof found === 'string' ? found : found.toSorted(),
  ]);

const PATTERN = /^\/(.+)\/(\w*)$/;
function locatorOf(page: Page, kind: keyof typeof LOCATORS, text: string): Locator {
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
      .slice(0, rounds(60, 8))
      .flatMap((word) => [`text=${word}`, `text="${word}"`, `role=button[name*="${word}"i]`]);
    const wrong: string[] = [];
    let found = 0;
    for (const [selector, mine] of await ours([...SELECTORS, ...texts])) {
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
    for (const kind of ['label', 'placeholder', 'testid'] as const) {
      const texts = LOCATORS[kind].split(' ¦ ');
      for (const [at, [selector, mine]] of (await ours(texts.map((text) => `${kind}=${text}`))).entries())
        expect(mine, selector).toEqual(await marksOf(locatorOf(lab.page, kind, texts[at] ?? '')));
    }
  });
});

it('a selector finds what is in shadow trees and frames, in the order of the page', async () => {
  await lab.call(
    'show',
    `<p>one</p><iframe srcdoc="<p>two</p><iframe srcdoc='<p>three</p>'></iframe>"></iframe>
       <div><template shadowrootmode=open><p>four</p><slot></slot></template><p>five</p></div><p>six</p>`,
  );
  const marks = async (selector: string): Promise<readonly string[] | string> => lab.call('locate', selector);
  const paragraphs = await marks('p');
  expect(paragraphs).toHaveLength(6);
  for (const selector of ['//p', 'css=body >> css=p', 'role=paragraph'])
    expect(new Set(await marks(selector)).size, selector).toBeGreaterThan(3);
  for (const [at, word] of ['one', 'two', 'three', 'four', 'five', 'six'].entries())
    expect(await marks(`text=${word}`)).toEqual([paragraphs[at]]);
  expect(await marks('css=p >> nth=3')).toEqual([paragraphs[3]]);
  expect(await marks('css=iframe >> text=three')).toEqual([paragraphs[2]]);
});

it('a selector is invalid at a position, for a reason', async () => {
  await lab.call('show', '<p>a</p>');
  const answers = await lab.call(
    'locateEach',
    INVALID.map(([selector]) => selector),
  );
  for (const [at, [selector, position, why]] of INVALID.entries()) {
    const answer = answers[at];
    expect(answer, selector).toContain('selector_invalid: ');
    expect(answer, selector).toContain(`invalid at position ${position}: `);
    expect(answer, selector).toContain(why);
  }
});
