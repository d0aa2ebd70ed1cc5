import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { partsOf } from '../../../server/meter/split.ts';
import { unpackVocabulary, vocabularyText } from '../../../server/meter/vocabulary.ts';
import fc from '../../support/property.ts';

it('parts of a text are the text again, in parts of a bounded length that cut no character', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 3_000 }), { maxLength: 6 }), (texts) => {
      const text = texts.join('');
      const parts = [...partsOf(text)];
      expect(parts.join('')).toBe(text);
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(4_096);
        expect(part.isWellFormed()).toBe(true);
      }
    }),
  );
});

it('a packed vocabulary is the one that was packed', () => {
  const vocabulary = ['!', '\n', ' \n\n', [0xe4, 0xbd], 'word', ' 你好', '\r', [0xff]];
  expect(unpackVocabulary(brotliCompressSync(vocabularyText(vocabulary)))).toEqual(vocabulary);
});
