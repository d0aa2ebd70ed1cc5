import { expect, it } from 'vitest';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { revealParts } from '../../../extension/ui/reveal-parts.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';

it.each([
  ['Pay €240.00 – 日本語, العربية, हिन्दी', 'Pay €240.00 – 日本語, العربية, हिन्दी'],
  ['gpj.\u202eexe', 'gpj.⟨U+202E⟩exe'],
  ['a\u00adb\ufeffc', 'a⟨U+00AD⟩b⟨U+FEFF⟩c'],
  ['line\nnext\ttab\r', 'line⏎next⇥tab␍'],
  ['\u0000\u001b[2J', '⟨U+0000⟩⟨U+001B⟩[2J'],
  ['\ud800', '\ufffd'],
  [`Z${'\u0301'.repeat(50)}`, `Z${'\u0301'.repeat(4)}⟨…⟩`],
])('%j', (text, shown) => expect(reveal(text)).toBe(shown));

const marked = (text: string): string =>
  revealParts(text)
    .map(({ shown, mark }) => (mark === null ? shown : `[${mark[0]} ${shown}]`))
    .join('');

it.each([
  ['a\nb\tc', 'a[l ⏎\n]b[l ⇥]c'],
  ['a\r\nb', 'a[l ␍⏎\n]b'],
  ['a\n\u202eb', 'a[l ⏎\n][u ⟨U+202E⟩]b'],
  // A text may imitate the end of a line, which is not marked then; the server writes invisible characters out.
  ['a⏎b ⟨U+202E⟩', 'a⏎b [u ⟨U+202E⟩]'],
  [`a${' '.repeat(40)}b`, `a${' '.repeat(40)}b`],
  [`a${' '.repeat(400)}b`, 'a[g ⟨· ×400⟩]b'],
  [`a${'\u00a0\u3000\t'.repeat(100)}b`, 'a[g ⟨· ×300⟩]b'],
  [`a${'\n'.repeat(400)}b`, 'a[g ⟨⏎ ×400⟩\n]b'],
  [`a${' \n\t'.repeat(90)}b`, `a[g ⟨⏎ ×90⟩\n][l ⇥]b`],
  ['a\u{e0041}\u{e0042}b', 'a[u ⟨U+E0041⟩⟨U+E0042⟩]b'],
  [`H${'\u0300'.repeat(9)}!`, `H[u ${'\u0300'.repeat(4)}⟨…⟩]!`],
])('%j in parts', (text, shown) => expect(marked(text)).toBe(shown));

/** One of each kind that a reader does not see: none of them is a test's own list of those that are handled. */
const SLY = [0xad, 0x34f, 0x61c, 0x115f, 0x1680, 0x180e, 0x200b, 0x200d, 0x200f, 0x202a, 0x202e, 0x202f]
  .concat([0x2060, 0x2066, 0x206f, 0x2800, 0x3164, 0xfe00, 0xfeff, 0xffa0, 0xfff9, 0x1d173, 0xe0001, 0xe0100])
  .concat([0, 7, 0x1b, 0x7f, 0x9b, 0xe000, 0xfff1, 0x1d159])
  .map((code) => String.fromCodePoint(code));

it('no part of a text is dropped, hidden or moved', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(...SLY, ' '.repeat(60), '\n'.repeat(9), '\r\n', '\t'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const parts = revealParts(text);
      const shown = parts.map((part) => part.shown).join('');
      expect(SLY.filter((one) => shown.includes(one))).toEqual([]);
      const letters = (of: string): string =>
        [...of].filter((one) => /[\p{L}\p{N}\p{P}\p{Sm}]/u.test(one) && !SLY.includes(one)).join('');
      const plain = parts.map((part) => (part.mark === null ? part.shown : '')).join('');
      expect(letters(plain)).toBe(letters(text.toWellFormed()));
    }),
    { numRuns: rounds(5_000, 300) },
  );
});
