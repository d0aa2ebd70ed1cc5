import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../support/page-lab/lab.ts';
import { testEach } from '../../dom/e2e/table.ts';

/** The content of a body, and the lines of its skeleton. */
const SKELETON_CASES = `
# elements
elements are below it ¦ <div>a<b>b</b>c</div> ¦ <div>↵ a↵ <b>b</b>↵ c↵</div>
text is escaped ¦ <p>&lt;!-- a --&gt;</p> ¦ <p>&lt;!-- a --&gt;</p>
# text
is left out ¦ <p>a</p> ¦ <p></p> ¦ {"text_length":0}
is cut ¦ <p>aaa bbb ccc ddd</p> ¦ <p>aaa bbb …</p> ¦ {"text_length":10}
of a closed details is not shown ¦ <details><summary>a</summary>b</details> ¦ <details>↵ <summary>a</summary>↵</details>
# attributes
of tests stay ¦ <p data-testid="a">b</p> ¦ <p data-testid="a">b</p>
that name elements ¦ <p id="a" class="b c">d</p> ¦ <p id="a" class="b c">d</p>
of style and handlers go ¦ <p style="color:red" onclick="x()">a</p> ¦ <p>a</p>
of data that is long go ¦ <p data-x="${'a'.repeat(41)}">b</p> ¦ <p>b</p>
script addresses go ¦ <a href="javascript:x()">a</a> ¦ <a>a</a>
inline data goes ¦ <img src="data:image/gif;base64,AAAA" alt="a"> ¦ <img src="data:…" alt="a">
credentials in addresses go ¦ <a href="https://me:secret@x.test/y">a</a> ¦ <a href="https://x.test/y">a</a>
values that a person entered go ¦ <input value="a" name="b"> ¦ <input name="b">
values are escaped ¦ <p title="a&quot;&gt;&lt;b">c</p> ¦ <p title="a&quot;&gt;&lt;b">c</p>
# hidden
is marked once ¦ <div hidden title="x"><p>a</p></div> ¦ <div hidden><!-- hidden -->↵ <p></p>↵</div>
by style ¦ <p style="display:none">a</p> ¦ <p><!-- hidden --></p>
# repetition
three are one and a number ¦ <ul><li>a</li><li>a</li><li>a</li></ul> ¦ <ul>↵ <li>a</li>↵ <!-- 2 more like this -->↵</ul>
# depth
is bounded ¦ <div><p><b>a</b></p></div> ¦ <div>↵ <!-- 2 elements deeper -->↵</div> ¦ {"max_depth":2}
# shadow trees
are written as templates ¦ <div><template shadowrootmode="open"><p>a</p></template>b</div> ¦ <div>↵ <template shadowrootmode="open">↵  <p>a</p>↵ </template>↵</div>
# frames
of this origin ¦ <iframe srcdoc="<p>a"></iframe> ¦ <iframe>↵ <!-- frame of http://page.test -->↵ <html>↵  <body>↵   <p>a</p>↵  </body>↵ </html>↵</iframe>
`;

/** States that Chromium does not report; `aria/oracles.test.ts` has the others. */
const STATE_CASES = `
in the legend of what is disabled ¦ <fieldset disabled><legend><input t></legend></fieldset> ¦
read only does not apply ¦ <input t type="checkbox" readonly> ¦
sorted ¦ <table><tr><th t aria-sort="ascending">a</th><th t aria-sort="none">b</th><th t aria-sort="other">c</th></tr></table> ¦ sort ascending |  | sort other
current ¦ <a t href="/x" aria-current="true">a</a><a t href="/x" aria-current="page">a</a> ¦ current | current page
level ¦ <div t role="treeitem" aria-level="2">a</div><h2 t aria-level="3">b</h2> ¦ level 2 |
`;

