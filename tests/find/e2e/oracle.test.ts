import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { rounds, sample } from '../../support/depth.ts';
import { openLab } from '../../support/page-lab/lab.ts';
import type { LocateFunctions } from '../../support/page-lab/locate-bundle.ts';

const PAGES: Readonly<Record<string, string>> = {
  'a form': `<form aria-label="Account"><label>First name <input placeholder="Ada" data-testid="first"></label>
    <label for=m>E-mail address</label><input id=m type=email placeholder="you@example.test" required>
    <label>Password <input type=password></label><label>Born <input type=date></label>
    <input type=checkbox id=n checked><label for=n>Newsletter</label>
    <input type=checkbox aria-label="Terms and conditions"><select aria-label=Country><option>France<option selected>Spain<option hidden>Peru</select>
    <fieldset disabled><legend>Later</legend><button>Save</button></fieldset>
    <button class="primary big">Save <b>changes</b></button><button aria-pressed=true>Bold</button>
    <button aria-pressed=mixed>Italic</button><input type=submit value="Send it"><input type=reset>
    <span id=l1>Given</span> <span id=l2>by id</span><input aria-labelledby="l1 l2"><input type=file aria-label=Photo>
    <textarea placeholder="Say something"></textarea><input type=range aria-label=Size></form>`,
  'rows and lists': `<h1>Invoices</h1><h2>Open</h2><table><tr><th>Number<th>Action<tr class=row><td>Invoice 7<td><button>Pay</button>
    <tr class=row><td>Invoice 70<td><button>Pay</button><tr class="row last"><td>Invoice 8<td><button disabled>Pay</button></table>
    <ul><li>One <a href="#a">more</a><li>Two <a href="#b">More</a><li><a>not a link</a></ul>
    <div role=heading aria-level=3>Third</div><ul role=none><li>x</ul><h2 aria-level=4>Fourth</h2>
    <div role=tablist><div role=tab aria-selected=true>Tab A</div><div role=tab aria-selected=false>Tab B</div></div>
    <details open><summary>Details</summary><p>Inside</details><button aria-expanded=false>Menu</button><button aria-expanded=true>Open menu</button>`,
  'what is hidden': `<button style="display:none">Save</button><button style="visibility:hidden">Save</button><div aria-hidden=true><button>Save</button></div>
    <button>Save</button><div style="visibility:hidden"><button style="visibility:visible">Save</button></div><div style="display:contents"><button>Save</button></div>
    <p hidden>secret text</p><p>plain text</p><script>var text = 'text'</script><style>.text { color: red }</style><noscript>text</noscript><template><p>text</p></template>`,
  'text in pieces': `<p>Hello <b>big</b> world</p><p>Hello   big\n world</p><div>hello<span> big world</span></div><div><div><span>one</span></div></div>
    <div>two<br>lines</div><button>O'Brien "quoted"</button><p>soft\u00adhyphen and\u00a0space</p><p>a >> b</p><p>(1) [2] {3} /4/</p><p>1 = 2</p>`,
  'shadow trees': `<div class=outer id=host><template shadowrootmode=open><section class=inner><button class=go>Go <slot></slot></button>
    <p>deep text</p></section><x-deep><template shadowrootmode=open><span class=leaf data-testid=leaf>leaf text</span><input placeholder=deep aria-label=Deep></template></x-deep></template>there</div>
    <div class=outer><span class=leaf>light leaf</span></div><p>deep text outside</p>`,
};

/** Selectors that both engines read in the same way, a line of them for each kind. */
const SELECTORS: readonly string[] = `
css=button ¦ button ¦ #host ¦ .row ¦ .row button ¦ .row > td > button ¦ tr + tr button ¦ h1 ~ table ¦ [placeholder] ¦ button, a[href]
input[type=checkbox]:checked ¦ css=.outer .leaf ¦ css=#host > .inner ¦ #host .inner .go ¦ div.outer x-deep span.leaf
button:has-text("save") ¦ .row:has-text("Invoice 7") button ¦ tr:has(button[disabled]) ¦ p:text("hello") ¦ p:text-is("plain text") ¦ button:visible
li:not(:has-text("one")) ¦ tr:has(td:text-is("Invoice 7")) button ¦ :is(h1:has-text("open"), h2:has-text("open")) ¦ div:has(> button:visible)
text=Save ¦ text=pay ¦ text="Pay" ¦ "Save" ¦ 'Pay' ¦ text=hello big world ¦ text="Hello" ¦ text=text ¦ text=/invoice \\d$/i ¦ text=/^Two/
text=deep text ¦ text=leaf ¦ text=there ¦ text=Send it ¦ text="Send it" ¦ text=O'Brien ¦ text=softhyphen ¦ text=and space ¦ text=one ¦ text=lines ¦ text=(1) [2]
role=button ¦ role=button[name="Save"] ¦ role=button[name="save"i] ¦ role=button[name=/^sa/i] ¦ role=button[name*="chang"] ¦ role=button[name^="Open"]
role=button[name="Save"][disabled] ¦ role=button[disabled=false] ¦ role=button[include-hidden] ¦ role=button[pressed] ¦ role=button[pressed="mixed"]
role=button[expanded] ¦ role=button[expanded=false] ¦ role=checkbox[checked] ¦ role=checkbox[checked=false] ¦ role=tab[selected]
role=heading ¦ role=heading[level=2] ¦ role=heading[level=3] ¦ role=textbox ¦ role=textbox[name="First name"] ¦ role=link ¦ role=row ¦ role=cell
role=columnheader ¦ role=listitem ¦ role=list ¦ role=combobox ¦ role=option ¦ role=group ¦ role=form ¦ role=slider ¦ role=paragraph ¦ role=table
//button ¦ xpath=//tr[2]/td ¦ (//button)[1] ¦ //p[contains(., "text")] ¦ xpath=//li/a
css=.row >> text=Pay ¦ css=tr >> role=button ¦ css=.row >> nth=1 >> button ¦ .row >> nth=-1 ¦ css=button >> text=Save ¦ css=ul >> //a
role=row >> css=td >> nth=0 ¦ text=a >> nth=0 ¦ css=.outer >> css=.leaf ¦ css=p >> visible=true ¦ css=button >> visible=true >> nth=0
css=table >> tr td ¦ form >> css=label input
`
  .trim()
  .split(/ ¦ |\n/);

