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
export const refused = (reason: string): Reading<never> => ({ ok: false, reason });

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

/** Other scripts' digits: the first of each ten. */
const ZEROES = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];

export function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROES.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

const SPACES = '\\u0020\\u00a0\\u2007\\u2009\\u202f';
const CODES =
  'USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SGD|HKD|KRW|THB|IDR|MYR|VND|INR|AED|SAR|ZAR|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|RON|RUB';
/** The currencies whose words mean nothing else next to a number, as a regular expression. */
export const MONEY = `(?:\\p{Sc}|(?<!\\p{L})(?:${CODES}|kr|zł|Kč|(?:Rs|Rp|руб|грн)\\.?)(?!\\p{L}))`;
/** `Fr.` is a day too. The dash of `5,-` and `5.–` stands for cents. */
const CURRENCY = `(?:R?${MONEY}|(?<!\\p{L})(?:TL|RM|Fr\\.?)(?!\\p{L})|[.,][-–—]{1,2}(?!\\d))`;
/** Digits with separators; a space separates only groups of three, and the point of `No.5` ends a word. */
const DIGITS = `\\d{1,3}(?:[${SPACES}]\\d{3})+(?:[.,]\\d+)?(?!\\d)|\\d(?:[\\d.,'’٬٫]*\\d)?|(?<![\\p{L}\\p{N}])[.,]\\d+`;
const LETTERS: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, b: 1e9, B: 1e9 };
const ASIAN: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 만: 1e4, 亿: 1e8, 億: 1e8, 억: 1e8 };
const WORDS: readonly (readonly [words: string, size: number])[] = [
  ['mil|[Tt]housand|Tsd\\.?|тыс\\.?', 1e3],
  ['[Ll]akhs?', 1e5],
  ['[Mm]io\\.?|[Mm]il(?:li?[oó]|h[õã]o|jo|yo|i[oó])\\p{L}{0,4}|млн\\.?', 1e6],
  ['[Cc]rores?', 1e7],
  ['[Bb]n|[Bb]illions?|[Mm]il(?:li|i|j|y)ar\\p{L}{0,5}|[Mm]rd\\.?|млрд\\.?', 1e9],
];
/** `1.2k`, `$5m` and `1,2 M€`, but neither `5 M` nor `5m`: these are a size and a length. */
const LETTER = `[kKMB]|[mb](?<=${CURRENCY}\\s*\\d[\\d.,]*.)|\\s[kKM](?=€|\\s+d(?:e\\s|['’]))`;
const SCALE = `(?:${LETTER}|\\s?(?:${WORDS.map(([words]) => words).join('|')}))(?![\\p{L}\\p{N}])|\\s?[${Object.keys(ASIAN).join('')}]`;
/** A dash between two numbers is not a sign. */
const SIGN = `(?<!\\p{N}[kKMBmb]?|\\p{Sc})[-−–+]|(?<!\\p{N}[kKMBmb]?\\s|\\p{Sc}\\s)[-−–+]\\s`;
const NUMBER = new RegExp(
  `(?<open>\\()?(?<sign>${SIGN})?(?:(?<before>${CURRENCY}\\s*)(?<inner>[-−]\\s?)?)?(?<digits>${DIGITS})(?<exponent>e[+-]?\\d+)?(?<scale>${SCALE})?(?<after>${CURRENCY}(?!\\d)|\\s+${CURRENCY}(?!\\s*\\d))?(?<close>\\))?`,
  'gu',
);
/** `35€99`, and a price whose cents are an element of their own: `$8. 94`. */
const CENTS = /(?<=\d)€\s?(\d\d)(?=$|(?<=€\d\d)(?!\s*\p{Sc}|[\d.,]))/gu;
const APART = /^(\D*\d[\d.,]*[.,])\s+(\d\d\D*)$/u;
const CURRENCIES = new RegExp(CURRENCY, 'gu');
/** Currencies without a smaller unit. */
const WHOLE = /[₫₩¥₲]|VND|IDR|Rp|KRW|JPY|HUF/;
/** Units after a number; without its language, a `Ft` may be a foot. */
const UNIT = /^\s?(Ft(?!\p{L})|%)/u;
/** Of all others, most are those of countries that write 1.234,56. */
const MAY_HAVE_POINT = /^(?:$|[$£%]|R[sM]|[A-Z]{3})/;
const FRACTIONS: Readonly<Record<string, string>> = { '¼': '.25', '½': '.5', '¾': '.75' };

/** The text in Latin digits, with prices in one piece. */
function prepare(given: string): string {
  const text = latinDigits(given.slice(0, LONGEST + 1)).trim();
  return text
    .replace(/(?<=\d)\s?[¼½¾]|(?<!\p{N})[¼½¾]/gu, (sign) => FRACTIONS[sign.trim()] ?? sign)
    .replace(
      CENTS,
      (_, cents: string, at: number) => `${text.slice(0, at).includes(',') ? '.' : ','}${cents}€`,
    )
    .replace(APART, (whole, price: string, cents: string) => (isOnlyPrice(whole) ? price + cents : whole));
}

function isOnlyPrice(text: string): boolean {
  const rest = text.replace(CURRENCIES, '');
  return rest !== text && !/\p{L}/u.test(rest);
}

