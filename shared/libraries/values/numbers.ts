import { foldSigns } from './fold.ts';
import { EASTERN, joinParts, magnitudesOf } from './magnitudes.ts';
import { type Column, NO_COLUMN } from './columns.ts';

/**
 * Numbers as people write them: separators of many locales, currencies, units, percent signs and magnitudes.
 * The currency and the page's language decide ambiguous cases; where they do not, the text is not a number, and
 * neither is one with several numbers.
 */

/** The result of reading a text. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

export const reading = <T>(value: T): Reading<T> => ({ ok: true, value });
export const buildRefusal = (reason: string): Reading<never> => ({ ok: false, reason });

/** Languages that write 1.234,56; languages with their own script, and the rest, write 1,234.56. */
const COMMA_DECIMAL = new Set(
  'af az be bg bs ca cs da de el es et eu fi fo fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk uz vi'.split(
    ' ',
  ),
);
/** Countries that differ from their language. */
const POINT_COUNTRY = /-(?:419|bo|cr|do|gt|hn|mx|ni|pa|pe|pr|sv|us|ch|li)$/i;

/** Whether a page in this language writes a comma before decimals; null if unknown. */
function hasCommaDecimals(lang: string | null): boolean | null {
  const language = /^[a-z]{2,3}/i.exec(lang ?? '')?.[0].toLowerCase();
  if (language === undefined) return null;
  if (/^(?:es|de|it|fr)-/i.test(lang ?? '') && POINT_COUNTRY.test(lang ?? '')) return false;
  return COMMA_DECIMAL.has(language);
}

const SPACES = '\\u0020\\u00a0\\u2007\\u2009\\u202f';
const CODES =
  'USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SGD|HKD|KRW|THB|IDR|MYR|VND|INR|AED|SAR|ZAR|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|RON|RUB';
/** The currencies whose words mean nothing else next to a number, as a regular expression. */
export const MONEY = `(?:\\p{Sc}|(?<!\\p{L})(?:${CODES}|kr|zł|Kč|(?:Rs|Rp|руб|грн)\\.?)(?!\\p{L}))`;
/** {@link MONEY} after a number. */
export const MONEY_AFTER = `(?:${MONEY}|[円元圓원])`;
/** `Fr.` is a day too. The dash of `5,-`, `5:-` and `5.–` stands for cents. */
const CURRENCY = `(?:R?${MONEY}|(?<!\\p{L})(?:TL|RM|Fr\\.?)(?!\\p{L})|[.,:][-–—]{1,2}(?!\\d))`;
/** Digits with separators; a space separates only groups of three, and the point of `No.5` ends a word. */
const DIGITS = `\\d{1,3}(?:[${SPACES}]\\d{3})+(?:[.,]\\d+)?(?!\\d)|\\d(?:[\\d.,'’٬٫]*\\d)?|(?<![\\p{L}\\p{N}])[.,]\\d+`;
/** `1.2k`, `$5m` and `1,2 M€`, but neither `5 M` nor `5m`: these are a size and a length. */
const LETTER = `[kKMB]|[mbT](?<=${CURRENCY}\\s*\\d[\\d.,]*.)|\\s[kKM](?=€|\\s+d(?:e\\s|['’]))`;
/** A dash between two numbers is not a sign, and neither is one between two words. */
const SIGN = `(?<!\\p{N}[kKMBmb]?|\\p{Sc})[-−–+]|[-−–+](?<=(?:^|[:(])\\s*.)\\s`;
const patterns = new Map<string, RegExp>();

