import { expect, test } from 'vitest';
import { isoDay, readDate, readTime } from '../../../shared/extract/dates.ts';
import { readBound, readNumber, type Reading } from '../../../shared/extract/numbers.ts';

const said = <T>(reading: Reading<T>, say: (value: T) => string = String): string =>
  reading.ok ? say(reading.value) : reading.reason;

/** By what it is, and the language that its page declares. */
function valueOf(kind: string, lang: string | null, text: string): string {
  const hints = { lang, isMachine: kind === 'machine' };
  switch (kind) {
    case 'date':
      return said(readDate(text, lang), (date) => [isoDay(date), date.time ?? []].flat().join('T'));
    case 'time':
      return said(readTime(text));
    case 'ends':
      return `${said(readBound(text, 'low', hints))} to ${said(readBound(text, 'high', hints))}`;
    default:
      return said(readNumber(text, hints));
  }
}

const CASES = `
number ¦ 1,234.56 = 1234.56 ¦ 1,234 = 1234 ¦ 1.234 = 1.234 ¦ €1.234 = 1234 ¦ Rp 31.500 = 31500 ¦ 1.899,- = 1899
number ¦ 10-20 € = contains several numbers ¦ €10–20 = contains several numbers ¦ 26 to 50 € = contains several numbers
number ¦ 100 € 80 € = contains several numbers ¦ AED 8000 (USD 2179) = contains several numbers
number de ¦ 1.234 = 1234 ¦ −12,50 € = -12.5 ¦ 1,2 Mio. € = 1200000
machine de ¦ 1.234 = 1.234 ¦ 1.234,50 € = 1234.5
number en ¦ 1.234 = 1.234 ¦ (1,234.00) = -1234 ¦ iPhone 14, now $999 = 999 ¦ iPhone 14 - $999 = 999 ¦ 7/10 = 7
number en ¦ 1.2k = 1200 ¦ $1.2m = 1200000 ¦ 5 m = 5 ¦ 1½ cups = 1.5 ¦ Rs.1,599 = 1599 ¦ RM50 = 50 ¦ $8. 94 = 8.94
number hi ¦ 12,34,567 = 1234567
number de-CH ¦ 1'234.50 = 1234.5
number fr ¦ 1 234 567,8 = 1234567.8 ¦ 35€99 = 35.99
number pt ¦ 1,5 mil = 1500
number ja ¦ 3.4万 = 34000 ¦ 1億2000万円 = contains several numbers
ends ¦ 10–20 € = 10 to 20 ¦ $1.5M - $2M = 1500000 to 2000000 ¦ 2 to 3 million = 2000000 to 3000000
date ¦ 2024-05-03 = 2024-05-03 ¦ 2024-05-03T10:30:00Z = 2024-05-03T10:30:00Z ¦ 20240503T103000Z = 2024-05-03T10:30:00Z
date ¦ 2024-05-03 10:30:00+02 = 2024-05-03T10:30:00+02:00 ¦ 2024-05-03 18:00-20:00 = 2024-05-03T18:00:00
date ¦ 05/13/2024 = 2024-05-13 ¦ 03.05.24 = 2024-05-03
date en ¦ May 3, 2024 = 2024-05-03 ¦ Posted on May 3rd, 2024 at 4:05 pm = 2024-05-03T16:05:00 ¦ 03-May-24 = 2024-05-03
date en ¦ May 3, 2024 at 5 PM = 2024-05-03T17:00:00 ¦ May 3, 2024, 6:00 – 8:00 PM = 2024-05-03T18:00:00
date en ¦ Fri May 03 2024 10:34:51 GMT+0800 (CST) = 2024-05-03T10:34:51+08:00 ¦ 3–5 May 2024 = contains several dates
date en ¦ Fri May 03 13:08:45 +0000 2024 = 2024-05-03T13:08:45+00:00 ¦ 5/3/2024 03:07:09.788 PM = 2024-05-03T15:07:09
date en-US ¦ 03/05/2024 = 2024-03-05
date en-GB ¦ 03/05/2024 = 2024-05-03
date de ¦ 3. Mai 2024 = 2024-05-03 ¦ 3. Mai 2024, 20:30 Zürich = 2024-05-03T20:30:00
date fr ¦ 3 mai 2024, 20:30 au Zénith = 2024-05-03T20:30:00
date es ¦ 3 de mayo del 2024 = 2024-05-03
date hu ¦ 2024. május 3. = 2024-05-03
date hi ¦ 5 मार्च 2024 = 2024-03-05
date ar ¦ ٣ مايو ٢٠٢٤ = 2024-05-03
date fa ¦ 1403/02/14 = is a date of another calendar
date th ¦ 3 พฤษภาคม 2567 = 2024-05-03
date ja ¦ 2024年5月3日 = 2024-05-03 ¦ 2024年5月3日 午後9時30分 = 2024-05-03T21:30:00
date ko ¦ 2024. 5. 3. 오후 3:30 = 2024-05-03T15:30:00
time ¦ 10:30 = 10:30:00 ¦ 9:45 PM = 21:45:00 ¦ 10–1 pm = 10:00:00
`;
const lines = CASES.trim()
  .split('\n')
  .map((line) => line.split(' ¦ '));
const rows = lines.flatMap(([what = '', ...cells]) =>
  cells.map((cell) => [what, ...cell.split(' = ')] as const),
);

test.each(rows)('values as people write them, %s: %s is %s', (what, text = '', value) => {
  const [kind = '', lang = null] = what.split(' ');
  expect(valueOf(kind, lang, text)).toBe(value);
});
