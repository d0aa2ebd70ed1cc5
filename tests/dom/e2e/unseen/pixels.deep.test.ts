import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import fc from '../../../support/property.ts';
import { COLUMNS, FRAME, PER_SHEET, SHEET, sheetOf, wordOf, type Case } from './sheet.ts';

/*
 * Random style, judged by pixels: a word that changes no pixel of the picture is hidden, and one that changes many is
 * shown. What readers say has to agree.
 */

const DECLARATIONS =
  `position:absolute|position:relative|position:fixed|position:sticky;top:0|top:-30px|top:-20px|left:-80px|left:20px|top:20px|inset:0|z-index:-1|z-index:1|z-index:2
opacity:0|opacity:.05|opacity:.3|opacity:.9|filter:opacity(0)|filter:opacity(.5)|filter:brightness(0)|filter:brightness(9)|filter:contrast(0)|filter:invert(1)|filter:blur(9px)|filter:blur(.3px)|filter:grayscale(1)|filter:drop-shadow(0 0 1px red)|filter:sepia(1) brightness(20)
mix-blend-mode:screen|mix-blend-mode:difference|mix-blend-mode:lighten|mix-blend-mode:darken|mix-blend-mode:multiply|mix-blend-mode:color-dodge|isolation:isolate
transform:scale(0)|transform:scale(.5)|transform:scale(.01,1)|transform:rotate(90deg)|transform:rotateX(90deg)|transform:rotateX(180deg)|transform:rotateY(80deg)|transform:skew(90deg)|transform:skewX(30deg)|transform:translate(-100%)|transform:translateX(-300px)|transform:translateY(40px)|transform:matrix(0,0,0,1,0,0)|transform:perspective(1px) translateZ(2px)|translate:-120px|translate:0 200px|scale:0|scale:.8|scale:1 .01|rotate:y 90deg|rotate:10deg|perspective:40px|transform-style:preserve-3d|backface-visibility:hidden|offset-path:ray(45deg);offset-distance:400px|zoom:.1|zoom:1.2|zoom:.01
clip-path:inset(100%)|clip-path:inset(0)|clip-path:inset(40% 0 40% 0)|clip-path:inset(0 0 0 100%)|clip-path:circle(0)|clip-path:circle(80px)|clip-path:polygon(0 0,0 0,0 0)|clip-path:polygon(0 0,100% 0,100% 100%,0 100%)|clip-path:rect(0 0 0 0)|clip-path:shape(from 0 0,line to 1px 0,line to 0 1px)|clip:rect(0,0,0,0)|clip:rect(0,100px,100px,0)
mask-image:linear-gradient(transparent,transparent)|mask-image:linear-gradient(#000,#000)|mask:linear-gradient(#000,#000) no-repeat 0 0/0 0|mask:none|-webkit-mask-image:linear-gradient(to right,transparent 50%,#000)|mask-image:radial-gradient(transparent,transparent)
color:#fff|color:#fefefe|color:#ccc|color:#777|color:transparent|color:#0001|color:Canvas|color:color-mix(in srgb,#fff 98%,#000)|color:rgb(from black r g b/0)|color:light-dark(#fff,#000)|color:yellow|color:#00f|background:#fff|background:#000|background:#222|background:#eee|background:transparent|background:linear-gradient(#000,#000)|background:linear-gradient(90deg,#fff,#000)|background:rgba(0,0,0,.8)|background-clip:text|-webkit-text-fill-color:#fff|-webkit-text-fill-color:transparent|-webkit-text-stroke:1px #000|-webkit-text-stroke:2px #fff|text-shadow:0 0 2px #000|text-shadow:1px 1px #fff|color-scheme:dark|forced-color-adjust:none|box-shadow:inset 0 0 0 99px #fff|box-shadow:0 0 0 99px #fff|outline:99px solid #fff|border:9px solid #fff|border-image:linear-gradient(#fff,#fff) 1
font-size:0|font-size:1px|font-size:8px|font-size:30px|font-size:calc(1px - 1px)|font-size:2%|font:0/0 a|font:12px/0 serif|line-height:0|line-height:0;overflow:hidden|letter-spacing:3px|word-spacing:-99px|text-indent:-999px|text-indent:-30px|text-indent:200%|text-align:right|text-align:center
overflow:hidden|overflow:clip|overflow-x:hidden|overflow:hidden;height:0|overflow:hidden;width:0|overflow:hidden;max-height:1px|overflow:hidden;max-width:8px|overflow:hidden;block-size:0|overflow:clip;overflow-clip-margin:90px;height:0|height:0|width:0|height:10px|width:30px|width:200px|height:60px|max-height:0|min-height:90px|aspect-ratio:1|contain:paint|contain:strict|contain:size|contain:layout|content-visibility:hidden|content-visibility:auto|visibility:hidden|visibility:visible|visibility:collapse
display:none|display:contents|display:inline-block|display:block|display:flex|display:inline|display:grid|display:table-cell|display:table-row|display:table-column|display:flow-root|display:ruby|display:list-item|float:left|float:right|columns:2|columns:9|column-count:3;height:10px
margin-top:-30px|margin-left:-99px|margin:0|margin:30px|margin:auto|margin-bottom:-40px|margin-inline-start:-200px|margin-block-start:-20px|padding:20px|padding-top:90px|padding-left:230px|inset-inline-start:-200px|inset-block-start:-60px|vertical-align:-90px|vertical-align:super|vertical-align:top
white-space:nowrap|white-space:pre|text-overflow:ellipsis|text-overflow:clip|-webkit-line-clamp:1;display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden|writing-mode:vertical-rl|direction:rtl|unicode-bidi:bidi-override|text-orientation:upright|text-transform:lowercase|text-transform:full-width|-webkit-text-security:disc|text-decoration:line-through|word-break:break-all|overflow-wrap:anywhere|will-change:transform|will-change:opacity|pointer-events:none|user-select:none|interactivity:inert|text-box:trim-both cap alphabetic|initial-letter:3|hanging-punctuation:first|-webkit-box-reflect:below 0|shape-outside:circle(0)|font-variant-position:super|font-variant:small-caps|font-style:italic|font-weight:900|font-stretch:50%|font-family:serif|font-palette:dark|text-emphasis:dot|ruby-position:under|cursor:none|resize:both|object-fit:none|order:-1|grid-area:1/1|align-self:end|place-self:center|animation:k 1ms forwards|transition:opacity 1s|tab-size:99|view-transition-name:a|anchor-name:--a|field-sizing:content|appearance:none|position-visibility:anchors-visible|text-wrap:balance|hyphens:auto`
    .split(/[|\n]/)
    .map((one) => one.trim());

