import { itDeep, sample } from '../../support/depth.ts';
import { expect, test } from 'vitest';
import { openPageLab } from '../../support/page-lab/lab.ts';
import { squash, testEach, testTogether, textOf } from './table.ts';

const SIGHT_CASES = `
# display
none ¦ <p style="display:none">a</p>b ¦ b
hidden attribute ¦ <p hidden>a</p>b ¦ b
contents ¦ <p style="display:contents">a</p>b ¦ ab
contents, which are neither clipped nor faded ¦ <div style="display:contents;overflow:hidden;opacity:0"><p>a</p></div>b ¦ a b
closed dialog ¦ <dialog>a</dialog>b ¦ b
closed details whose content style shows ¦ <style>details::details-content{content-visibility:visible}</style><details><summary>a</summary><p>b</p></details>c ¦ a b c
open dialog ¦ <dialog open>a</dialog>b ¦ a b
closed details ¦ <details><summary>a</summary>b</details>c ¦ a c
# visibility
hidden ¦ <p style="visibility:hidden">a</p>b ¦ b
visible again ¦ <p style="visibility:hidden">a<b style="visibility:visible">b</b></p> ¦ b
content-visibility hidden ¦ <div style="content-visibility:hidden"><p>a</p></div>b ¦ b
# opacity
zero ¦ <p style="opacity:0">a</p>b ¦ b
zero of a check box with a label ¦ <label><input type="checkbox" style="opacity:0"> a</label> ¦ [ ] a
# clipping
an ellipsis ¦ <p style="width:20px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">abc def</p> ¦ abc def
clip of something in flow ¦ <p style="clip:rect(0,0,0,0)">a</p>b ¦ a b
clip-path of nothing ¦ <p style="clip-path:inset(50%)">a</p>b ¦ b
the usual class for screen readers ¦ <span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">a</span>b ¦ b
box without a height that shows what overflows ¦ <div style="height:0">a</div><p>b</p> ¦ a b
box without a height that scrolls ¦ <div style="height:0;overflow:auto">a</div>b ¦ b
out of a box that clips ¦ <div style="height:20px;overflow:hidden"><p style="margin:0;height:20px">a</p><p style="margin:0">b</p></div>c ¦ a c
out of a box that scrolls ¦ <div style="height:20px;overflow:auto"><p style="margin:0;height:20px">a</p><p style="margin:0">b</p></div>c ¦ a b c
an absolute box inside one that clips and does not hold it, or a line ¦ <div style="height:0;overflow:hidden"><p style="position:absolute;top:0">a</p></div>b <i style="overflow:hidden;position:relative">c<b style="position:absolute;left:99px">d</b></i> ¦ a b c d
a fixed box in a transformed one ¦ <div style="transform:translate(0);height:0;overflow:hidden"><p style="position:fixed;top:0">a</p></div>b ¦ b
an open dialog in a box that clips ¦ <style>.c{height:0;overflow:hidden}</style><div class="c"><dialog open style="top:0">a</dialog></div>b ¦ a b
# place
far to the left ¦ <p style="position:absolute;left:-9999px">a</p>b ¦ b
columns from right to left ¦ <div style="writing-mode:vertical-rl;overflow:auto;width:100px;height:60px"><p style="margin:0">a</p><p style="margin:0 400px 0 0">b</p></div> ¦ a b
rows from the bottom up ¦ <div style="display:flex;flex-direction:column-reverse;overflow:auto;height:60px"><p style="margin:0">b</p><p style="margin:0 0 400px">a</p></div> ¦ b a
a page whose body goes from right to left ¦ <body dir="rtl"><div style="position:relative;width:5000px"><p style="position:absolute;right:4000px">a</p>b</div> ¦ a b
text indented away ¦ <h1 style="text-indent:-9999px">a</h1>b ¦ b
page that does not scroll ¦ <body style="overflow:hidden"><p>a</p><div style="margin-top:5000px">b</div> ¦ a b
# size
font of nothing ¦ <p style="font-size:0">a</p>b ¦ b
small font ¦ <small>a</small>b ¦ ab
places where a word may break ¦ <p>a&shy;b c&#8203;d</p> ¦ ab cd
# colour
white over a picture ¦ <p style="color:#fff;background:url(/x.png)">a</p>b ¦ a b
of its box ¦ <p style="color:#123456;background:#123456">a</p>b ¦ b
transparent ¦ <p style="color:transparent">a</p>b ¦ b
white on a dark page ¦ <body style="background:#000"><p style="color:#fff">a</p> ¦ a
# shadow trees
content without a slot ¦ <div><template shadowrootmode="open">a</template>b</div>c ¦ a c
named slots in their order ¦ <div><template shadowrootmode="open"><slot name="x"></slot> <slot></slot></template>a <b slot="x">b</b></div> ¦ b a
a slot in a slot in contents ¦ <div><template shadowrootmode="open"><div style="display:contents"><slot name="x"><slot></slot></slot></div></template>a</div>b ¦ a b
hidden slot ¦ <div><template shadowrootmode="open"><slot hidden></slot></template>a</div>b ¦ b
`;

