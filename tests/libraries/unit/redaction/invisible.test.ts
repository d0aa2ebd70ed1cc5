import { rounds } from '../../../support/depth.ts';
import fc from '../../../support/property.ts';
import { expect, it } from 'vitest';
import { cutAt, places, redactChunks, redactor } from './chunks.ts';

const REMOVED =
  /(?![\t\n\r])\p{Cc}|\u115F|\u1160|\u17B4|\u17B5|[\uFFF0-\uFFF8]|[\u{1BCA0}-\u{1BCA3}]|[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|\u00AD|\u034F|[\u{1D173}-\u{1D17A}]|[\u{E0000}-\u{E001F}]|[\u{E0080}-\u{E00FF}]|[\u{E01F0}-\u{E0FFF}]/u;
const JOINER_RUN = /\u200C\u200C|\u200C\u200D|\u200D\u200C|\u200D\u200D/;
const SELECTOR_RUN = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2}/u;

it.each([
  ['soft hyphens', 'inter\u00adnational', 'international'],
  ['bidirectional overrides', 'a\u202edcb\u202c \u2066x\u2069', 'adcb x'],
  ['tag characters', 'hi\u{E0048}\u{E0069}\u{E0020}\u{E007F}', 'hi'],
  ['tags behind a flag that are not a flag', '🏴\u{E0068}\u{E0069}', '🏴'],
  ['a tag sequence behind another character', 'a\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}', 'a'],
  ['joiners between Latin letters', 'a\u200db\u200cc', 'abc'],
  ['all but one joiner', 'می\u200c\u200c\u200dخواهم', 'می\u200cخواهم'],
  ['a joiner behind the last emoji', '👩\u200d end', '👩 end'],
  ['all but one selector', '❤\ufe0f\ufe0e\ufe0f', '❤\ufe0f'],
  ['what clears a terminal', 'a\u001b[2Jb\u009b2Jc', 'a[2Jb2Jc'],
  ['fillers of Hangul and vowels of Khmer that nobody sees', 'a\u115f\u1160b\u17b4\u17b5c', 'abc'],
  ['what is reserved to be ignored', 'a\ufff0\ufff8\u2065\u{E0FFF}b', 'ab'],
  ['lone surrogates, which become U+FFFD', 'a\ud83db', 'a\ufffdb'],
  ['nothing that would join surrogates', '\ud83d\u200b\ude00', '\ufffd\ufffd'],
])('invisible characters removes %s', (_name, input, expected) => {
  expect(redactor.text(input)).toBe(expected);
});

it('invisible characters counts each, and keeps tabs and line breaks', async () => {
  const text = 'a\tb\r\nc\u001b[0m\u009b\u115f';
  const { text: cleaned, report } = await redactChunks([text]);
  expect(cleaned).toBe('a\tb\r\nc[0m');
  expect(report.invisibleCharacters).toBe(3);
});

it('invisible characters are all that Unicode lists as ignorable, except those that a script may need', () => {
  const kept = [];
  for (let code = 0; code <= 0xe0fff; code += 1) {
    const character = String.fromCodePoint(code);
    const isIgnored = /\p{Default_Ignorable_Code_Point}|(?![\t\n\r])\p{Cc}/u.test(character);
    if (isIgnored && redactor.text(`a${character}b`) !== 'ab') kept.push(code.toString(16));
  }
  expect(kept).toEqual([]);
});

// By code points: some join those before them.
const piece = fc.constantFrom(
  ...'a \n1❤👩\u{1F3FD}\u{1F3F4}م\u0915\u094D漢、∩ᠠ\u20e3«\u{1F1E6}\u200d\u200c\ufe0f\ufe0e\ufe00\u{E0100}\u{E0067}\u{E0062}\u{E007F}',
  ...'\u00ad\u200b\u202e\u2066\ufeff\u180e\u180b\u{E0001}\u{1D173}\u{1BCA1}\u115f\u001b\u009b\u000c\u034f',
);
const mixture = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
it('invisible characters never leaves one that nothing needs, does so once, and wherever the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(mixture, places, async (text, cuts) => {
      const cleaned = redactor.text(text);
      expect(cleaned).not.toMatch(REMOVED);
      expect(cleaned).not.toMatch(JOINER_RUN);
      expect(cleaned).not.toMatch(SELECTOR_RUN);
      expect(redactor.text(cleaned)).toBe(cleaned);
      const streamed = await redactChunks(cutAt(text, cuts));
      expect(streamed.text).toBe(cleaned);
      expect(streamed.report.invisibleCharacters).toBe([...text].length - [...cleaned].length);
    }),
    { numRuns: rounds(1_500, 200) },
  );
});
