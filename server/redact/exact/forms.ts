/*
 * How a text can be written: as it is, percent-encoded, as an escape of JSON or JavaScript, as an HTML
 * entity, and any mixture of these. The writer of a text decides for each character, so a character is
 * compared in all its forms, and no list of whole forms is needed.
 */

/** Any run of white space: pages, forms and lines break and join it. */
export const BLANK = -1;
/** Longest form of one character; a form that begins closer to the end of a chunk may go on. */
export const FORM_UNITS = 64;
const BLANKS_MOST = 32;
const BACKSLASH = 92;
const PERCENT = 37;
const AMPERSAND = 38;

const NAMED: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};
const LETTERS: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
/** Once, or encoded again up to three times: an address within an address. */
const percent = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => `%(?:25){0,3}${hex(byte, 2)}`).join('');
const units = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\\\{1,8}u${hex(text.charCodeAt(at), 4)}`).join('');
const entity = (code: number, name?: string): string =>
  `&(?:amp;){0,2}(?:#x0{0,4}${hex(code, 1)}|#0{0,4}${code}${name === undefined ? '' : `|${name}`});`;

/** All escapes of a character; what JSON or Markdown may put a backslash before is one of them. */
function escapesOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const letter = LETTERS[char];
  const forms = [percent(char), units(char), entity(code, NAMED[char])];
  if (letter !== undefined) forms.push(`\\\\{1,8}${letter}`);
  if (/[!-/:-@[\]^-`{-~]/.test(char)) forms.push(`\\\\{1,8}\\u${hex(code, 4)}`);
  return forms.join('|');
}

const BLANK_FORM = new RegExp(
  `[\\s+]|${[' ', '\t', '\n', '\r', '\u00a0'].map(escapesOf).join('|')}|&(?:amp;){0,2}nbsp;`,
  'iy',
);
/** Breaks within base64, as mail and PEM have them. */
const LINE_BREAK = /\r?\n|(?:\\{1,8}r)?\\{1,8}n|(?:%0D)?%0A/iy;
const SYMBOLS: Readonly<Record<string, RegExp>> = {
  '+': /[+-]|%(?:25){0,3}2B|\\{1,8}u002B|\\{1,8}-/iy,
  '/': /\\{0,8}[/_]|%(?:25){0,3}2F|\\{1,8}u002F/iy,
};

const cache = new Map<number, RegExp>();

function escapeAt(code: number): RegExp {
  const known = cache.get(code);
  if (known !== undefined) return known;
  const made = new RegExp(escapesOf(String.fromCodePoint(code)), 'iy');
  cache.set(code, made);
  return made;
}

function endOf(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : -1;
}

/** First and last of what can be anywhere within a text without being seen. */
const INVISIBLE_RANGES = [
  ...([
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
    [0x180e, 0x180e],
  ] as const),
  ...([
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x2064],
    [0xfeff, 0xfeff],
  ] as const),
];
const INVISIBLE_CODES: ReadonlySet<number> = new Set(
  INVISIBLE_RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  ),
);
export const INVISIBLE_UNITS: readonly string[] = Array.from(INVISIBLE_CODES, (code) =>
  String.fromCharCode(code),
);
const INVISIBLE_RUN = new RegExp(`[${INVISIBLE_UNITS.join('')}]{0,${FORM_UNITS}}`, 'y');

export const isInvisible = (unit: number): boolean => unit >= 0xad && INVISIBLE_CODES.has(unit);

/** True for a unit that begins an escape. */
export const isEscape = (unit: number): boolean =>
  unit === PERCENT || unit === AMPERSAND || unit === BACKSLASH;

/** Adds where a character that is written at a place can end. */
export type Reader = (text: string, at: number, code: number, ends: number[]) => void;

function readBlanks(text: string, at: number, ends: number[]): void {
  let end = endOf(BLANK_FORM, text, at);
  for (let count = 0; end > 0 && count < BLANKS_MOST; count += 1) {
    ends.push(end);
    end = endOf(BLANK_FORM, text, end);
  }
}

/** A character of running text in any of its forms. */
export const readChar: Reader = (text, at, code, ends) => {
  if (code === BLANK) {
    readBlanks(text, at, ends);
    return;
  }
  if (isInvisible(text.charCodeAt(at))) readSeen(text, endOf(INVISIBLE_RUN, text, at), code, ends);
  // It may be one of the characters that are looked for.
  readSeen(text, at, code, ends);
};

function readSeen(text: string, at: number, code: number, ends: number[]): void {
  const raw = text.codePointAt(at);
  if (raw === code) ends.push(at + (code > 0xffff ? 2 : 1));
  if (raw === undefined || !isEscape(raw)) return;
  // A backslash is doubled each time that its text becomes a string.
  if (code === BACKSLASH)
    for (let end = at + 2; end <= at + 16 && text.charCodeAt(end - 1) === BACKSLASH; end += 1) ends.push(end);
  const end = endOf(escapeAt(code), text, at);
  if (end > 0) ends.push(end);
}

/** A character of base64, of either alphabet, which may follow a line break. */
export const readBase64: Reader = (text, at, code, ends) => {
  const raw = text.charCodeAt(at);
  const isBreak = raw === 10 || raw === 13 || raw === BACKSLASH || raw === PERCENT;
  const start = isBreak ? Math.max(at, endOf(LINE_BREAK, text, at)) : at;
  const symbol = SYMBOLS[String.fromCharCode(code)];
  if (symbol === undefined) {
    if (text.charCodeAt(start) === code) ends.push(start + 1);
    return;
  }
  const end = endOf(symbol, text, start);
  if (end > 0) ends.push(end);
};
