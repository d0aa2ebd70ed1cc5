import { expect, test } from 'vitest';
import {
  describeChanges,
  compareLines,
  firstRef,
} from '../../../extension/read/page/write/snapshot-changes.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';

const describeLines = (old: readonly string[], now: readonly string[]): string[] =>
  describeChanges(old, now, false).map(({ text }) => text);

const ROWS = ['a|b|[e3 button Buy]', 'a|b|e4 button Buy', 'a|b|'];
/** Lines that are often equal, or differ only in their refs. */
const line = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('link', 'button Buy', 'button Sell'))
    .map(([ref, rest]) => `e${ref} ${rest}`),
  fc.constantFrom('# Prices', '@main', 'Some text', 'Other text', '', ...ROWS),
);
const page = fc.array(line, { maxLength: 30 });
/** A page, and the same after some lines were moved, removed, doubled or replaced. */
const edited = page.chain((old) =>
  fc
    .array(fc.tuple(fc.nat(), fc.nat(), line, fc.constantFrom('move', 'remove', 'insert', 'replace')), {
      maxLength: 6,
    })
    .map((edits) => {
      const now = [...old];
      for (const [from, to, text, kind] of edits) {
        const at = now.length === 0 ? 0 : from % now.length;
        if (kind === 'insert') now.splice(at, 0, text);
        else if (kind === 'replace') now.splice(at, 1, text);
        else {
          const taken = now.splice(at, 1);
          if (kind === 'move') now.splice(now.length === 0 ? 0 : to % now.length, 0, ...taken);
        }
      }
      return [old, now] as const;
    }),
);

test('a comparison takes each line of both sides once, and leads from the lines before to the lines now', () => {
  fc.assert(
    fc.property(fc.oneof(edited, fc.tuple(page, page)), ([old, now]) => {
      const changes = compareLines(old, now);
      const applied = changes
        .filter(({ kind }) => kind !== 'removed')
        .map(({ kind, before, after }) => (kind === 'same' ? old[before] : now[after]));
      expect(applied).toEqual(now);
      expect(changes.flatMap(({ after }) => (after === -1 ? [] : [after]))).toEqual(now.map((_, at) => at));
      const taken = changes.flatMap(({ before }) => (before === -1 ? [] : [before]));
      expect(taken.toSorted((a, b) => a - b)).toEqual(old.map((_, at) => at));
      const kept = changes
        .filter(({ before, isMoved }) => before !== -1 && !isMoved)
        .map(({ before }) => before);
      expect(kept).toEqual(kept.toSorted((a, b) => a - b));
    }),
    { numRuns: rounds(2_000, 300) },
  );
});

test.each([
  ['an item', 'e13 a link', 'e13'],
  ['an item that fills a cell', '1|e7 button Buy', 'e7'],
  ['escaped text', '\\e13 text', ''],
])('a comparison finds the ref of %s', (_title, text, ref) => expect(firstRef(text)).toBe(ref));

test.each<[title: string, old: string[], now: string[], said: string[]]>([
  ['below the nearest region', ['# A', '@main', 'x'], ['# A', '@main', 'x', 'y'], ['  @main', '+ y']],
  [
    'for a block that moved',
    ['x', 'e5 A', 'e6 B', 'y', 'z', 'w'],
    ['x', 'y', 'z', 'w', 'e5 A', 'e6 B'],
    ['> 2 lines: e5 A … e6 B'],
  ],
  [
    'for elements that equal ones took the place of',
    ['e5 A', 'e6 B'],
    ['e15 A', 'e16 B'],
    ['~ e15 A (was e5)', '~ e16 B (was e6)'],
  ],
  ...[
    ['e1 textbox Report', 'e1 textbox Report = x'],
    ['e1 textbox Full name', 'e1 textbox Full name = Ada'],
    ['e1 textbox [required, invalid] Report', 'e1 textbox [required] Report = x'],
    ['e1 combobox Day', 'e1 combobox Day (Mon|Tue)'],
    ['e1 Terms', 'e1 Terms -> /terms'],
    ['1|e4 textbox Report|e5 textbox B', '1|e4 textbox Report = x|e5 textbox B = y'],
    ['To [e3 textbox Report] now', 'To [e3 textbox Report = x] now'],
  ].map(([was = '', is = '']): [string, string[], string[], string[]] => [
    `without a name that stays: ${is}`,
    [was],
    [is],
    [`~ ${is}`],
  ]),
  ['without the value before', ['e1 textbox A = ada'], ['e1 textbox A = eve'], ['~ e1 textbox A = eve']],
  ['without what follows a colon', ['API key: abc'], ['API key: def'], ['~ API key: def']],
  ['without words that may be secrets', ['x sk-live-0123456789abcdef01'], ['x none'], ['~ x none']],
  [
    'with the whole name',
    ['e1 button Add to cart'],
    ['e1 button Remove from cart'],
    ['~ e1 button Remove from cart (was Add to cart)'],
  ],
  [
    'with the whole name of a link',
    ['e1 add to cart'],
    ['e1 add to basket'],
    ['~ e1 add to basket (was add to cart)'],
  ],
  [
    'with a state alone',
    ['e1 button [pressed] Bold'],
    ['e1 button Bold'],
    ['~ e1 button Bold (was [pressed])'],
  ],
  [
    'without a state that is new',
    ['e1 button Bold'],
    ['e1 button [pressed] Bold'],
    ['~ e1 button [pressed] Bold'],
  ],
  ['with a number alone', ['Cart of 3 items'], ['Cart of 4 items'], ['~ Cart of 4 items (was 3)']],
  [
    'without a whole that is long',
    [`${'so it is '.repeat(6)}now`],
    [`${'so it is '.repeat(6)}then`],
    [`~ ${'so it is '.repeat(6)}then`],
  ],
  ['with a whole cell', ['1|In stock|4'], ['1|Out of stock|4'], ['~ 1|Out of stock|4 (was In stock)']],
  ['with a whole heading', ['## My cart'], ['## My order'], ['~ ## My order (was My cart)']],
  ['for a cell', ['@table', '1|Bolt|4'], ['@table', '1|Bolt|5'], ['  @table', '~ 1|Bolt|5 (was 4)']],
])('what changed is said %s', (_title, old, now, said) => expect(describeLines(old, now)).toEqual(said));
