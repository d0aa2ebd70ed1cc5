import { expect, test } from 'vitest';
import { readNumber } from '../../../shared/extract/numbers.ts';

const read = (text: string, lang: string | null = null, isMachine = false) => {
  const reading = readNumber(text, { lang, isMachine });
  return reading.ok ? reading.value : reading.reason;
};

test.each<[string, string | null, number]>([
  ['1,234.56', null, 1234.56],
  ['1.234', 'de', 1234],
  ['1.234', 'en', 1.234],
  ['1,234', null, 1234],
  ['1.234', null, 1.234],
  ['€1.234', null, 1234],
  ['12,34,567', 'hi', 1234567],
  ["1'234.50", 'de-CH', 1234.5],
  ['1 234 567,8', 'fr', 1234567.8],
  ['−12,50 €', 'de', -12.5],
  ['(1,234.00)', 'en', -1234],
  ['iPhone 14, now $999', 'en', 999],
  ['7/10', 'en', 7],
  ['1.2k', 'en', 1200],
])('numbers as people write them %s (%s) is %d', (text, lang, value) => expect(read(text, lang)).toBe(value));

test('numbers as people write them a machine’s point is a decimal point in any language', () => {
  expect(read('1.234', 'de', true)).toBe(1.234);
  expect(read('1.234,50 €', 'de', true)).toBe(1234.5);
});