/** Numbers with their signs, currencies and magnitudes, in the words of a language. */
function patternFor(lang: string | null): RegExp {
  const { words } = magnitudesOf(lang);
  const scale = `(?:${LETTER}|\\s?(?:${words}))(?![\\p{L}\\p{N}])|\\s?[${EASTERN}]`;
  const made =
    patterns.get(words) ??
    new RegExp(
      `(?<open>\\()?(?<sign>${SIGN})?(?:(?<before>${CURRENCY}\\s*)(?<inner>[-−]\\s?)?)?(?<digits>${DIGITS})(?<exponent>[eE][+-]?\\d+)?(?<scale>${scale})?(?<minus>[-−](?<=\\d[.,]\\d\\d.)(?=\\s*(?:$|${CURRENCY})))?(?<after>${CURRENCY}(?!\\d)|\\s+${CURRENCY}(?!\\s*\\d)|\\s?[円元圓원])?(?<close>\\))?`,
      'gu',
    );
  patterns.set(words, made);
  return made;
}
/** `35€99`, and a price whose cents are an element of their own: `$8. 94`. */
const CENTS = /(?<=\d)€\s?(\d\d)(?=$|(?<=€\d\d)(?!\s*\p{Sc}|[\d.,]))/gu;
/** `12:50 kr`; a time has no currency. */
const COLON = new RegExp(
  `(?<=${CURRENCY}\\s?(?:\\d{1,3}(?:[${SPACES}]\\d{3})+|\\d+)):(?=\\d\\d(?!\\d|:))|(?<=(?<![\\d:])\\d{1,6}):(?=\\d\\d\\s?${CURRENCY}(?!\\s?\\d))`,
  'gu',
);
/** A currency between two numbers belongs to the first if it also follows a later one: `1,99 € 3,98 €/kg`. */
const FOLLOWS = new RegExp(
  `(?<=\\d)\\s+(?<money>${CURRENCY})(?=\\s+\\d.*\\d\\s?\\k<money>(?!\\s*\\d))`,
  'gu',
);
const APART = /^(\D*\d[\d.,]*[.,])\s+(\d\d\D*)$/u;
const CURRENCIES = new RegExp(CURRENCY, 'gu');
/** Currencies without a smaller unit. */
const WHOLE = /[₫₩¥₲円원]|VND|IDR|Rp|KRW|JPY|HUF/;
/** Units after a number; without its language, a `Ft` may be a foot. */
const UNIT = /^\s?(Ft(?!\p{L})|%)/u;
/** Of all others, most are those of countries that write 1.234,56. */
const MAY_HAVE_POINT = /^(?:$|[$£%]|R[sM]|[A-Z]{3})/;
/** `2⁄3`, `1 2⁄3` and `1 1/2`: without a whole number, a slash may be that of a rating. */
const FRACTION = /(?<![\d.,/])(?:(\d+)[ -])?(\d\d?)(?:⁄|(?<=\d[ -]\d\d?)\/(?=[2348]|16))(\d\d?)(?![\d/])/gu;

/** The text in signs and digits of a Latin keyboard, with prices in one piece. */
export function prepare(given: string, lang: string | null): string {
  const text = foldSigns(given.slice(0, LONGEST + 1)).trim();
  return rejoin(joinParts(text, lang))
    .replace(/\s?[¼-¾⅐-⅞]/gu, (sign) => ` ${sign.trim().normalize('NFKC')}`)
    .replace(FRACTION, withDecimals)
    .trim()
    .replace(
      CENTS,
      (_, cents: string, at: number) => `${text.slice(0, at).includes(',') ? '.' : ','}${cents}€`,
    )
    .replace(APART, (whole, price: string, cents: string) => (isOnlyPrice(whole) ? price + cents : whole));
}

function withDecimals(fraction: string, whole = '0', above: string, below: string): string {
  if (Number(above) >= Number(below)) return fraction;
  // Three digits after the point could be a group.
  return `${Number(whole) + Number(above) / Number(below)}`.replace(/\.\d{3}$/, '$&0');
}

/** Prices whose parts others separate. Most texts have none, and these patterns look far ahead and back. */
function rejoin(text: string): string {
  const whole = text.includes(':')
    ? text.replace(COLON, (_, at: number) => (text.slice(0, at).includes(',') ? '.' : ','))
    : text;
  return /\d\s+\D+\s\d.*\d/u.test(whole) ? whole.replace(FOLLOWS, '$<money>') : whole;
}

