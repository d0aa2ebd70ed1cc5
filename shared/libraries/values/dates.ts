import { cachedIn } from '../../base/maps.ts';
import { type Column, NO_COLUMN } from './columns.ts';
import { withCommonYear, withDigits } from './eras.ts';
import { foldSigns } from './fold.ts';
import { reading, buildRefusal, type NumberHints, type Reading } from './numbers.ts';

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
/** The name of a month, or its abbreviation by initials: `มี.ค.` */
const NAME =
  "(?<name>[\\p{L}\\p{M}]{1,2}\\.[\\p{L}\\p{M}]{1,2}|[\\p{L}\\p{M}][\\p{L}\\p{M}'’]*[\\p{L}\\p{M}])\\.?";
const NAMED: readonly RegExp[] = [
  `(?<!\\d|\\d[:.])(?<date>\\d{1,2})(?:st|nd|rd|th|er|\\.|º|ª)?(?<span>\\s*[-–—]\\s*\\d{1,2}(?:st|nd|rd|th|\\.)?)?\\s*-?(?:de\\s+|of\\s+)?${NAME}[,،]?\\s*-?(?:del?\\s+|(?:\\p{L}\\.){2}\\s?)?${YEAR}`,
  `${NAME}[\\s-]+(?<date>\\d{1,2})(?:st|nd|rd|th)?,?[\\s-]+${YEAR}`,
  // `2024 m. kovo 5 d.`
  `(?<!\\d)(?<year>\\d{4})(?:[\\p{L}.()]{1,5}|\\s?m\\.)?[\\s-]+${NAME}[\\s-]+(?<date>\\d{1,2})(?![\\d:])`,
  // `2024. gada 5. marts`
  `(?<!\\d)(?<year>\\d{4})\\.?\\s+(?:\\p{L}{1,5}\\.?\\s+)?(?<date>\\d{1,2})\\.?\\s+${NAME}`,
  // `ngày 5 tháng 3 năm 2024`
  `(?<!\\d)(?<date>\\d{1,2})\\s+(?<name>\\p{L}[\\p{L}\\p{M}]*)\\s+(?<number>\\d{1,2})(?:\\s*,|\\s+\\p{L}[\\p{L}\\p{M}]*)?\\s+(?<year>\\d{4})(?!\\d)`,
].map((source) => new RegExp(source, 'iu'));
/** `Wed Aug 05 12:00:00 +0000 2015` */
const YEAR_AT_END = /(\p{L}{3} +\d{1,2}) +(\d{1,2}:\d{2}:\d{2}(?: +[+-]\d{4}| +[A-Z]{3,4})?) +(\d{4})$/u;
const LONGEST = 120;

/** The page's language and the other values of the field decide ambiguous dates. */
export type DateHints = Pick<NumberHints, 'lang' | 'column'>;

/** Reads a date, with its time if it has one. */
export function readDate(given: string, hints: DateHints): Reading<DateParts> {
  const { lang } = hints;
  const common = withCommonYear(withDigits(foldSigns(given.slice(0, LONGEST + 1).normalize('NFC'))), lang);
  if (common === null) return buildRefusal('is a day outside of its era');
  const text = common.trim().replace(YEAR_AT_END, '$1, $3 $2');
  if (text === '') return buildRefusal('is empty');
  if (text.length > LONGEST) return buildRefusal('is text, not a date');
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
  const found = readDay(text, hints);
  if (!found.ok) return found;
  return check({ ...found.value, time: clockOf(text.replace(found.value.matched, ' ')) }, lang);
}

interface Day extends Omit<DateParts, 'time'> {
  readonly matched: string;
}

function readDay(text: string, hints: DateHints): Reading<Day> {
  const [matched, ...parts] = COMPACT.exec(text) ?? YEAR_FIRST.exec(text) ?? [];
  if (matched !== undefined) return reading(day(matched, ...parts));
  const last = YEAR_LAST.exec(text);
  if (last !== null) return yearLast(last, hints);
  return readNamed(text, hints.lang);
}

function readNamed(text: string, lang: string | null): Reading<Day> {
  let reason = 'is not a date';
  for (const match of NAMED.map((pattern) => pattern.exec(text))) {
    if (match === null) continue;
    const { year = '', name = '', number, date, span } = match.groups ?? {};
    const month = monthOf(number === undefined ? name : `${name} ${Number(number)}`, lang);
    if (month === null) reason = `names an unknown month: "${name}"`;
    else if (span !== undefined) return buildRefusal('contains several dates');
    else return reading(day(match[0], inCentury(year), String(month), date));
  }
  return buildRefusal(reason);
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
  { lang, column }: DateHints,
): Reading<Day> {
  const order = orderOf(lang);
  const isShort = [a, b, year].every(({ length }) => length === 2);
  if (isShort && order === 'year') return reading(day(matched, inCentury(a), b, year));
  const century = inCentury(year);
  const dayFirst = isDayFirst([Number(a), Number(b)], separator, order, column);
  if (isShort && separator === '-' && Number(a) > 12 && order !== 'day')
    return buildRefusal('may begin with its day or year');
  if (dayFirst === null)
    return buildRefusal('may be day or month first, and neither its field nor its page says which');
  return reading(dayFirst ? day(matched, century, b, a) : day(matched, century, a, b));
}