/** Most numbers are unambiguous. */
const UNAMBIGUOUS = /^([-+]?)(?:[$€£¥]\s?)?(\d{1,15}(?:\.\d{1,2})?)$/;
const OUT_OF = /^(.*?\d)\s*(?:\/|\bout of\b|\bof\b|\bvon\b|\bsur\b|\bde\b|\bsu\b)\s*\d+(?:[.,]\d+)?\D*$/iu;
const MACHINE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** A number in a longer text belongs to prose. */
const LONGEST = 200;

export interface NumberHints {
  readonly lang: string | null;
  /** Written for programs: a point is a decimal point. */
  readonly isMachine: boolean;
}

/** Reads the one number of a text. */
export function readNumber(given: string, { lang, isMachine }: NumberHints): Reading<number> {
  const text = prepare(given);
  if (text === '') return refused('is empty');
  if (text.length > LONGEST) return refused('is text, not a number');
  if (isMachine && MACHINE.test(text)) return finite(Number(text));
  const plain = UNAMBIGUOUS.exec(text);
  if (plain !== null) return finite(Number(`${plain[1]}${plain[2]}`));
  const found = numbersIn(text);
  const priced = found.filter(isPriced);
  const [only, second] = priced.length === 1 && !isOneOfTwo(text, found) ? priced : found;
  if (only === undefined) return refused('contains no number');
  if (second !== undefined) {
    const rated = OUT_OF.exec(text)?.[1];
    if (rated !== undefined && rated.length < text.length) return readNumber(rated, { lang, isMachine });
    return refused('contains several numbers');
  }
  return valueOf(only, lang, found.length === 1);
}

const numbersIn = (text: string): RegExpExecArray[] =>
  /\d/.test(text) ? [...text.matchAll(NUMBER)].filter((match) => !isPartOfWord(text, match)) : [];

const moneyOf = ({ groups = {} }: RegExpExecArray): string =>
  (groups['before'] ?? groups['after'] ?? '').trim();
const isPriced = (match: RegExpExecArray): boolean => moneyOf(match) !== '';
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

const BETWEEN = /^\s*(?:[-–—‒−~]|to|bis|until|à|a|hasta|fino a)\s*$/iu;
const FROM = /^\D*\b(?:from|ab|starting at|at least|min\.?|minimum|à partir de|desde|da)\b/iu;
const UP_TO = /^\D*\b(?:up to|bis zu|until|at most|max\.?|maximum|under|jusqu'à|hasta|fino a)\b/iu;

/**
 * Reads one end of a range: `10–20 €`, `€60–75k`, `from 10`. A text with one number is both ends, unless it
 * says that it is the other one.
 */
export function readBound(given: string, bound: 'low' | 'high', hints: NumberHints): Reading<number> {
  const text = prepare(given);
  const [first, second, third] = numbersIn(text);
  if (first === undefined || second === undefined) {
    const isOther = (bound === 'high' ? FROM : UP_TO).test(text);
    return isOther ? refused('is the other end of a range') : readNumber(given, hints);
  }
  const between = text.slice(first.index + first[0].length, second.index);
  if (third !== undefined || !BETWEEN.test(between)) return refused('contains several numbers');
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
  return `${sign}${own.groups?.['digits']}${own.groups?.['scale'] ?? last}`;
}

const MILLIONS = /\d([mb])$/;

/** `B2B`, `v1.2.3-beta`, `2024-05-03` and the 2 of `km2` are not quantities. */
function isPartOfWord(text: string, match: RegExpExecArray): boolean {
  const before = text[match.index - 1] ?? '';
  return (
    match.groups?.['before'] === undefined && /\p{L}/u.test(before) && !/^[krKR万萬만亿億억]$/.test(before)
  );
}

function valueOf(match: RegExpExecArray, lang: string | null, isAlone: boolean): Reading<number> {
  const { groups = {} } = match;
  const plain = separate(groups['digits'] ?? '', lang, unitOf(match));
  if (plain === null) return refused('has separators of unknown meaning');
  const isNegative =
    /[-−–]/.test(groups['sign'] ?? '') ||
    groups['inner'] !== undefined ||
    (isAlone && groups['open'] !== undefined && groups['close'] !== undefined && hasParenthesesOnly(groups));
  const size = Number(`${plain}${groups['exponent'] ?? ''}`) * scaleOf(groups['scale']?.trim() ?? '', lang);
  return finite(isNegative ? -size : round(size));
}

function scaleOf(scale: string, lang: string | null): number {
  // In English, a mil is a length.
  if (scale === 'mil') return /^(?:pt|es)\b/i.test(lang ?? '') ? 1e3 : 1;
  const isWord = ([words]: (typeof WORDS)[number]): boolean => new RegExp(`^(?:${words})$`, 'u').test(scale);
  return LETTERS[scale] ?? ASIAN[scale] ?? WORDS.find(isWord)?.[1] ?? 1;
}

/** Accountants write (1,234) for -1,234; (4.5) alone is also negative, (2020) after a word is a note. */
function hasParenthesesOnly(groups: Record<string, string | undefined>): boolean {
  return /[.,]/.test(groups['digits'] ?? '') || groups['before'] !== undefined;
}

/** 1.1 × 1,000 is 1,100.0000000000002 otherwise. */
const round = (size: number): number => (Number.isFinite(size) ? Number(size.toPrecision(15)) : size);

const finite = (value: number): Reading<number> =>
  Number.isFinite(value) ? reading(value) : refused('is out of range');

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