function isOnlyPrice(text: string): boolean {
  const rest = text.replace(CURRENCIES, '');
  return rest !== text && !/\p{L}/u.test(rest);
}

/** Most numbers are unambiguous. */
const UNAMBIGUOUS = /^\s*([-+]?)(?:[$€£¥]\s?)?(\d{1,15}(?:\.\d{1,2})?)\s*$/;
const OUT_OF = /^(.*?\d)\s*(?:\/|\bout of\b|\bof\b|\bvon\b|\bsur\b|\bde\b|\bsu\b)\s*\d+(?:[.,]\d+)?\D*$/iu;
const MACHINE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** A number in a longer text belongs to prose. */
const LONGEST = 200;

export interface NumberHints {
  readonly lang: string | null;
  /** Written for programs: a point is a decimal point. */
  readonly isMachine: boolean;
  /** How the other values of the field are written, if they are known. */
  readonly column?: Column;
}

/** Reads the one number of a text. */
export function readNumber(given: string, hints: NumberHints): Reading<number> {
  const { lang, isMachine, column = NO_COLUMN } = hints;
  const plain = UNAMBIGUOUS.exec(given);
  if (plain !== null) {
    column.note('bare');
    return finite(Number(`${plain[1]}${plain[2]}`));
  }
  const text = prepare(given, lang);
  if (text === '') return buildRefusal('is empty');
  if (text.length > LONGEST) return buildRefusal('is text, not a number');
  return isMachine && MACHINE.test(text) ? finite(Number(text)) : readOnly(text, hints);
}

/** The only number of a text, or the only one with a currency. */
function readOnly(text: string, hints: NumberHints): Reading<number> {
  const found = numbersIn(text, hints.lang);
  const priced = found.filter(isPriced);
  const [only, second] = priced.length === 1 && !isOneOfTwo(text, found) ? priced : found;
  if (only === undefined) return buildRefusal('contains no number');
  if (second !== undefined || isCutOff(text, only, found)) {
    const rated = OUT_OF.exec(text)?.[1];
    if (rated !== undefined && rated.length < text.length) return readNumber(rated, hints);
    return buildRefusal('contains several numbers');
  }
  if (hasArrow(text.slice(0, only.index), hints.lang)) return buildRefusal('has a sign of unknown meaning');
  return parseAmount(only, hints, found.length === 1);
}

/** An arrow down is a loss or a vote; in Japanese accounts, triangles are minus signs. */
const hasArrow = (before: string, lang: string | null): boolean =>
  /[▼▽]\s?$/.test(before) || (/^ja\b/i.test(lang ?? '') && /[▲△]\s?$/.test(before));

/** Whether nothing but a separator is between a currency's number and another: `$3·499`, `19 99 €`, `12 € 3`. */
function isCutOff(text: string, only: RegExpExecArray, found: readonly RegExpExecArray[]): boolean {
  const { before, after } = only.groups ?? {};
  if ((before === undefined) === (after === undefined)) return false;
  const at = found.indexOf(only);
  const [last, next] = [found[at - 1], found[at + 1]];
  const isLed = (before === undefined || before.endsWith(' ')) && last !== undefined;
  if (isLed && CUT.test(text.slice(last.index + last[0].length, only.index))) return true;
  if (before === undefined || next === undefined) return false;
  const isCounted = /^\s?[\p{L}%]/u.test(text.slice(next.index + next[0].length));
  return !isCounted && CUT.test(text.slice(only.index + only[0].length, next.index));
}

const CUT = /^(?:\s|[^\s\p{L}\p{N}()[\]/|%+-])$/u;

export const numbersIn = (text: string, lang: string | null): RegExpExecArray[] =>
  /\d/.test(text) ? [...text.matchAll(patternFor(lang))].filter((match) => !isPartOfWord(text, match)) : [];

