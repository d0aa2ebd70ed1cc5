import { latinDigits, reading, refused, type Reading } from './numbers.ts';

/** Converts dates as people write them to ISO 8601. Nothing is invented: no time zone, no year. */

export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** `10:30:00`, with the offset if the page has it: names such as `EST` differ by place. Null without a time. */
  readonly time: string | null;
}

/** After hours and minutes alone, as in `10:00-12:00`, a dash leads to the end of a span. */
const ISO =
  /^([+-]?\d{4})-(\d{2})-(\d{2})(?:[T\s]+(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|GMT|(?<=[Tt]\S*|:\d\d:\S*|\s)[+-]\d{2}(?::?\d{2})?)?)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const COMPACT_TIME =
  /^((?:19|20)\d{2})(\d{2})(\d{2})T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?(Z|[+-]\d{2}:?\d{2})?$/i;
const YEAR_FIRST = /(?<!\d)(\d{4})\s*[/.\-年년]\s*(\d{1,2})\s*[/.\-月월]\s*(\d{1,2})(?!\d)/u;
const YEAR_LAST = /(?<!\d)(\d{1,2})\s*([/.-])\s*(\d{1,2})\s*[/.-]\s*(\d{4}|\d{2})(?!\d)/u;
const ZONE =
  'Z(?!\\p{L})|(?:UTC|GMT)(?:\\s?[+-]\\d{1,2}(?::?\\d{2})?)?(?!\\p{L})|[+-](?:0\\d|1[0-4]):?[0-5]\\d(?!\\d)|(?<=:\\d\\d:\\d\\d(?:\\.\\d+)?)[+-]\\d\\d(?![\\d:])';
const HALF = '\\s*(?:[ap]\\.?\\s?m|[πμ]\\.?\\s?μ|[صم])(?!\\p{L})|[ap](?![\\p{L}.])';
const AFTERNOON = /^\s*[pμم]|^(?:下午|午後|오후|中午|傍晚|晚)/iu;
const CLOCK = new RegExp(
  `(?<period>[上下]午|午[前後]|오[전후]|凌晨|早上|中午|傍晚|晚上?)?\\s?(?<!\\d|\\p{Sc}\\s?)(?<hours>\\d{1,2})(?:(?:[:.h]|[時时點点시]\\s?)(?<minutes>\\d{2})(?!\\d)(?::(?<seconds>\\d{2})(?:[.,]\\d+)?)?(?<half>${HALF})?|(?<only>\\s*[ap]\\.?\\s?m(?!\\p{L})|\\s?(?:[時时點点](?!間)|시(?!간)|uhr)))\\.?\\s*(?<zone>${ZONE})?`,
  'iu',
);
/** `18:00–20:00`, `6–8 pm`, `20h à 22h30`; in `18:00 -0500`, it is a zone that follows. */
const SPAN = new RegExp(
  `(?<![T\\d:.])(\\d{1,2}(?:[:.h]\\d{2}|\\s?h)?)(${HALF})?(?:\\s*[–—]\\s*|-|\\s+(?:-|to|bis|until|às?|a|hasta)\\s+)(\\d{1,2})(?:[:.h]\\d{2}|\\s?h)?(${HALF})?(?![\\d:])`,
  'iu',
);
const YEAR = "['’]?(?<year>\\d{4}|(?<=[-'’])\\d{2})(?![\\d:])";
const NAMED_DAY_FIRST = new RegExp(
  `(?<!\\d|\\d[:.])(?<date>\\d{1,2})(?:st|nd|rd|th|er|\\.|º|ª)?(?<span>\\s*[-–—]\\s*\\d{1,2}(?:st|nd|rd|th|\\.)?)?\\s*-?(?:de\\s+|of\\s+)?(?<name>[\\p{L}\\p{M}]{3,})\\.?,?\\s*-?(?:del?\\s+)?${YEAR}`,
  'iu',
);
const NAMED_MONTH_FIRST = new RegExp(
  `(?<name>[\\p{L}\\p{M}]{3,})\\.?[\\s-]+(?<date>\\d{1,2})(?:st|nd|rd|th)?,?[\\s-]+${YEAR}`,
  'iu',
);
const NAMED_YEAR_FIRST =
  /(?<!\d)(?<year>\d{4})(?:\.|\s?m\.)?[\s-]+(?<name>[\p{L}\p{M}]{3,})\.?[\s-]+(?<date>\d{1,2})(?![\d:])/iu;
/** `Wed Aug 05 12:00:00 +0000 2015` */
const YEAR_AT_END = /(\p{L}{3} +\d{1,2}) +(\d{1,2}:\d{2}:\d{2}(?: +[+-]\d{4}| +[A-Z]{3,4})?) +(\d{4})$/u;
const LONGEST = 120;

/** English pages of these places put the day first. */
const DAY_FIRST_ENGLISH = /^en-(?!us|ph|ca)/i;