const style = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...DECLARATIONS), { maxLength: max }).map((all) => all.join(';'));
const boxOf = (tags: readonly string[], max: number, contents: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...tags), style(max), fc.constantFrom(...contents))
    .map(([tag, css, content]) => `<${tag} style="${css}">${content}</${tag}>`);
const rarely = (one: fc.Arbitrary<string>, weight: number): fc.Arbitrary<string> =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant('') }, { weight, arbitrary: one });

const around = fc.record({
  tag: fc.constantFrom('div', 'div', 'span', 'section', 'b', 'article', 'a href="#x"'),
  css: style(2),
  before: rarely(boxOf(['div'], 3, ['', 'x', '<br>']), 2),
  after: rarely(boxOf(['div', 'span', 'i'], 3, ['', 'x']), 2),
});
/** Blend modes need something behind the page. */
const GROUND = '<style>html{background:#fff}</style>';

const page = fc
  .record({
    levels: fc.array(around, { minLength: 1, maxLength: 3 }),
    generated: rarely(
      fc
        .tuple(fc.constantFrom('before', 'after'), style(4))
        .map(([where, css]) => `<style>.w::${where}{content:"";${css}}</style>`),
      1,
    ),
    rule: rarely(
      fc
        .tuple(fc.constantFrom('', ':not(.z)', ':is(.w)'), style(3))
        .map(([more, css]) => `<style>.w${more}{${css}}</style>`),
      1,
    ),
  })
  .map(({ levels, generated, rule }) =>
    levels
      .reduce(
        (inner, { tag, css, before, after }, at) =>
          `<${tag}${at === 0 ? ' class="w"' : ''} style="${css}">${before}${inner}${after}</${tag.split(' ')[0]}>`,
        'WORD',
      )
      .concat(generated, rule, GROUND),
  );