const SURVEY_CASES = `
links ¦ <a href="/x">a <b>b</b></a><a href="y" rel="NoFollow">c</a> ¦ {"links":[{"url":"http://page.test/x","text":"a b"},{"url":"http://page.test/y","text":"c","rel":"nofollow"}]}
twice, once to be followed ¦ <a href="/x" rel="nofollow">a</a><a href="/x" rel="help">b</a> ¦ {"links":[{"url":"http://page.test/x","text":"a","rel":"help"}]}
no fragments, scripts and mail ¦ <a href="#x">a</a><a href="javascript:x()">b</a><a href="mailto:x@y">c</a><a>d</a> ¦ {"links":[]}
text of a picture ¦ <a href="/x"><img alt="a"></a> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
next and previous ¦ <link rel="next" href="/2"><link rel="prev" href="/0"><link rel="stylesheet" href="/s.css"> ¦ {"links":[{"url":"http://page.test/2","text":"","rel":"next"},{"url":"http://page.test/0","text":"","rel":"prev"}]}
canonical ¦ <link rel="canonical" href="/x"><link rel="canonical" href="/y"> ¦ {"canonical":"http://page.test/x","links":[]}
robots ¦ <meta name="robots" content="NoIndex, nofollow"><meta name="ROBOTS" content="noindex"> ¦ {"robots":["noindex","nofollow"]}
a refresh ¦ <meta http-equiv="refresh" content="5; url=/x"> ¦ {"links":[{"url":"http://page.test/x","text":"","rel":"refresh"}]}
a refresh without scripts ¦ <noscript><meta http-equiv="refresh" content="0;url=/x"></noscript> ¦ {"links":[{"url":"http://page.test/x","text":"","rel":"refresh"}]}
one in the body ¦ <p>a</p><noscript><p>b</p><meta http-equiv="Refresh" content="0; URL='/x'"></noscript> ¦ {"links":[{"url":"http://page.test/x","text":"","rel":"refresh"}]}
places under another base ¦ <base href="http://page.test/b/?c"><a href="#x">a</a><area href=""><a href=" #y ">b</a> ¦ {"links":[{"url":"http://page.test/b/?c","text":"a"}]}
places in the page ¦ <base href="http://page.test/#b"><a href="#x">a</a><a href="">b</a><link rel="next" href=""> ¦ {"links":[]}
a shadow tree ¦ <div><template shadowrootmode="open"><a href="/x">a</a></template></div> ¦ {"links":[{"url":"http://page.test/x","text":"a"}]}
a title ¦ <title> a  b </title> ¦ {"title":"a b"}
`;

/** A page, and where its next page is: an address, a control, or nowhere. */
const NEXT_CASES = `
link of the head ¦ <head><link rel="next" href="/2"></head> ¦ http://page.test/2
link by rel ¦ <a rel="next" href="/2?é">a</a> ¦ http://page.test/2?%E9
link in place of one to another origin ¦ <head><link rel="next" href="https://page.test/2"></head><a href="/3">Next</a> ¦ http://page.test/3
link that says so ¦ <nav><a href="/0">Previous</a><a href="/2">Next</a></nav> ¦ http://page.test/2
number after the current one ¦ <div class="pagination"><a href="/1">1</a><span class="current">2</span><a href="/3">3</a></div> ¦ http://page.test/3
the last page ¦ <div class="pagination"><a href="/1">1</a><span class="current">2</span></div> ¦
disabled link ¦ <nav><a class="disabled" href="/2">Next</a></nav> ¦
button that loads more ¦ <button id="m">Load more</button> ¦ #m
nothing ¦ <a href="/x">a</a> ¦
`;

/** A page, a selector, and the ids of the outermost elements that it names. */
const SELECT_CASES = `
in document order ¦ <p id="a"></p><div id="b"></div><p id="c"></p> ¦ div,p ¦ a b c
in a shadow tree ¦ <div><template shadowrootmode="open"><p id="a"></p></template></div> ¦ p ¦ a
the page before shadow trees ¦ <p id="a"></p><div><template shadowrootmode="open"><p id="b"></p></template></div> ¦ p ¦ a
nothing ¦ <p></p> ¦ div ¦ selector_not_found: No element of http://page.test/ matches selector div.
too deep ¦ <p></p> ¦ ${':is('.repeat(2_000)}p${')'.repeat(2_000)} ¦ selector_invalid: selector ${':is('.repeat(20)}… is nested too deep.
`;

const BARE = '<body style="margin:0">';
const T = '<div id="t" style="width:50px;height:20px"></div>';

/**
 * A page without margins, with left, top, width and height of the visible part of `#t`, `cut` if something hides a
 * part, and offsets while it is measured; or why it has no box. A fifth cell names another target than `#t`.
 */
const BOX_CASES = `
below the fold ¦ <div style="height:2000px"></div>${T} ¦ {"box":[0,2000,50,20]}
transformed ¦ <div id="t" style="width:50px;height:20px;transform:translate(10px,30px)"></div> ¦ {"box":[10,30,50,20]}
the first of several ¦ <p class="t" style="margin:0;width:50px;height:20px"></p><p class="t">b</p> ¦ {"box":[0,0,50,20],"matches":2} ¦ {"selector":".t"}
in a scroller ¦ <div style="width:100px;height:100px;overflow:auto"><div style="height:500px"></div>${T}</div> ¦ {"box":[0,80,50,20],"scrolled":[420]}
in a scroller in a scroller ¦ <div style="width:100px;height:100px;overflow:auto"><div style="height:300px"></div><div style="width:80px;height:60px;overflow:auto"><div style="height:200px"></div>${T}</div></div> ¦ {"box":[0,80,50,20],"scrolled":[260,160]}
to the side in a scroller ¦ <div style="width:100px;height:100px;overflow:auto"><div style="width:400px"><div id="t" style="margin-left:300px;width:50px;height:20px"></div></div></div> ¦ {"box":[50,0,50,20],"scrolled":[250]}
clipped in part ¦ <div style="height:10px;overflow:clip">${T}</div> ¦ {"box":[0,0,50,10],"cut":true}
clipped away ¦ <div style="width:100px;height:100px;overflow:clip"><div style="height:500px"></div>${T}</div> ¦ screenshot_failed: Element <div#t> is clipped by Element <div>, which cannot be scrolled to it.
in a frame ¦ <iframe style="border:0;margin:10px 0 0 20px" srcdoc='${BARE}${T}'></iframe> ¦ {"box":[20,10,50,20]}
below the fold of a frame ¦ <iframe style="display:block;border:0;height:100px" srcdoc='${BARE}<div style="height:300px"></div>${T}'></iframe> ¦ {"box":[0,80,50,20]}
in a shadow tree ¦ <div style="width:100px;height:100px;overflow:auto"><template shadowrootmode="open"><div style="height:500px"></div>${T}</template></div> ¦ {"box":[0,80,50,20],"scrolled":[420]}
not displayed ¦ <p id="t" hidden>a</p> ¦ screenshot_failed: Element <p#t> is not displayed.
a form with a field named id ¦ <form id="t" hidden><input name="id"></form> ¦ screenshot_failed: Element <form#t> is not displayed.
invisible ¦ <p id="t" style="visibility:hidden">a</p> ¦ screenshot_failed: Element <p#t> is hidden by visibility.
not there ¦ ¦ selector_not_found: No element of http://page.test/ matches selector #t.
invalid selector ¦ ¦ selector_invalid: selector ! is not a valid CSS selector. ¦ {"selector":"!"}
invalid ref ¦ ¦ ref_not_found: Ref e1 was never shown to you. ¦ {"ref":"e1"}
`;