const LOCATORS = {
  label: `First name ¦ first ¦ "First name" ¦ E-mail ¦ terms and conditions ¦ "Terms and conditions" ¦ Given ¦ Country ¦ Deep ¦ /^e-mail/i`,
  placeholder: `ada ¦ "Ada" ¦ you@ ¦ Say something ¦ deep ¦ /^a/i`,
  testid: 'first ¦ leaf ¦ lea ¦ /^l/',
} as const;

const lab = await openLab<LocateFunctions>('tests/support/page-lab/locate-bundle.ts');
const FIXTURES = resolve('fixtures/pages');
/** Of their texts that nobody can see, ours find none; `tests/dom/e2e/unseen` has them. */
const HIDING = ['article--blog.html', 'article--divs.html', 'hidden--styles.html'];
const pages: readonly (readonly [string, string])[] = [
  ...Object.entries(PAGES),
  ...sample(
    readdirSync(FIXTURES).filter((name) => name.endsWith('.html') && !HIDING.includes(name)),
    16,
  ).map((name) => [name, readFileSync(resolve(FIXTURES, name), 'utf8')] as const),
];

const DIFFERENCES: readonly { readonly found: RegExp; readonly why: string }[] = [
  { found: /^role=button.*only ours \d+ summary$/, why: 'snapshots call a summary a button' },
  { found: /^role=heading\[level=.*\d h2$/, why: 'aria-level is the level, as in the tree of Chromium' },
  { found: /^role=textbox.*only ours \d+ div$/, why: 'an editable element is a textbox, as in Chromium' },
  { found: /^role=form: only ours \d+ form$/, why: 'snapshots show a form without a name' },
  { found: /^role=group: only ours \d+ address$/, why: 'HTML-AAM makes a group of an address' },
  {
    found: /^text=.*: only (?:ours \d+ button|theirs \d+ span)$/,
    why: 'a text that nobody can read stands for the control that it names',
  },
  {
    found: /^(?:css=button >> )?(?:text=)?"?(?:Drawn|Save)"?: only ours \d+ (?:a|button|img)$/,
    why: 'a picture is found by the text that stands for it',
  },
  { found: /^text=a >> nth=0: only/, why: 'ours follow the order of the page, into shadow trees and frames' },
];

const isKnown = (difference: string): boolean => DIFFERENCES.some(({ found }) => found.test(difference));

/** Selectors, where they are wrong, and a word of the reason. */
const INVALID = [
  ['', 0, 'empty'],
  ['css=', 4, 'missing'],
  ['css=div > [', 10, 'not CSS'],
  ['css=p, a:nope(1)', 7, 'not CSS'],
  ['css=p:not(a:nope(1):visible)', 10, 'not CSS'],
  ['bogus=1', 0, 'css, text, role'],
  ['*css=p', 0, 'not an engine'],
  ["getByRole('button', { name: 'Pay' })", 0, 'role=button[name='],
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

/** Those of their elements that show the text: theirs match hidden text too. */
async function shownOf(selector: string, marks: readonly string[]): Promise<string[]> {
  const text = /(?:^|>> )(?:text=)?["']?([^"'=>]+)["']?$/.exec(selector)?.[1]?.toLowerCase();
  const shown: string[] = [];
  for (const mark of marks) {
    const found = lab.page.locator(`[data-mark="${mark}"]`).first();
    const words = (await found.isVisible()) ? await found.innerText() : '';
    if (text === undefined || words.replace(/\s+/g, ' ').toLowerCase().includes(text))
      shown.push(`${selector}: only theirs ${mark}`);
  }
  return shown;
}

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
          ...(await shownOf(
            selector,
            theirs.filter((mark) => !mine.includes(mark)),
          )),
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
       <div><template shadowrootmode=open><p>four</p><slot></slot></template><p>five</p></div><p>six</p>
       <label for=f>seven</label><x-field id=f></x-field><div role=heading>eight</div><label>nine <select><option>ten</select></label><b>eleven<br>twelve</b>`,
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
  expect(await marks('p:has(+ iframe:visible)')).toEqual(paragraphs.slice(0, 2));
  expect(await marks('label=seven')).toEqual([expect.stringContaining('x-field')]);
  for (const selector of ['text=eleven twelve', 'text="eleven twelve"'])
    expect(await marks(selector)).toEqual([expect.stringMatching(/ b$/)]);
  expect(await marks('label="nine"')).toEqual([expect.stringContaining('select')]);
  expect(await marks('role=heading[level=2]')).toEqual([expect.stringContaining('div')]);
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