/** Reads a date, with its time if it has one. */
export function readDate(given: string, lang: string | null): Reading<DateParts> {
  const text = latinDigits(given.slice(0, LONGEST + 1))
    .trim()
    .replace(YEAR_AT_END, '$1, $3 $2');
  if (text === '') return refused('is empty');
  if (text.length > LONGEST) return refused('is text, not a date');
  const iso = ISO.exec(text);
  if (iso !== null) return check({ ...day('', iso[1], iso[2], iso[3]), time: isoTime(iso[4], iso[5]) }, lang);
  const compact = COMPACT_TIME.exec(text);
  if (compact !== null) {
    const [, year, month, date, hours, minutes, seconds = '00', zone] = compact;
    return check(
      { ...day('', year, month, date), time: isoTime(`${hours}:${minutes}:${seconds}`, zone) },
      lang,
    );
  }
  const found = readDay(text, lang);
  if (!found.ok) return found;
  return check({ ...found.value, time: clockOf(text.replace(found.value.matched, ' ')) }, lang);
}

interface Day extends Omit<DateParts, 'time'> {
  readonly matched: string;
}

function readDay(text: string, lang: string | null): Reading<Day> {
  const [matched, ...parts] = COMPACT.exec(text) ?? YEAR_FIRST.exec(text) ?? [];
  if (matched !== undefined) return reading(day(matched, ...parts));
  const last = YEAR_LAST.exec(text);
  if (last !== null) return yearLast(last, lang);
  return readNamed(text, lang);
}

function readNamed(text: string, lang: string | null): Reading<Day> {
  const match = NAMED_DAY_FIRST.exec(text) ?? NAMED_MONTH_FIRST.exec(text) ?? NAMED_YEAR_FIRST.exec(text);
  const { year = '', name = '', date, span } = match?.groups ?? {};
  if (match === null) return refused('is not a date');
  if (span !== undefined) return refused('contains several dates');
  const month = monthOf(name, lang);
  if (month === null) return refused(`names an unknown month: "${name}"`);
  return reading(day(match[0], inCentury(year), String(month), date));
}

const inCentury = (year: string): string =>
  year.length === 2 ? `${Number(year) < 70 ? '20' : '19'}${year}` : year;

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
  const century = inCentury(year);
  const dayFirst = isDayFirst(Number(a), Number(b), separator, lang);
  if (dayFirst === null) return refused('may be day or month first, and the page declares no language');
  return reading(dayFirst ? day(matched, century, b, a) : day(matched, century, a, b));
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
  const [, sign, hours = '', minutes = '00'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** The time of day in a text without its date; the first of two. */
function clockOf(text: string): string | null {
  const { hours, minutes = '00', seconds = '00', ...groups } = CLOCK.exec(withoutEnd(text))?.groups ?? {};
  if (hours === undefined) return null;
  const hour = hourOf(Number(hours), groups['period'] ?? groups['half'] ?? groups['only'] ?? '');
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${pad(hour)}:${minutes}:${seconds}${zoneOf(groups['zone'])}`;
}

function hourOf(hour: number, half: string): number {
  if (half === '' || hour > 12 || /^\s?(?:[時时點点시]|uhr)/iu.test(half)) return hour;
  return (hour % 12) + (AFTERNOON.test(half) ? 12 : 0);
}

const withoutEnd = (text: string): string =>
  text.replace(SPAN, (_, from: string, own?: string, to?: string, half?: string) =>
    own === undefined && half !== undefined
      ? `${from}${halfOf(from, to, half)} `
      : `${from.replace(/\s?h$/i, ':00')}${own ?? ''} `,
  );

/** The half of the day in which a span begins: `10–11 pm` at ten in the evening, `10–1 pm` in the morning. */
function halfOf(from: string, to: string | undefined, half: string): string {
  if (Number.parseInt(from, 10) % 12 <= Number(to) % 12) return half;
  return AFTERNOON.test(half) ? 'am' : 'pm';
}

/** Reads a time of day: `10:30 PM` is `22:30:00`. */
export function readTime(text: string): Reading<string> {
  const time = clockOf(latinDigits(text.slice(0, LONGEST)));
  return time === null ? refused('is not a time of day') : reading(time);
}

/** Pages in Thai count years since the Buddha; other calendars have other months too. */
function check({ year: given, month, day: date, time }: DateParts, lang: string | null): Reading<DateParts> {
  const year = given > 2400 && /^th\b/i.test(lang ?? '') ? given - 543 : given;
  if (year < 1500 && /^(?:ar|fa|ps|ckb|ur)\b/i.test(lang ?? ''))
    return refused('is a date of another calendar');
  const isReal =
    month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isReal ? reading({ year, month, day: date, time }) : refused('is not a calendar day');
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** `2024-05-03` */
export function isoDay({ year, month, day: date }: DateParts): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(date)}`;
}

const plain = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const tables = new Map<string, ReadonlyMap<string, number>>();
const TABLES_KEPT = 50;

/** Names of months from `Intl`: long, short, and in the form next to a day. */
function monthsOf(lang: string): ReadonlyMap<string, number> {
  const known = tables.get(lang);
  if (known !== undefined) return known;
  const months = new Map<string, number>();
  for (const date of [undefined, 'numeric'] as const)
    for (const month of ['long', 'short'] as const) addMonths(months, lang, { month, day: date });
  if (tables.size >= TABLES_KEPT) tables.clear();
  tables.set(lang, months);
  return months;
}

function addMonths(months: Map<string, number>, lang: string, options: Intl.DateTimeFormatOptions): void {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat(lang, { ...options, calendar: 'gregory', timeZone: 'UTC' });
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
