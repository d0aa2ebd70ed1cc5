import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { ContentLines } from '../../../extension/page/crawl-lines.ts';
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
});