export const moneyOf = ({ groups = {} }: RegExpExecArray): string =>
  (groups['before'] ?? groups['after'] ?? '').trim();
export const isPriced = (match: RegExpExecArray): boolean => moneyOf(match) !== '';
const unitOf = (match: RegExpExecArray): string =>
  UNIT.exec(match.input.slice(match.index + match[0].length))?.[1] ?? moneyOf(match);

/** Two prices that share a currency: `10–20 €`, `€10–20`, `100 € 80 €`; but not `iPhone 14 – $999`. */
function isOneOfTwo(text: string, found: readonly RegExpExecArray[]): boolean {
  return found.some((first, index) => {
    const second = found[index + 1];
    if (second === undefined) return false;
    const between = text.slice(first.index + first[0].length, second.index);
    const { before, after } = second.groups ?? {};
    if (BETWEEN.test(between)) return first.groups?.['before'] !== undefined || after !== undefined;
    return between.trim() === '' && before !== undefined && after !== undefined;
  });
}

const BETWEEN = /^\s*(?:[-–—‒−~〜]|to|bis|until|à|a|hasta|fino a)\s*$/iu;
const FROM = /^\D*\b(?:from|ab|starting at|at least|min\.?|minimum|à partir de|desde|da)\b/iu;
const UP_TO = /^\D*\b(?:up to|bis zu|until|at most|max\.?|maximum|under|jusqu'à|hasta|fino a)\b/iu;

/**
 * Reads one end of a range: `10–20 €`, `€60–75k`, `from 10`. A text with one number is both ends, unless it
 * says that it is the other one.
 */
export function readBound(given: string, bound: 'low' | 'high', hints: NumberHints): Reading<number> {
  const text = prepare(given, hints.lang);
  const [first, second, third] = numbersIn(text, hints.lang);
  if (first === undefined || second === undefined) {
    const isOther = (bound === 'high' ? FROM : UP_TO).test(text);
    return isOther ? buildRefusal('is the other end of a range') : readNumber(given, hints);
  }
  const between = text.slice(first.index + first[0].length, second.index);
  if (third !== undefined || !BETWEEN.test(between)) return buildRefusal('contains several numbers');
  const [own, other] = bound === 'low' ? [first, second] : [second, first];
  const scale = bound === 'low' ? other.groups?.['scale'] : undefined;
  return readNumber(boundText(own, other, scale ?? MILLIONS.exec(text)?.[1]), { ...hints, isMachine: false });
}

/**
 * One number of a range by itself. The first may leave its magnitude to the second, and the second its currency to the
 * first: `2 to 3 million`, `£1.5m–2m`.
 */
function boundText(own: RegExpExecArray, other: RegExpExecArray, last = ''): string {
  const money = moneyOf(own) || moneyOf(other);
  // Without its number, a dash for cents would read as a currency.
  const sign = /^[.,]/.test(money) ? '€' : money;
  const number = `${own.groups?.['digits']}${own.groups?.['scale'] ?? last}`;
  return /^[円元圓원]$/.test(sign) ? number + sign : sign + number;
}

const MILLIONS = /\d([mb])$/;

/** `B2B`, `v1.2.3-beta`, `2024-05-03` and the 2 of `km2` are not quantities; in `共5件`, words have no spaces. */
function isPartOfWord(text: string, match: RegExpExecArray): boolean {
  const before = text[match.index - 1] ?? '';
  return match.groups?.['before'] === undefined && IN_WORD.test(before) && !/^[krKR]$/.test(before);
}

const IN_WORD =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])\p{L}/u;

