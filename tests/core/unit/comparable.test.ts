import { describe, expect, it } from 'vitest';
import { comparable, readable } from '../../../shared/base/comparable.ts';

describe('texts that a person reads as the same compare as equal', () => {
  it.each([
    ['a word joiner', 'Re\u2060move', 'Remove'],
    ['direction isolates', '\u2068Remove\u2069', 'remove'],
    ['marks of direction', '\u200eRemove\u200f', 'Remove'],
    ['soft hyphens', 'Re\u00admove', 'Remove'],
    ['joiners', 'Re\u200dmo\u200cve', 'Remove'],
    ['a byte order mark', '\ufeffRemove', 'Remove'],
    ['tag characters', 'Remove\u{e0061}\u{e007f}', 'Remove'],
    ['a variation selector', 'Save \u2764\ufe0f', 'Save \u2764'],
    ['full width', '\uff32\uff45\uff4d\uff4f\uff56\uff45\u3000\uff11', 'Remove 1'],
    ['half-width kana', '\uff76\uff9e\uff72\uff84\uff9e', 'ガイド'],
    ['ligatures', '\ufb01le o\ufb03ce', 'file office'],
    ['composed accents', 'Cafe\u0301', 'Café'],
    ['curly apostrophes', 'Don\u2019t', "Don't"],
    ['curly quotes', '\u201cSave\u201d', '"Save"'],
    ['a non-breaking hyphen', 'e\u2011mail', 'e-mail'],
    ['an en dash', '2019\u20132020', '2019-2020'],
    ['a minus sign', '\u22125', '-5'],
    ['an ellipsis', 'More\u2026', 'More...'],
    ['a no-break space', 'Add\u00a0item', 'Add item'],
    ['a narrow space', '1\u202f000', '1 000'],
    ['line breaks', ' Add\n\t item ', 'Add item'],
  ])('%s', (_what, one, other) => {
    expect(comparable(one)).toBe(comparable(other));
    expect(comparable(comparable(one))).toBe(comparable(one));
  });

  it.each([
    ['Résumé', 'Resume'],
    ['re-move', 'remove'],
    ['10 %', '10'],
    ['Ω', 'O'],
  ])('%s is not %s', (one, other) => expect(comparable(one)).not.toBe(comparable(other)));

  it('keeps case where case counts', () => expect(readable('\u2068OK\u2069')).toBe('OK'));
});
