import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { ContentLines, linkLines } from '../../../extension/page/crawl-lines.ts';
import { refreshTarget } from '../../../extension/page/document-summary.ts';
import { parseDeclarations, pixels } from '../../../extension/page/walk/declarations.ts';
import { CrawlLine } from '../../../shared/tools/crawl/methods.ts';

const parse = (lines: string): CrawlLine[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => CrawlLine.parse(JSON.parse(line)));

/** A text in pieces, cut anywhere. */
const pieces = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(fc.nat({ max: 400 }), { maxLength: 8 })).map(([whole, cuts]) => {
    const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length];
    return { whole, parts: at.slice(1).map((end, i) => whole.slice(at[i], end)) };
  });

describe('lines of crawl.page', () => {
  it('carry a text however it comes in pieces', () => {
    fc.assert(
      fc.property(pieces(fc.string({ maxLength: 300 })), ({ whole, parts }) => {
        const lines = new ContentLines('text');
        const out = parts.map((part) => lines.push(part)).join('') + lines.end();
        const text = parse(out).map((line) => (line.kind === 'text' ? line.text : ''));
        const expected = whole.replace(/^\n+/, '');
        expect(text.join('')).toBe(expected === '' ? '' : `${expected}\n`);
      }),
    );
  });

  it('carry items whole however they come in pieces', () => {
    const items = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 });
    fc.assert(
      fc.property(items, fc.array(fc.nat({ max: 400 }), { maxLength: 8 }), (values, cuts) => {
        const whole = values.map((value) => `${JSON.stringify(value)}\n`).join('');
        const at = [
          0,
          ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b),
          whole.length,
        ];
        const lines = new ContentLines('node');
        const out = at.slice(1).map((end, i) => lines.push(whole.slice(at[i], end)));
        const found = parse(out.join('')).map((line) => (line.kind === 'node' ? line.node : undefined));
        expect(JSON.stringify(found)).toBe(JSON.stringify(values));
      }),
    );
  });

  it('hold some hundred links each', () => {
    const links = Array.from({ length: 1_200 }, (_, i) => ({ url: `http://a.test/${i}`, text: '' }));
    const lines = parse(linkLines(links));
    expect(lines).toHaveLength(3);
    expect(lines.flatMap((line) => (line.kind === 'links' ? line.links : []))).toEqual(links);
    expect(linkLines([])).toBe('');
  });
});

it.each([
  ['5; url=/next', '/next'],
  ["0;URL='/a b'", '/a b'],
  ['3;"/quoted" rest', '/quoted'],
  ['1.5, /bare', '/bare'],
  ['5', null],
  ['5;', null],
  ['url=/next', null],
])('meta refresh %j leads to %j', (content, target) => expect(refreshTarget(content)).toBe(target));

describe('a style attribute', () => {
  it.each([
    ['display:none', { display: 'none' }],
    ['COLOR : Red !important;; x', { color: 'red' }],
    ["background:url('a;display:none');top:0", { background: "url('a;display:none')", top: '0' }],
    ['/* display:none; */ left: -1px', { left: '-1px' }],
    ['a:1;a:2', { a: '2' }],
    ['width:calc((1px + 2px) * 2); height: 1px', { width: 'calc((1px + 2px) * 2)', height: '1px' }],
  ])('%j', (css, expected) => expect(Object.fromEntries(parseDeclarations(css))).toEqual(expected));

  it('is read whatever it says, in time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a:;()\'"/* !\n'), maxLength: 2_000 }), (css) => {
        parseDeclarations(css);
      }),
    );
  });

  it.each([
    ['-9999px', -9_999],
    ['0', 0],
    ['.5em', 8],
    ['12pt', 16],
    ['5', null],
    ['50%', null],
    [undefined, null],
  ])('length %s', (value, px) => expect(pixels(value)).toBe(px));
});
