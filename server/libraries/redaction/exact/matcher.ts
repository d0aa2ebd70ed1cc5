import type { KnownSecret } from '../../../core/services.ts';

/*
 * How a text can be written: as it is, percent-encoded, as an escape of JSON or JavaScript, as an HTML
 * entity, and any mixture of these. The writer of a text decides for each character, so a character is
 * compared in all its forms, and no list of whole forms is needed.
 */

/** Any run of white space: pages, forms and lines break and join it. */
const BLANK = -1;
/** Longest form of one character; a form that begins closer to the end of a chunk may continue. */
const FORM_UNITS = 64;
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

/** All escapes of a character; JSON or Markdown may put a backslash before some of them. */
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
/** Line breaks within base64, as in mail and PEM. */
const LINE_BREAK = /\r?\n|(?:\\{1,8}r)?\\{1,8}n|(?:%0D)?%0A/iy;
const SYMBOLS: Readonly<Record<string, RegExp>> = {
  '+': /[+-]|%(?:25){0,3}2B|\\{1,8}u002B|\\{1,8}-/iy,
  '/': /\\{0,8}[/_]|%(?:25){0,3}2F|\\{1,8}u002F/iy,
};

const cache = new Map<number, RegExp>();

function escapeAt(code: number): RegExp {
  const form = cache.get(code) ?? new RegExp(escapesOf(String.fromCodePoint(code)), 'iy');
  cache.set(code, form);
  return form;
}

function unitEnd(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : -1;
}

/** Invisible characters, which may occur anywhere in a text. */
const INVISIBLE_UNITS = [
  ...'\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
  ...'\u2060\u2061\u2062\u2063\u2064\ufeff',
];
const INVISIBLE_CODES: ReadonlySet<number> = new Set(INVISIBLE_UNITS.map((unit) => unit.charCodeAt(0)));
const INVISIBLE_RUN = new RegExp(`[${INVISIBLE_UNITS.join('')}]{0,${FORM_UNITS}}`, 'y');

const isInvisible = (unit: number): boolean => unit >= 0xad && INVISIBLE_CODES.has(unit);

/** True for a unit that begins an escape. */
const isEscape = (unit: number): boolean => unit === PERCENT || unit === AMPERSAND || unit === BACKSLASH;

/** Adds the possible ends of a character that is written at a place. */
type Reader = (text: string, at: number, code: number, ends: number[]) => void;

function readBlanks(text: string, at: number, ends: number[]): void {
  let end = unitEnd(BLANK_FORM, text, at);
  for (let count = 0; end > 0 && count < BLANKS_MOST; count += 1) {
    ends.push(end);
    end = unitEnd(BLANK_FORM, text, end);
  }
}

/** A character of running text in any of its forms. */
const readChar: Reader = (text, at, code, ends) => {
  if (code === BLANK) {
    readBlanks(text, at, ends);
    return;
  }
  if (isInvisible(text.charCodeAt(at))) readSeen(text, unitEnd(INVISIBLE_RUN, text, at), code, ends);
  // It may be one of the wanted characters.
  readSeen(text, at, code, ends);
};

function readSeen(text: string, at: number, code: number, ends: number[]): void {
  const raw = text.codePointAt(at);
  if (raw === code) ends.push(at + (code > 0xffff ? 2 : 1));
  if (raw === undefined || !isEscape(raw)) return;
  // A backslash doubles each time its text becomes a string.
  if (code === BACKSLASH)
    for (let end = at + 2; end <= at + 16 && text.charCodeAt(end - 1) === BACKSLASH; end += 1) ends.push(end);
  const end = unitEnd(escapeAt(code), text, at);
  if (end > 0) ends.push(end);
}

/** A character of base64, of either alphabet, which may follow a line break. */
const readBase64: Reader = (text, at, code, ends) => {
  const raw = text.charCodeAt(at);
  const isBreak = raw === 10 || raw === 13 || raw === BACKSLASH || raw === PERCENT;
  const start = isBreak ? Math.max(at, unitEnd(LINE_BREAK, text, at)) : at;
  const symbol = SYMBOLS[String.fromCharCode(code)];
  if (symbol === undefined) {
    if (text.charCodeAt(start) === code) ends.push(start + 1);
    return;
  }
  const end = unitEnd(symbol, text, start);
  if (end > 0) ends.push(end);
};

/** A value to look for, character by character. */
interface Needle {
  readonly mark: string;
  readonly kind: string;
  readonly codes: readonly number[];
  readonly read: Reader;
  /** Pairs of units with which it can begin. */
  readonly starts: ReadonlySet<string>;
}

