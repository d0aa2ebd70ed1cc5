/** Years counted by reigns and eras: `令和6年`, `民國113年`. Names and beginnings are those of `Intl`. */

interface Era {
  readonly calendar: Intl.DateTimeFormat;
  /** Added to a year of the era. */
  readonly offset: number;
}

const CALENDARS = ['ja-u-ca-japanese', 'zh-Hant-u-ca-roc', 'zh-Hans-u-ca-roc'];
const FIRST_YEAR = 1868;
let known: ReadonlyMap<string, Era> | null = null;

const formatOf = (tag: string, era: 'long' | 'narrow'): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(tag, { era, year: 'numeric', timeZone: 'UTC', numberingSystem: 'latn' });

function eraOf(calendar: Intl.DateTimeFormat, at: number): { readonly name: string; readonly year: number } {
  const parts = calendar.formatToParts(at);
  const partOf = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? '';
  const year = partOf('year');
  return { name: partOf('era'), year: year === '元' ? 1 : Number(year) };
}

function eras(): ReadonlyMap<string, Era> {
  if (known !== null) return known;
  const found = new Map<string, Era>();
  for (const calendar of CALENDARS.flatMap((tag) => [formatOf(tag, 'long'), formatOf(tag, 'narrow')]))
    for (let year = FIRST_YEAR; year <= new Date().getUTCFullYear(); year += 1) {
      const era = eraOf(calendar, Date.UTC(year, 11, 31));
      // The years before an era count backwards, and have a longer name.
      if (!found.has(era.name)) found.set(era.name, { calendar, offset: year - era.year });
    }
  return (known = found);
}

/** A Latin initial counts at the beginning of a text in Japanese. */
const ERA_YEAR =
  /(?<name>\p{Script=Han}{2}|^[A-Z])\s?(?<year>\d{1,3}|元)(?=\s?[年./-]\s?(?<month>\d{1,2})\s?[月./-]\s?(?<day>\d{1,2}))/u;

/**
 * The text with the years of an era as those of the common calendar; null for a day on which the era had another name,
 * and the text itself without an era.
 */
export function withCommonYear(text: string, lang: string | null): string | null {
  const { name = '', year, month, day } = ERA_YEAR.exec(text)?.groups ?? {};
  if (year === undefined || (name.length === 1 && !/^ja\b/i.test(lang ?? ''))) return text;
  const era = eras().get(name);
  if (era === undefined) return text;
  const common = era.offset + (year === '元' ? 1 : Number(year));
  const isThen = eraOf(era.calendar, Date.UTC(common, Number(month) - 1, Number(day))).name === name;
  return isThen ? text.replace(ERA_YEAR, String(common)) : null;
}

const NUMERALS = '〇一二三四五六七八九';
const WRITTEN = /[〇零一二三四五六七八九十廿卅]+(?=\s?[年月日号號])/gu;

/** Numbers of dates in characters as digits: `二〇二四年三月五日`, `廿三日`. */
export const withDigits = (text: string): string =>
  /[年月日号號]/u.test(text) ? text.replace(WRITTEN, digitsOf) : text;

function digitsOf(written: string): string {
  const plain = written.replaceAll('零', '〇').replace('廿', '二十').replace('卅', '三十');
  const digits = (part: string): string => [...part].map((sign) => NUMERALS.indexOf(sign)).join('');
  const [tens = '', ones] = plain.split('十');
  if (ones === undefined) return digits(plain);
  return String(Number(digits(tens) || 1) * 10 + Number(digits(ones) || 0));
}
