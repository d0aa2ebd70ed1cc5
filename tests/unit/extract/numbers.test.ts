import { expect, test } from 'vitest';
import { readBound, readNumber } from '../../../shared/extract/numbers.ts';

const read = (text: string, lang: string | null = null, isMachine = false) => {
  const reading = readNumber(text, { lang, isMachine });
  return reading.ok ? reading.value : reading.reason;
};

test.each<[string, string | null, number, isMachine?: boolean]>([
  ['1,234.56', null, 1234.56],
  ['1.234', 'de', 1234],
  ['1.234', 'en', 1.234],
  ['1.234', 'de', 1.234, true],
  ['1.234,50 €', 'de', 1234.5, true],
  ['1,234', null, 1234],
  ['1.234', null, 1.234],
  ['€1.234', null, 1234],
  ['Rp 31.500', null, 31500],
  ['Rs.1,599', 'en', 1599],
  ['RM50', 'en', 50],
  ['1.899,-', null, 1899],
  ['35€99', 'fr', 35.99],
  ['$8. 94', 'en', 8.94],
  ['12,34,567', 'hi', 1234567],
  ["1'234.50", 'de-CH', 1234.5],
  ['1 234 567,8', 'fr', 1234567.8],
  ['−12,50 €', 'de', -12.5],
  ['(1,234.00)', 'en', -1234],
  ['iPhone 14 - $999', 'en', 999],
  ['7/10', 'en', 7],
  ['1½ cups', 'en', 1.5],
  ['1.2k', 'en', 1200],
  ['$1.2m', 'en', 1200000],
  ['5 m', 'en', 5],
  ['1,2 Mio. €', 'de', 1200000],
  ['1,5 mil', 'pt', 1500],
  ['3.4万', 'ja', 34000],
])('numbers as people write them %s (%s) is %d', (text, lang, value, isMachine) =>
  expect(read(text, lang, isMachine)).toBe(value),
);

test.each(['10-20 €', '€10–20', '26 to 50 €', '100 € 80 €', 'AED 8000 (USD 2179)', '1億2000万円'])(
  '%s is not one number',
  (text) => expect(read(text)).toBe('contains several numbers'),
);

test.each<[string, number, number]>([
  ['10–20 €', 10, 20],
  ['$1.5M - $2M', 1.5e6, 2e6],
  ['2 to 3 million', 2e6, 3e6],
])('the ends of %s are %d and %d', (text, ...ends) => {
  const bounds = (['low', 'high'] as const).map((end) =>
    readBound(text, end, { lang: null, isMachine: false }),
  );
  expect(bounds).toEqual(ends.map((value) => ({ ok: true, value })));
});