/** The first units of all forms of a character. */
function firstUnits(code: number): string[] {
  if (code === BLANK)
    return [...' \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff+%\\&'].concat(
      Array.from({ length: 11 }, (_, at) => String.fromCharCode(0x2000 + at)),
    );
  return [String.fromCodePoint(code).charAt(0), '%', '\\', '&'];
}

function textStarts(first: number, second: number): Set<string> {
  const char = String.fromCodePoint(first);
  const byte = Buffer.from(char, 'utf8')[0] ?? 0;
  const nibble = byte.toString(16).padStart(2, '0').charAt(0);
  const after = char.length === 2 ? [char.charAt(1)] : [...firstUnits(second), ...INVISIBLE_UNITS];
  return new Set([
    ...after.map((unit) => char.charAt(0) + unit),
    ...[nibble, nibble.toUpperCase(), '2'].map((digit) => `%${digit}`),
    ...['u', 'U', '\\', char.charAt(0)].map((unit) => `\\${unit}`),
    ...['#', 'a', 'A', 'l', 'L', 'g', 'G', 'q', 'Q'].map((unit) => `&${unit}`),
  ]);
}

const SYMBOL_UNITS: Readonly<Record<string, readonly string[]>> = {
  '+': ['+', '-', '%', '\\'],
  '/': ['/', '_', '%', '\\'],
};
const base64Units = (char: string): readonly string[] => SYMBOL_UNITS[char] ?? [char];

function base64Starts(first: string, second: string): Set<string> {
  const after = [...base64Units(second), '\r', '\n', '\\', '%'];
  const starts = base64Units(first).flatMap((unit) => after.map((next) => unit + next));
  if (SYMBOL_UNITS[first] !== undefined) starts.push('%2', '\\u', '\\U', '\\/', '\\_', '\\-', '\\\\');
  return new Set(starts);
}

/** The base64 characters that a text alone determines, for each of the three byte offsets where it can begin. */
function base64Of(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
}

/** The needles of one secret: its text, and its base64, plain or escaped. */
function needlesOf(name: string, value: string): Needle[] {
  const kind = `secret-${name}`;
  const made = { kind, mark: `«redacted:${kind}»` };
  const codes = [...value.trim().replaceAll(/\s+/g, ' ')].map((char) =>
    char === ' ' ? BLANK : (char.codePointAt(0) ?? 0),
  );
  const [first = 0, second = 0] = codes;
  const sources = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  const encoded = new Set([...sources].flatMap(base64Of));
  return [
    { ...made, codes, read: readChar, starts: textStarts(first, second) },
    ...[...encoded].map((text) => ({
      ...made,
      codes: Array.from(text, (char) => char.charCodeAt(0)),
      read: readBase64,
      starts: base64Starts(text.charAt(0), text.charAt(1)),
    })),
  ];
}

const INCOMPLETE = -1;
const NONE = 0;
const PLUS = 43;
/** For text cut off within a secret: this share of the secret, and at least this many characters. */
const CUT_SHARE = 0.75;
const CUT_LEAST = 12;

const pairOf = (first: number, second: number): number => ((first & 255) << 8) | (second & 255);

/**
 * Finds known values in text, in every form that they may be spelt in, and in base64. One look at two units rules out
 * nearly every place, so that the cost is that of reading the text, however many values there are.
 */
export class SecretMatcher {
  /** Pair of units → index in {@link #lists}; 0 for none. */
  readonly #pairs = new Uint16Array(65_536);
  readonly #lists: (readonly Needle[])[] = [[]];
  readonly #firsts = new Set<number>();
  readonly #marks: readonly string[];

