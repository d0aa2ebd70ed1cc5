import { itDeep, sample } from '../../support/depth.ts';
import { expect, test } from 'vitest';
import { openPageLab } from '../../support/page-lab/lab.ts';
import { squash, textOf } from '../../support/page-lab/texts.ts';
import { testPages, testPagesTogether, type PageCase } from '../../support/page-cases.ts';

const lab = await openPageLab();
const AS_TEXT = { format: 'text' } as const;
const readAsText = (all: readonly PageCase[]) =>
  lab.call('readEach', [...all.map(({ html }) => [html, AS_TEXT] as const)]);

testPagesTogether('rendered', ['dom/shown'], readAsText, ({ text }, page) => {
  expect(squash(text)).toBe(page.text('.txt'));
});

testPagesTogether('elements left out', ['dom/left-out'], readAsText, ({ hidden }, page) => {
  expect(hidden).toBe(Number(page.text('.txt')));
});

test('elements left out are read when they are asked for', async () => {
  const html = '<p hidden>a</p><p style="opacity:0">b</p><p style="visibility:hidden">c</p>';
  const { text, hidden } = await lab.call('read', html, { format: 'text', include_hidden: true });
  expect([squash(text), hidden]).toEqual(['a b c', 0]);
});

test.each([
  ['b', 'opacity:0'],
  ['a\n\nb', 'clip-path:inset(0);width:9px'],
])('a popover is read: %j in a part with %s', async (read, style) => {
  await lab.call('show', `<div style="${style}">a<p popover>b</p></div>`);
  await lab.page.evaluate(() => document.querySelector('p')?.showPopover());
  expect((await lab.call('readShown', AS_TEXT)).text).toBe(read);
});

test('a rule that a script adds to a group hides as any other', async () => {
  const html = '<style>@media all { a {} }</style><p>a</p><p class="h">b</p>';
  expect((await lab.call('read', html, AS_TEXT)).text).toBe('a\n\nb');
  await lab.page.evaluate(() => {
    const group = document.styleSheets[0]?.cssRules[0];
    if (group instanceof CSSMediaRule) group.insertRule('.h { opacity: 0 }');
  });
  expect((await lab.call('readShown', AS_TEXT)).text).toBe('a');
});

testPages('parsed', 'dom/source', async (page) => {
  expect(squash(textOf(await lab.call('parse', page.html, 'text')))).toBe(page.text('.txt'));
});

/** Whether each format, and a search, has the last word of the page that is shown. */
const haveLastWord = async (): Promise<boolean[]> => {
  const formats = ['markdown', 'text', 'html', 'nodes', 'snapshot'] as const;
  const texts = await Promise.all(formats.map((format) => lab.call('readShown', { format })));
  return [...texts.map(({ text }) => text), String(await lab.call('findEach', ['zebra']))].map((text) =>
    text.includes('zebra'),
  );
};
const ALL = [true, true, true, true, true, true];

test.each(
  sample(
    [
      ['a line of 30,000 elements', '<i>a</i> '.repeat(30_000)],
      ['a style sheet of 5 MB', `<style>${'.x1>p{pointer-events:none}'.repeat(200_000)}</style>`],
      [
        'animations that never end',
        `<style>@keyframes k{to{left:9px}}p{position:relative;animation:k 1s infinite}</style>${'<p>a</p>'.repeat(300)}`,
      ],
    ],
    3,
    2,
  ),
)('a page with %s is read to its end', async (_what, html) => {
  await lab.call('show', `${html}<p>zebra</p>`);
  expect(await haveLastWord()).toEqual(ALL);
});

itDeep('a page of 100,000 elements is read to its end', async () => {
  await lab.call('show', `${'<p>a</p>'.repeat(100_000)}<p>zebra</p>`);
  expect((await lab.call('readShown', { format: 'snapshot' })).text).toMatch(/zebra\n$/);
});

// HTML nests no deeper than 512 levels. At 3,000 the layout of the browser itself ends its process.
test('a page of 1,500 levels, made by a script, is read to its end', async () => {
  await lab.call('show', '<p>a</p>');
  await lab.page.evaluate(() => {
    let inner: Element = document.body;
    for (let level = 0; level < 1_500; level += 1) {
      inner.append(document.createElement('div'));
      inner = inner.lastElementChild ?? inner;
    }
    inner.append('zebra');
  });
  expect(await haveLastWord()).toEqual(ALL);
});

test('a page that changes between two parts of its reading says so', async () => {
  const notes = await lab.call('readWhileChanging', '<p>a b c d</p>'.repeat(20_000));
  expect(notes).toEqual(['page_may_have_changed']);
});
