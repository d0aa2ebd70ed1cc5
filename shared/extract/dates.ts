import type { Reading } from './numbers.ts';

/** Converts dates as people write them to ISO 8601. Nothing is invented: no time zone, no year. */

export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** `10:30:00`, with a zone if the page names one; null for a day without a time. */
  readonly time: string | null;
}

const ISO =
  /^([+-]?\d{4})-(\d{2})-(\d{2})(?:[T\s]+(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const COMPACT_TIME =
  /^((?:19|20)\d{2})(\d{2})(\d{2})T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?(Z|[+-]\d{2}:?\d{2})?$/i;
const YEAR_FIRST = /(?<!\d)(\d{4})\s*[/.\-年년]\s*(\d{1,2})\s*[/.\-月월]\s*(\d{1,2})(?!\d)/u;
const YEAR_LAST = /(?<!\d)(\d{1,2})\s*([/.-])\s*(\d{1,2})\s*[/.-]\s*(\d{4}|\d{2})(?!\d)/u;
const CLOCK =
  /(?<!\d)(\d{1,2})[:.h](\d{2})(?::(\d{2}))?\s*([ap])?\.?m?\.?(?![\d])\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?/iu;
const NAMED_DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?\s*(?:de\s+|of\s+)?([\p{L}\p{M}]{3,})\.?,?\s*(?:de\s+)?(\d{4})(?!\d)/iu;
const NAMED_MONTH_FIRST = /([\p{L}\p{M}]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/iu;
const LONGEST = 120;

/** English pages of these places put the day first. */
const DAY_FIRST_ENGLISH = /^en-(?!us|ph|ca)/i;

/** Reads a date, with its time if it has one. */
export function readDate(given: string, lang: string | null): Reading<DateParts> {
  const text = given.slice(0, LONGEST + 1).trim();
  if (text === '') return { ok: false, reason: 'is empty' };
  if (text.length > LONGEST) return { ok: false, reason: 'is text, not a date' };
  const iso = ISO.exec(text);
  if (iso !== null) return check({ ...day('', iso[1], iso[2], iso[3]), time: isoTime(iso[4], iso[5]) });
  const compact = COMPACT_TIME.exec(text);
  if (compact !== null) {
    const [, year, month, date, hours, minutes, seconds = '00', zone] = compact;
    return check({ ...day('', year, month, date), time: isoTime(`${hours}:${minutes}:${seconds}`, zone) });
  }
  const found = readDay(text, lang);
  if (!found.ok) return found;
  return check({ ...found.value, time: clockOf(text.replace(found.value.matched, ' ')) });
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly matched: string;
}

function readDay(text: string, lang: string | null): Reading<Day> {
  const [matched, ...parts] = COMPACT.exec(text) ?? YEAR_FIRST.exec(text) ?? [];
  if (matched !== undefined) return { ok: true, value: day(matched, ...parts) };
  const last = YEAR_LAST.exec(text);
  if (last !== null) return yearLast(last, lang);
  const first = NAMED_DAY_FIRST.exec(text);
  const named = first ?? NAMED_MONTH_FIRST.exec(text);
  if (named === null) return { ok: false, reason: 'is not a date' };
  const [word, number] = first === null ? [named[1], named[2]] : [named[2], named[1]];
  const month = monthOf(word ?? '', lang);
  if (month === null) return { ok: false, reason: `names an unknown month: "${word}"` };
  return { ok: true, value: day(named[0], named[3], String(month), number) };
}

const day = (matched: string, year = '', month = '', date = ''): Day => ({
  matched,
  year: Number(year),
  month: Number(month),
  day: Number(date),
});

function yearLast(
  [matched = '', a = '', separator = '', b = '', year = '']: RegExpExecArray,
  lang: string | null,
): Reading<Day> {
  const century = year.length === 2 ? (Number(year) < 70 ? `20${year}` : `19${year}`) : year;
  const dayFirst = isDayFirst(Number(a), Number(b), separator, lang);
  if (dayFirst === null)
    return { ok: false, reason: 'may be day or month first, and the page declares no language' };
  return { ok: true, value: dayFirst ? day(matched, century, b, a) : day(matched, century, a, b) };
}

function isDayFirst(a: number, b: number, separator: string, lang: string | null): boolean | null {
  if (a > 12) return true;
  if (b > 12) return false;
  if (separator === '.') return true;
  if (lang === null || lang === '') return a === b ? true : null;
  return !/^en\b/i.test(lang) || DAY_FIRST_ENGLISH.test(lang);
}

function isoTime(clock: string | undefined, zone: string | undefined): string | null {
  if (clock === undefined) return null;
  return `${clock.length === 5 ? `${clock}:00` : clock}${zoneOf(zone)}`;
}

function zoneOf(zone: string | undefined): string {
  if (zone === undefined) return '';
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 'Z';
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}

/** The time of day in a text without its date. */
function clockOf(text: string): string | null {
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [, hours = '', minutes = '', seconds = '00', half, zone] = match;
  let hour = Number(hours);
  if (half !== undefined) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${pad(hour)}:${minutes}:${seconds}${zoneOf(zone)}`;
}

/** Reads a time of day: `10:30 PM` is `22:30:00`. */
export function readTime(text: string): Reading<string> {
  const time = clockOf(text.slice(0, LONGEST));
  return time === null ? { ok: false, reason: 'is not a time of day' } : { ok: true, value: time };
}

function check({ year, month, day: date, time }: DateParts): Reading<DateParts> {
  const isReal =
    month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isReal
    ? { ok: true, value: { year, month, day: date, time } }
    : { ok: false, reason: 'is not a calendar day' };
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** `2024-05-03` */
export function isoDay({ year, month, day: date }: DateParts): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(date)}`;
}

const plain = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const tables = new Map<string, ReadonlyMap<string, number>>();
const TABLES_KEPT = 50;
const STYLES = [
  { month: 'long' },
  { month: 'short' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
] as const;

/** Names of months from `Intl`: long, short, and in the form next to a day. */
function monthsOf(lang: string): ReadonlyMap<string, number> {
  const known = tables.get(lang);
  if (known !== undefined) return known;
  const months = new Map<string, number>();
  for (const style of STYLES) addMonths(months, lang, style);
  if (tables.size >= TABLES_KEPT) tables.clear();
  tables.set(lang, months);
  return months;
}

function addMonths(months: Map<string, number>, lang: string, options: Intl.DateTimeFormatOptions): void {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat(lang, { ...options, timeZone: 'UTC' });
  } catch {
    return; // `lang` is not a language tag: English is tried next.
  }
  for (let month = 1; month <= 12; month += 1)
    for (const { type, value } of format.formatToParts(Date.UTC(2024, month - 1, 15)))
      if (type === 'month') months.set(plain(value).replace(/\.$/, ''), month);
}

function monthOf(word: string, lang: string | null): number | null {
  const wanted = plain(word).replace(/\.$/, '');
  for (const language of [lang ?? 'en', 'en']) {
    const months = monthsOf(language);
    const exact = months.get(wanted);
    if (exact !== undefined) return exact;
    const begins = [...months].filter(([name]) => wanted.length >= 3 && name.startsWith(wanted));
    const [only] = begins;
    if (only !== undefined && begins.every(([, month]) => month === only[1])) return only[1];
  }
  return null;
}
