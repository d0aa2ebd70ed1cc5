import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { ContentLines, linkLines } from '../../../extension/page/crawl-lines.ts';
import { parseDeclarations } from '../../../extension/page/walk/declarations.ts';
import { CrawlLine } from '../../../shared/tools/crawl/methods.ts';

const parse = (lines: string): CrawlLine[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => CrawlLine.parse(JSON.parse(line)));

/** A text in pieces, cut anywhere. */
const piecesOf = (whole: string, cuts: readonly number[]): string[] => {
  const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length];
  return at.slice(1).map((end, i) => whole.slice(at[i], end));
};
const anyCuts = fc.array(fc.nat({ max: 400 }), { maxLength: 8 });

describe('lines of crawl.page', () => {
  it('carry a text however it comes in pieces', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), anyCuts, (whole, cuts) => {
        const lines = new ContentLines('text');
        const out =
          piecesOf(whole, cuts)
            .map((part) => lines.push(part))
            .join('') + lines.end();
        const text = parse(out).map((line) => (line.kind === 'text' ? line.text : ''));
        const expected = whole.replace(/^\n+/, '');
        expect(text.join('')).toBe(expected === '' ? '' : `${expected}\n`);
      }),
    );
  });

  it('carry items whole however they come in pieces', () => {
    const items = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 });
    fc.assert(
      fc.property(items, anyCuts, (values, cuts) => {
        const whole = values.map((value) => `${JSON.stringify(value)}\n`).join('');
        const lines = new ContentLines('node');
        const out = piecesOf(whole, cuts).map((part) => lines.push(part));
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

it('a style attribute is read whatever it says, in time', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a:;()\'"/* !\n'), maxLength: 2_000 }), (css) => {
      parseDeclarations(css);
    }),
  );
});