/** By the date itself, then by the other values of its field, then by the page's language. */
function isDayFirst(
  [a, b]: readonly [number, number],
  separator: string,
  order: Order | null,
  column: Column = NO_COLUMN,
): boolean | null {
  if (a > 12 || b > 12) {
    column.note(a > 12 ? 'day_first' : 'month_first');
    return a > 12;
  }
  if (separator === '.' || a === b) return true;
  column.ask();
  const isDay = column.has('day_first');
  if (isDay || column.has('month_first')) return isDay && column.has('month_first') ? null : isDay;
  return order === null || order === 'year' ? null : order === 'day';
}

type Order = 'day' | 'month' | 'year';
const orders = new Map<string, Order | null>();
/** English alone is of no country, and Canada writes both. */
const ANY_ORDER = /^en(?:-(?:ca|latn))?$/i;

/** The first part of numeric dates in a language; null if it is open. */
function orderOf(lang: string | null): Order | null {
  if (lang === null || ANY_ORDER.test(lang)) return null;
  return cachedIn(orders, lang, TABLES_KEPT, () => {
    const parts = formatOf(lang, { year: 'numeric', month: 'numeric', day: 'numeric' })?.formatToParts(0);
    const first = parts?.find(({ type }) => type === 'day' || type === 'month' || type === 'year')?.type;
    return first === 'day' || first === 'month' || first === 'year' ? first : null;
  });
}

/** Null for a text that is not a language tag. */
function formatOf(lang: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat(lang, { ...options, calendar: 'gregory', timeZone: 'UTC' });
  } catch {
    return null;
  }
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
  const time = clockOf(foldSigns(text.slice(0, LONGEST)));
  return time === null ? buildRefusal('is not a time of day') : reading(time);
}

/** Pages in Thai count years since the Buddha; other calendars have other months too. */
function check({ year: given, month, day: date, time }: DateParts, lang: string | null): Reading<DateParts> {
  const year = given > 2400 && /^th\b/i.test(lang ?? '') ? given - 543 : given;
  if (year < 1500 && /^(?:ar|fa|ps|ckb|ur)\b/i.test(lang ?? ''))
    return buildRefusal('is a date of another calendar');
  const isReal =
    month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isReal ? reading({ year, month, day: date, time }) : buildRefusal('is not a calendar day');
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

/** `2024-05-03` */
export function isoDay({ year, month, day: date }: DateParts): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(date)}`;
}

/** Without accents; the vowels of other scripts tell months apart. */
const plain = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f.]/g, '')
    .replaceAll("'", '’')
    .toLowerCase();
const tables = new Map<string, ReadonlyMap<string, number>>();
const TABLES_KEPT = 50;

/** Names of months from `Intl`: long, short, and in the form next to a day. */
function monthsOf(lang: string): ReadonlyMap<string, number> {
  return cachedIn(tables, lang, TABLES_KEPT, () => {
    const months = new Map<string, number>();
    for (const date of [undefined, 'numeric'] as const)
      for (const month of ['long', 'short'] as const) addMonths(months, lang, { month, day: date });
    return months;
  });
}

function addMonths(months: Map<string, number>, lang: string, options: Intl.DateTimeFormatOptions): void {
  const format = formatOf(lang, options);
  for (let month = 1; month <= 12 && format !== null; month += 1) {
    const parts = format.formatToParts(Date.UTC(2024, month - 1, 15));
    const at = parts.findIndex(({ type }) => type === 'month');
    const name = parts[at]?.value ?? '';
    // Some names have a prefix next to a day: `15 במרץ`, `15 d’abril`.
    const prefix = /\S*$/.exec(parts[at - 1]?.value ?? '')?.[0] ?? '';
    for (const form of [name, prefix + name]) months.set(plain(form), month);
  }
}

/** Pages often declare a wrong language, or none: a name that means one month in all of these is that month. */
const LANGUAGES =
  'ar ar-MA ar-SY bg bn ca cs da de el es et fa fi fr he hi hr hu id is it ka lt lv ms nb nl pl pt ro ru sk sl sr sv sw ta th tr uk vi'.split(
    ' ',
  );

function monthOf(word: string, lang: string | null): number | null {
  const wanted = plain(word);
  for (const language of [lang ?? 'en', 'en']) {
    const months = monthsOf(language);
    const exact = months.get(wanted);
    if (exact !== undefined) return exact;
    const begins = [...months].filter(([name]) => wanted.length >= 3 && name.startsWith(wanted));
    const [only] = begins;
    if (only !== undefined && begins.every(([, month]) => month === only[1])) return only[1];
  }
  const others = new Set(LANGUAGES.flatMap((language) => monthsOf(language).get(wanted) ?? []));
  return others.size === 1 ? ([...others][0] ?? null) : null;
}
