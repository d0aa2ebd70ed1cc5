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
  ['2024-05-03 10:30:00+02', null, '2024-05-03T10:30:00+02:00'],
  ['2024-05-03 18:00-20:00', null, '2024-05-03T18:00:00'],
  ['Fri May 03 2024 10:34:51 GMT+0800 (CST)', 'en', '2024-05-03T10:34:51+08:00'],
  ['Fri May 03 13:08:45 +0000 2024', 'en', '2024-05-03T13:08:45+00:00'],
  ['2024年5月3日', 'ja', '2024-05-03'],
  ['2024年5月3日 午後9時30分', 'ja', '2024-05-03T21:30:00'],
  ['2024. 5. 3. 오후 3:30', 'ko', '2024-05-03T15:30:00'],
  ['5 मार्च 2024', 'hi', '2024-03-05'],
  ['٣ مايو ٢٠٢٤', 'ar', '2024-05-03'],
  ['3 พฤษภาคม 2567', 'th', '2024-05-03'],
  ['May 3, 2024', 'en', '2024-05-03'],
  ['Posted on May 3rd, 2024 at 4:05 pm', 'en', '2024-05-03T16:05:00'],
  ['May 3, 2024 at 5 PM', 'en', '2024-05-03T17:00:00'],
  ['May 3, 2024, 6:00 – 8:00 PM', 'en', '2024-05-03T18:00:00'],
  ['5/3/2024 03:07:09.788 PM', 'en', '2024-05-03T15:07:09'],
  ['03-May-24', 'en', '2024-05-03'],
  ['3 mai 2024, 20:30 au Zénith', 'fr', '2024-05-03T20:30:00'],
  ['3. Mai 2024', 'de', '2024-05-03'],
  ['3. Mai 2024, 20:30 Zürich', 'de', '2024-05-03T20:30:00'],
  ['3 de mayo del 2024', 'es', '2024-05-03'],
  ['2024. május 3.', 'hu', '2024-05-03'],
  ['03/05/2024', 'en-US', '2024-03-05'],
  ['03/05/2024', 'en-GB', '2024-05-03'],
  ['05/13/2024', null, '2024-05-13'],
  ['03.05.24', null, '2024-05-03'],
  ['3–5 May 2024', 'en', 'contains several dates'],
  ['1403/02/14', 'fa', 'is a date of another calendar'],
])('dates as people write them %s (%s) is %s', (text, lang, value) => expect(read(text, lang)).toBe(value));

test.each([
  ['10:30', '10:30:00'],
  ['9:45 PM', '21:45:00'],
  ['10–1 pm', '10:00:00'],
])('the time of day %s is %s', (text, value) => expect(readTime(text)).toEqual({ ok: true, value }));
