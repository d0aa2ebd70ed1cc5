import { expect, test } from 'vitest';
import { isoDay, readDate, readTime } from '../../../shared/extract/dates.ts';

const read = (text: string, lang: string | null = 'en') => {
  const reading = readDate(text, lang);
  if (!reading.ok) return reading.reason;
  return [isoDay(reading.value), reading.value.time ?? []].flat().join('T');
};

test.each<[string, string | null, string]>([
  ['2024-05-03', null, '2024-05-03'],
  ['2024-05-03T10:30:00Z', null, '2024-05-03T10:30:00Z'],
  ['20240503T103000Z', null, '2024-05-03T10:30:00Z'],
  ['2024年5月3日', 'ja', '2024-05-03'],
  ['5 मार्च 2024', 'hi', '2024-03-05'],
  ['May 3, 2024', 'en', '2024-05-03'],
  ['Posted on May 3rd, 2024 at 4:05 pm', 'en', '2024-05-03T16:05:00'],
  ['3. Mai 2024', 'de', '2024-05-03'],
  ['03/05/2024', 'en-US', '2024-03-05'],
  ['03/05/2024', 'en-GB', '2024-05-03'],
  ['05/13/2024', null, '2024-05-13'],
  ['03.05.24', null, '2024-05-03'],
])('dates as people write them %s (%s) is %s', (text, lang, value) => expect(read(text, lang)).toBe(value));

test('times as people write them', () => {
  expect(readTime('10:30')).toEqual({ ok: true, value: '10:30:00' });
  expect(readTime('9:45 PM')).toEqual({ ok: true, value: '21:45:00' });
});