const SHEETS = 30;
/** Of the hidden words, and of the shown ones: how many of a hundred may be judged otherwise. */
const MAX_READ = 2;
const MAX_UNREAD = 2;
const READERS = ['markdown', 'text', 'snapshot'] as const;

const lab = await openPageLab();

async function pictureOf(html: string): Promise<string> {
  await lab.call('show', html);
  return (await lab.page.screenshot()).toString('base64');
}

type Change = { readonly max: number; readonly strong: number };

/** By how much the pixels of each frame differ, at most, and how many of them strongly. */
const changesBetween = (before: string, after: string, count: number): Promise<Change[]> =>
  lab.page.evaluate(
    async ({ pictures, frame, columns, frames }) => {
      const pixelsOf = async (png: string): Promise<ImageData> => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        if (pen === null) throw new Error('No canvas.');
        pen.drawImage(bitmap, 0, 0);
        return pen.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [one, other] = await Promise.all(pictures.map(pixelsOf));
      if (one === undefined || other === undefined) throw new Error('No pictures.');
      const changes = Array.from({ length: frames }, () => ({ max: 0, strong: 0 }));
      one.data.forEach((value, at) => {
        const [x, y] = [(at >> 2) % one.width, Math.floor((at >> 2) / one.width)];
        const change = changes[Math.floor(y / frame.height) * columns + Math.floor(x / frame.width)];
        const by = Math.abs(value - (other.data[at] ?? 0));
        if (change === undefined || by === 0) return;
        change.max = Math.max(change.max, by);
        if (by >= 100 && at % 4 === 0) change.strong += 1;
      });
      return changes;
    },
    { pictures: [before, after], frame: FRAME, columns: COLUMNS, frames: count },
  );

/** Whether each frame can be scrolled: its picture does not show all of it. */
const scrollable = (): Promise<boolean[]> =>
  lab.page.evaluate(() =>
    [...document.querySelectorAll('iframe')].map(({ contentDocument }) => {
      const {
        scrollHeight = 0,
        clientHeight = 0,
        scrollWidth = 0,
        clientWidth = 0,
      } = contentDocument?.scrollingElement ?? {};
      return scrollHeight > clientHeight + 4 || scrollWidth > clientWidth + 4;
    }),
  );

test('readers say what the pixels show', { timeout: 900_000 }, async () => {
  await lab.page.setViewportSize(SHEET);
  const hidden = { count: 0, read: [] as string[] };
  const shown = { count: 0, unread: [] as string[] };
  const pages = fc.sample(page, SHEETS * PER_SHEET);
  for (let from = 0; from < pages.length; from += PER_SHEET) {
    const cases: Case[] = pages.slice(from, from + PER_SHEET).map((html) => ({ name: html, html }));
    const blank = await pictureOf(sheetOf(cases, () => '&nbsp;'.repeat(4)));
    const full = await pictureOf(sheetOf(cases, wordOf));
    const changes = await changesBetween(blank, full, cases.length);
    const scrolls = await scrollable();
    const sayings = await lab.call(
      'sayings',
      cases.map((_, at) => wordOf(at)),
    );
    for (const [at, { html }] of cases.entries()) {
      const { max = 0, strong = 0 } = changes[at] ?? {};
      if (scrolls[at] === true) continue;
      const readers = READERS.filter((reader) => sayings[reader]?.toUpperCase().includes(wordOf(at)));
      if (max <= 16) hidden.count += 1;
      if (max <= 16 && readers.length > 0) hidden.read.push(html);
      if (strong >= 70) shown.count += 1;
      if (strong >= 70 && readers.length < READERS.length) shown.unread.push(html);
    }
  }
  console.info(
    `${hidden.count} hidden, ${hidden.read.length} read; ${shown.count} shown, ${shown.unread.length} not read`,
  );
  expect(hidden.count).toBeGreaterThan(300);
  expect(shown.count).toBeGreaterThan(600);
  expect(hidden.read.length, hidden.read.join('\n')).toBeLessThanOrEqual((hidden.count * MAX_READ) / 100);
  expect(shown.unread.length, shown.unread.join('\n')).toBeLessThanOrEqual((shown.count * MAX_UNREAD) / 100);
});