const HIDDEN_COUNTS = `
nothing hidden ¦ <p>a</p> ¦ 0
one element ¦ <p hidden>a</p>b ¦ 1
what a closed details holds ¦ <details><summary>a</summary><p>b</p><p>c</p></details> ¦ 2
`;

const SOURCE_CASES = `
# by HTML
hidden attribute ¦ <p hidden>a</p>b ¦ b
open details ¦ <details open><summary>a</summary>b</details>c ¦ a b c
noscript is read ¦ <noscript><p>a</p></noscript>b ¦ a b
a lazy picture and its copy ¦ <img src="data:," alt="a"><noscript><img src="/a.png" alt="a"></noscript>b ¦ a b
scripts and templates are not ¦ <script>a</script><template>b</template>c ¦ c
readings of words ¦ <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> ¦ 漢(kan)
picture of one pixel ¦ <img src="/x.png" alt="a" width="1" height="1">b ¦ b
# by inline style
by opacity, clip, place, scale and colour ¦ <p style="opacity:0">a</p>b<p style="position:absolute;clip:rect(0 0 0 0)">c</p><p style="position:absolute;left:-9999px">d</p><p style="transform:scale(0)">e</p><p style="color:transparent">f</p><p style="color:rgba(0,0,0,0)">g</p><p style="color:#fff;background:white">h</p><p style="transform:translateX(-9999px)">i</p> ¦ b
a declaration in a comment, or what is inherited, does not count ¦ <p style="/*display:none*/">a</p>b<p style="visibility:inherit;color:inherit;background:inherit">c</p> ¦ a b c
rules of the page ¦ <style>.h{display:none}</style><p class="h">a</p>b ¦ b
sheets that are not loaded are not known ¦ <link rel=stylesheet href=/h.css><p class="h">a</p>b ¦ a b
# shadow trees
open and declared ¦ <div><template shadowrootmode="open">a<slot></slot></template>b</div> ¦ ab
`;

const lab = await openPageLab();
const AS_TEXT = { format: 'text' } as const;
const readAsText = (all: readonly (readonly string[])[]) =>
  lab.call('readEach', [...all.map(([html = '']) => [html, AS_TEXT] as const)]);

testTogether('rendered', SIGHT_CASES, readAsText, ({ text }, _html, expected) => {
  expect(squash(text)).toBe(expected);
});

testTogether('elements left out', HIDDEN_COUNTS, readAsText, ({ hidden }, _html, expected) => {
  expect(hidden).toBe(Number(expected));
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

testEach('parsed', SOURCE_CASES, async (html = '', expected) => {
  expect(squash(textOf(await lab.call('parse', html, 'text')))).toBe(expected);
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