const lab = await openPageLab();

testEach('skeleton', SKELETON_CASES, async (html = '', expected = '', options = '{}') => {
  const asked = { selector: 'body', ...JSON.parse(options) };
  const { text } = await lab.call('skeleton', `<body><wbr>${html}<i></i>`, asked);
  const [, body, ...lines] = text.split('\n');
  expect([body, ...lines.slice(-2)]).toEqual(['<body>', ' <i></i>', '</body>']);
  expect(lines.slice(0, -2).map((line) => line.slice(1))).toEqual(expected.split('\n'));
});

testEach('box', BOX_CASES, async (html = '', expected = '', target = '{"selector":"#t"}') => {
  const { box, error, scrolled, left, isClipped, matches } = await lab.call(
    'box',
    `<body style="margin:0">${html}`,
    JSON.parse(target),
  );
  expect(left).toEqual([]);
  if (!expected.startsWith('{')) return expect(error).toBe(expected);
  expect(error).toBe('');
  const area = box === null ? [] : [box.x, box.y, box.width, box.height];
  const defaults = { cut: false, scrolled: [], matches: 1 };
  expect({ box: area, cut: isClipped, scrolled, matches }).toEqual({ ...defaults, ...JSON.parse(expected) });
});

testEach('states', STATE_CASES, async (html = '', expected = '') => {
  expect((await lab.call('states', html)).join(' | ').trim()).toBe(expected.trim());
});

testEach('survey', SURVEY_CASES, async (html = '', expected = '{}') => {
  expect(await lab.call('survey', html)).toMatchObject(JSON.parse(expected));
});

testEach('next page', NEXT_CASES, async (html = '', expected) => {
  expect(await lab.call('next', html)).toBe(expected);
});

testEach('selected elements', SELECT_CASES, async (html = '', selector = '', expected = '') => {
  expect(await lab.call('select', html, selector)).toBe(expected);
});

describe('scrolling', () => {
  const rows = '<p style="height:1000px">a</p>';
  const box = (inner: string, size = 'height:100px;width:400px'): string =>
    `<div style="${size};overflow:auto">${inner}</div>`;
  const shadow = (inner: string): string => `<div><template shadowrootmode="open">${inner}</template></div>`;

  test.each([
    ['the page by a part of its window', rows, ['step'], [1, false]],
    ['then the parts that scroll', box(rows), ['step', 'skip', 'step'], [1, false]],
    ['each part once', box(rows), ['skip', 'skip'], [0, true]],
    ['a part inside another one', box(box(rows) + rows), ['skip', 'skip', 'step'], [1, false]],
    ['no part that only scrolls sideways', box('<p style="width:9000px">a</p>'), ['skip'], [0, true]],
    ['no small part', box(rows, 'height:50px;width:50px'), ['skip'], [0, true]],
    ['no text field', `<textarea rows="9" cols="80">${'a\n'.repeat(12)}</textarea>`, ['skip'], [0, true]],
    ['a part of a shadow tree', shadow(box(rows)), ['skip'], [0, false]],
    ['a frame', `<iframe srcdoc="${rows.replaceAll('"', "'")}" width="400"></iframe>`, ['skip'], [0, false]],
  ] as const)('%s', async (_title, html, moves, expected) => {
    const { offsets, isOver } = await lab.call('scroll', html, moves);
    expect([offsets.length, isOver]).toEqual(expected);
  });

  test('leaves a part of each window in view', async () =>
    expect((await lab.call('scroll', box(rows), ['skip', 'step'])).offsets).toEqual([85]));
});