  constructor(secrets: readonly KnownSecret[]) {
    const needles = secrets.flatMap(({ name, value }) => needlesOf(name, value));
    this.#marks = [...new Set(needles.map(({ mark }) => mark))];
    const byPair = new Map<number, Needle[]>();
    const add = (start: string, found: readonly Needle[]): void => {
      const pair = pairOf(start.charCodeAt(0), start.charCodeAt(1));
      byPair.set(pair, [...new Set([...(byPair.get(pair) ?? []), ...found])]);
      this.#firsts.add(start.charCodeAt(0));
    };
    for (const needle of needles) for (const start of needle.starts) add(start, [needle]);
    // A mark can contain something like a secret: its own name.
    for (const mark of this.#marks) add(mark, []);
    for (const [pair, found] of byPair) this.#pairs[pair] = this.#lists.push(found) - 1;
  }

  /** False for a text in which nothing begins like a secret. */
  mayHold(text: string): boolean {
    const pairs = this.#pairs;
    let unit = text.charCodeAt(0);
    for (let at = 1; at < text.length; at += 1) {
      const next = text.charCodeAt(at);
      if (pairs[((unit & 255) << 8) | (next & 255)] !== 0) return true;
      unit = next;
    }
    return false;
  }

  /**
   * Replaces matches in a text, or in the next part of one. Returns too what is `held`: text that could belong
   * to a secret whose end has not arrived yet, and how many units at its start are `covered`: they belong to a
   * secret whose mark was written.
   * @param covered of the text's start
   * @param isEnd no more will arrive
   * @param found called with the kind of each secret that gets a mark
   */
  scan(text: string, covered: number, isEnd: boolean, found: (kind: string) => void) {
    let out = '';
    let done = covered;
    let at = 0;
    for (; at < text.length; at += 1) {
      const list = this.#listAt(text, at);
      if (list === null) {
        if (isEnd || at + 1 < text.length || !this.#firsts.has(text.charCodeAt(at))) continue;
        break;
      }
      const mark = this.#markAt(text, at, isEnd);
      if (mark === INCOMPLETE) break;
      if (mark > 0) {
        at = mark - 1;
        continue;
      }
      const hit = longest(list, text, at, isEnd);
      if (hit === INCOMPLETE) break;
      if (hit === null) continue;
      if (at >= done) {
        out += text.slice(done, at) + hit.needle.mark;
        found(hit.needle.kind);
      }
      done = Math.max(done, hit.end);
    }
    return { out: out + text.slice(done, at), held: text.slice(at), covered: Math.max(0, done - at) };
  }

  #listAt(text: string, at: number): readonly Needle[] | null {
    const index = this.#pairs[pairOf(text.charCodeAt(at), text.charCodeAt(at + 1))] ?? 0;
    return index === 0 || at + 1 >= text.length ? null : (this.#lists[index] ?? null);
  }

  #markAt(text: string, at: number, isEnd: boolean): number {
    if (text.charAt(at) !== '«') return NONE;
    for (const mark of this.#marks) if (text.startsWith(mark, at)) return at + mark.length;
    const rest = text.slice(at, at + 100);
    return !isEnd && this.#marks.some((mark) => mark.startsWith(rest)) ? INCOMPLETE : NONE;
  }
}

interface Hit {
  readonly end: number;
  readonly needle: Needle;
}

function longest(
  list: readonly Needle[],
  text: string,
  at: number,
  isEnd: boolean,
): Hit | null | typeof INCOMPLETE {
  let best: Hit | null = null;
  for (const needle of list) {
    const end = endOf(needle, text, at, isEnd);
    if (end === INCOMPLETE) return INCOMPLETE;
    if (end > (best?.end ?? NONE)) best = { end, needle };
  }
  return best;
}

/** The latest end of a needle that begins at a place; follows every reading at once. */
function endOf(needle: Needle, text: string, start: number, isEnd: boolean): number {
  const { codes } = needle;
  let index = 0;
  while (isPlain(codes[index]) && text.charCodeAt(start + index) === codes[index]) index += 1;
  let places = [start + index];
  for (; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    const open = places.filter((at) => at < text.length);
    if (!isEnd && (open.length < places.length || open.some((at) => mayGoOn(text, at)))) return INCOMPLETE;
    const ends: number[] = [];
    for (const at of open) needle.read(text, at, code, ends);
    if (ends.length === 0) return open.length < places.length ? cutAfter(index, needle, text) : NONE;
    places = ends.length === 1 ? ends : [...new Set(ends)];
  }
  return Math.max(...places);
}

/** Where a needle ends of which a truncated text has this many characters. */
function cutAfter(characters: number, { codes }: Needle, text: string): number {
  return characters >= CUT_LEAST && characters >= codes.length * CUT_SHARE ? text.length : NONE;
}

/** True for a unit that, unescaped, has only one reading. */
function isPlain(code: number | undefined): boolean {
  return code !== undefined && code > 32 && code < 0xd800 && !isEscape(code);
}

/** True this near the end of a text, where the character could continue beyond it. */
function mayGoOn(text: string, at: number): boolean {
  if (at + 2 * FORM_UNITS <= text.length) return false;
  const unit = text.charCodeAt(at);
  return isEscape(unit) || isInvisible(unit) || unit === PLUS || (unit <= 32 && /\s/.test(text.charAt(at)));
}
