import { expect, test } from 'vitest';
import { isoDay, readDate, readTime } from '../../../shared/libraries/values/dates.ts';
import { readBound, readNumber, type Reading } from '../../../shared/libraries/values/numbers.ts';

const textOf = <T>(reading: Reading<T>, say: (value: T) => string = String): string =>
  reading.ok ? say(reading.value) : reading.reason;

function valueOf(kind: string, lang: string | null, text: string): string {
  const hints = { lang, isMachine: kind === 'machine' };
  switch (kind) {
    case 'date':
      return textOf(readDate(text, { lang }), (date) => [isoDay(date), date.time ?? []].flat().join('T'));
    case 'time':
      return textOf(readTime(text));
    case 'ends':
      return `${textOf(readBound(text, 'low', hints))} to ${textOf(readBound(text, 'high', hints))}`;
    default:
      return textOf(readNumber(text, hints));
  }
}

/** Of each kind a text, its value, and the language of its page if it declares one. */
const CASES = `
number ¦ 1,234.56 = 1234.56 ¦ 1,234 = 1234 ¦ 1.234 = has separators of unknown meaning ¦ 1.234 = 1234 = de ¦ 1.234 = 1.234 = en ¦ €1.234 = 1234 ¦ 12,34,567 = 1234567 = hi
number ¦ 1'234.50 = 1234.5 = de-CH ¦ 1 234 567,8 = 1234567.8 = fr ¦ −12,50 € = -12.5 = de ¦ (1,234.00) = -1234 = en ¦ 7/10 = 7 = en
number ¦ Rp 31.500 = 31500 = en ¦ RM50 = 50 = en ¦ Rs.1,599 = 1599 = en ¦ 1.899,- = 1899 ¦ 35€99 = 35.99 = fr ¦ $8. 94 = 8.94 = en ¦ 1½ cups = 1.5 = en ¦ 2⅛ = 2.125 = de ¦ 1 1/2 in = 1.5 = en ¦ 10-3/8 = 10.375 = en ¦ 1⁄4 = 0.25 = de ¦ 1/2 = 1 = en
number ¦ 1.2k = 1200 = en ¦ $1.2m = 1200000 = en ¦ 5 m = 5 = en ¦ 1,2 Mio. € = 1200000 = de ¦ 1,5 mil = 1500 = pt ¦ 3.4万 = 34000 = ja
number ¦ iPhone 14, now $999 = 999 = en ¦ iPhone 14 - $999 = 999 = en ¦ 10-20 € = contains several numbers ¦ €10–20 = contains several numbers
number ¦ 26 to 50 € = contains several numbers ¦ 100 € 80 € = contains several numbers ¦ AED 8000 (USD 2179) = contains several numbers ¦ 1億2000万円 = 120000000 = ja ¦ 1.727 Ft = has separators of unknown meaning = en ¦ $129.900 = has separators of unknown meaning ¦ 6.125% = 6.125 ¦ 129,900₫ = 129900 = vi
number ¦ ￥１２，８００ = 12800 = ja ¦ －12．5％ = -12.5 = ja ¦ 价格：￥3，499.00 = 3499 = zh ¦ 共5件 = 5 = zh ¦ ‑5 °C = -5 = en ¦ ௧௨௩ = 123 = ta ¦ 1.234,56- = -1234.56 = de
number ¦ $3·499 = contains several numbers = en ¦ 19 99 € = contains several numbers = de ¦ 12 € 3 Stück = contains several numbers = de ¦ $30 -25% = 30 = en ¦ iPhone - $999 = 999 = en
number ¦ (12,345) = 12345 = en ¦ (1.234,50 €) = -1234.5 = de ¦ ($1,234) = -1234 = en ¦ (3.9k) = 3900 = en ¦ ▼ 3.2% = has a sign of unknown meaning = en ¦ △1,234 = has a sign of unknown meaning = ja
number ¦ 1 234:50 kr = 1234.5 = sv ¦ kr 49:95 = 49.95 = da ¦ 1 299:- = 1299 = sv ¦ 18:30 = contains several numbers = sv ¦ 1E6 = 1000000 = en
number ¦ 12만 5,000원 = 125000 = ko ¦ 1万2千円 = 12000 = ja ¦ 2조 3,000억 = 2300000000000 = ko ¦ 3千克 = 3 = zh ¦ 100兆 = 100 = zh ¦ 2 Billionen = 2000000000000 = de ¦ 5 tỷ = 5000000000 = vi ¦ 2 bin = 2000 = tr ¦ 2 trillion = 2000000000000 = en
machine ¦ 1.234 = 1.234 = de ¦ 1.234,50 € = 1234.5 = de
ends ¦ 10–20 € = 10 to 20 ¦ £1.5m–2m = 1500000 to 2000000 ¦ Rp 31.500–50.000 = 31500 to 50000 ¦ $1.5M - $2M = 1500000 to 2000000 ¦ 2 to 3 million = 2000000 to 3000000
date ¦ 2024-05-03 = 2024-05-03 ¦ 2024-05-03T10:30:00Z = 2024-05-03T10:30:00Z ¦ 20240503T103000Z = 2024-05-03T10:30:00Z ¦ 03.05.24 = 2024-05-03
date ¦ 2024-05-03 10:30:00+02 = 2024-05-03T10:30:00+02:00 ¦ 2024-05-03 18:00-20:00 = 2024-05-03T18:00:00 ¦ 05/13/2024 = 2024-05-13
date ¦ 03/05/2024 = 2024-03-05 = en-US ¦ 03/05/2024 = 2024-05-03 = en-GB ¦ 03-May-24 = 2024-05-03 = en ¦ 3. Mai 2024 = 2024-05-03 = de
date ¦ May 3, 2024 = 2024-05-03 = en ¦ Posted on May 3rd, 2024 at 4:05 pm = 2024-05-03T16:05:00 = en ¦ May 3, 2024 at 5 PM = 2024-05-03T17:00:00 = en
date ¦ May 3, 2024, 6:00 – 8:00 PM = 2024-05-03T18:00:00 = en ¦ 5/3/2024 03:07:09.788 PM = 2024-05-03T15:07:09 = en-US
date ¦ Fri May 03 2024 10:34:51 GMT+0800 (CST) = 2024-05-03T10:34:51+08:00 = en ¦ Fri May 03 13:08:45 +0000 2024 = 2024-05-03T13:08:45+00:00 = en
date ¦ May 3, 2024 · From $12.50 = 2024-05-03 = en ¦ 3. Mai 2024, 20:30 Zürich = 2024-05-03T20:30:00 = de ¦ 3 mai 2024, 20:30 au Zénith = 2024-05-03T20:30:00 = fr
date ¦ 3 de mayo del 2024 = 2024-05-03 = es ¦ 2024. május 3. = 2024-05-03 = hu ¦ 5 मार्च 2024 = 2024-03-05 = hi ¦ ٣ مايو ٢٠٢٤ = 2024-05-03 = ar
date ¦ 2024年5月3日 = 2024-05-03 = ja ¦ 2024年5月3日 午後9時30分 = 2024-05-03T21:30:00 = ja ¦ 2024. 5. 3. 오후 3:30 = 2024-05-03T15:30:00 = ko
date ¦ 3 พฤษภาคม 2567 = 2024-05-03 = th ¦ 3–5 May 2024 = contains several dates = en ¦ 1403/02/14 = is a date of another calendar = fa
date ¦ 03/05/2024 = may be day or month first, and neither its field nor its page says which = en ¦ 03/05/2024 = may be day or month first, and neither its field nor its page says which = en-CA ¦ 03/05/2024 = 2024-03-05 = es-PR ¦ 24.05.03 = 2024-05-03 = ko ¦ 24-05-03 = may begin with its day or year = en
date ¦ ngày 5 tháng 3 năm 2024 = 2024-03-05 = vi ¦ 5 במרץ 2024 = 2024-03-05 = he ¦ 1 d’abril de 2024 = 2024-04-01 = ca ¦ 2024. gada 5. marts = 2024-03-05 = lv ¦ 5 मई 2024 = 2024-05-05 = hi ¦ 5 ม.ค. 2567 = 2024-01-05 = th ¦ 5 มี.ค. 2567 = 2024-03-05 = th
date ¦ 3. Mai 2024 = 2024-05-03 = en ¦ 15 listopada 2023 = 2023-11-15 = pl ¦ 15 listopad 2023 = names an unknown month: "listopad" = en
date ¦ 令和6年3月5日 = 2024-03-05 = ja ¦ 令和元年5月1日 = 2019-05-01 = ja ¦ 平成元年1月7日 = is a day outside of its era = ja ¦ H31.4.30 = 2019-04-30 = ja ¦ 民國113年3月5日 = 2024-03-05 = zh-TW ¦ 二〇二四年十二月廿三日 = 2024-12-23 = zh ¦ ２０２４／０３／０５ = 2024-03-05 = ja
time ¦ 10:30 = 10:30:00 ¦ 9:45 PM = 21:45:00 ¦ 10–1 pm = 10:00:00 ¦ 20h à 22h30 = 20:00:00 ¦ 9 a 17:30 = is not a time of day
`;
const rows = CASES.trim()
  .split('\n')
  .map((line) => line.split(' ¦ '))
  .flatMap(([kind = '', ...cells]) => cells.map((cell) => [kind, ...cell.split(' = ')] as const));

test.each(rows)('values as people write them: the %s %s is %s', (kind, text = '', value = '', lang = '') =>
  expect(valueOf(kind, lang || null, text)).toBe(value),
);