/** @param isAlone the text has no other number */
export function parseAmount(
  match: RegExpExecArray,
  { lang, column = NO_COLUMN }: NumberHints,
  isAlone: boolean,
): Reading<number> {
  const { groups = {} } = match;
  const scale = groups['scale']?.trim() ?? '';
  const plain = separate(groups['digits'] ?? '', lang, unitOf(match));
  if (plain === null) return buildRefusal('has separators of unknown meaning');
  const isNegative =
    /[-−–]/.test(groups['sign'] ?? '') ||
    groups['inner'] !== undefined ||
    groups['minus'] !== undefined ||
    (isAlone && isNegativeInBrackets(match, plain, column));
  const size = Number(`${plain}${groups['exponent'] ?? ''}`) * magnitudesOf(lang).sizeOf(scale);
  return finite(isNegative ? -size : round(size));
}

/**
 * Accountants write (1,234.50) for -1,234.50. Without decimals or a currency, a number in brackets is as often a count,
 * unless the column has others without brackets; (2020) is a year.
 */
function isNegativeInBrackets(match: RegExpExecArray, plain: string, column: Column): boolean {
  const { open, close, scale, digits = '' } = match.groups ?? {};
  if (open === undefined || close === undefined) {
    if (match[0] === match.input) column.note('bare');
    return false;
  }
  const isCount = scale !== undefined || !plain.includes('.');
  if (isPriced(match) || !isCount) return true;
  if (/\D/.test(digits)) column.note('bracketed');
  column.ask();
  return column.has('bracketed') && column.has('bare');
}

/** 1.1 × 1,000 is 1,100.0000000000002 otherwise. */
const round = (size: number): number => (Number.isFinite(size) ? Number(size.toPrecision(15)) : size);

const finite = (value: number): Reading<number> =>
  Number.isFinite(value) ? reading(value) : buildRefusal('is out of range');

/** Digits with at most one decimal point, or null if the separators make no number or several. */
function separate(digits: string, lang: string | null, unit: string): string | null {
  const text = digits.replace(new RegExp(`[${SPACES}'’٬]`, 'gu'), '').replace('٫', '.');
  const points = text.split('.').length - 1;
  const commas = text.split(',').length - 1;
  if (points > 0 && commas > 0) {
    const decimal = text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ',';
    return withDecimal(text, decimal);
  }
  if (points + commas === 0) return text;
  const separator = points > 0 ? '.' : ',';
  if (points + commas > 1) return areGroups(text, separator) ? text.replaceAll(separator, '') : null;
  const [whole = '', rest = ''] = text.split(separator);
  const couldGroup = rest.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  const isThousands = couldGroup && isGroup(separator, hasCommaDecimals(lang), unit);
  if (isThousands === null) return null;
  return isThousands ? whole + rest : `${whole || '0'}.${rest}`;
}

/** 1,234 or 1.234: three digits after a single separator. Null if nothing decides. */
function isGroup(separator: '.' | ',', comma: boolean | null, unit: string): boolean | null {
  if (WHOLE.test(unit)) return true;
  if (comma === true) return separator === '.' || unit === 'Ft';
  // Outside of these languages, a comma more often groups digits than marks decimals.
  if (separator === ',') return true;
  // On a page in English, `€1.250` may be a rent or the price of a litre.
  if (!MAY_HAVE_POINT.test(unit)) return comma === null ? true : null;
  // Without a language, `$129.900` is a price in Chile, or `$3.459` one of a gallon.
  return comma === null && unit !== '%' ? null : false;
}

function withDecimal(text: string, decimal: '.' | ','): string | null {
  const group = decimal === '.' ? ',' : '.';
  const at = text.lastIndexOf(decimal);
  if (text.indexOf(decimal) !== at) return null;
  const whole = text.slice(0, at);
  return areGroups(whole, group) ? `${whole.replaceAll(group, '')}.${text.slice(at + 1)}` : null;
}

/** Threes after the first group; twos before the last three are Indian. */
function areGroups(text: string, separator: string): boolean {
  const [first = '', ...rest] = text.split(separator);
  if (!/^\d{1,3}$/.test(first) || rest.at(-1)?.length !== 3) return false;
  const middle = rest.slice(0, -1);
  return middle.every(({ length }) => length === 3) || middle.every(({ length }) => length === 2);
}
