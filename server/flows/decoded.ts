import { asDigits } from './folded.ts';

/* Undoes the usual encodings of what an agent sends: a model can write in any of them. */

/** Encodings within encodings. */
const DEPTH = 3;
const VARIANTS_MAX = 48;
const UNITS_MAX = 4 * 1024 * 1024;
const TEXT_MIN = 4;
/** Of the decoded texts, those that may be turned, too. */
const TURNED_MAX = 4;

/** Other characters are left out of what is searched. */
const ENTITIES = new Set(['amp', 'lt', 'gt', 'quot', 'apos', 'nbsp']);
const ESCAPED =
  /&#x([\da-f]{1,6});?|&#(\d{1,7});?|&(\w{2,6});|\\u\{([\da-f]{1,6})\}|(?:[\\%]u|\bu\+)([\da-f]{4})|\\x([\da-f]{2})|\\([0-3]?[0-7]{2})|((?:[%=][\da-f]{2})+)|=\r?\n/gi;

const utf8 = new TextDecoder();

function point(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

export const unescaped = (text: string): string =>
  text.replaceAll(ESCAPED, (whole, hex, decimal, name, braced, unit, byte, octal, bytes) => {
    if (bytes !== undefined) return utf8.decode(Buffer.from(String(bytes).replaceAll(/[%=]/g, ''), 'hex'));
    if (name !== undefined) return ENTITIES.has(String(name)) ? ' ' : whole;
    if (decimal !== undefined) return point(String(decimal), 10);
    if (octal !== undefined) return point(String(octal), 8);
    return point(String(hex ?? braced ?? unit ?? byte ?? ''), 16);
  });

/** Tags, numbers of lines, and the refs, roles and states around the words of elements. */
const MARKUP =
  /<\/?[a-z][^<>]{0,500}>|\[?\b(?:f\d+)*e\d+ [a-z]+(?: \[[^\]\n]*\])*|\[(?:ref=)?(?:f\d+)*e\d+\]|^\s*- [a-z]+(?= ")|^\s*\d{1,6}\t/gim;
const withoutMarkup = (text: string): string => text.replaceAll(MARKUP, '');

/** Words and what is between them: a random word decodes to other things. */
const PRINTED = /[\p{L}\p{M}\p{N}\p{P}\s]{6,}/gu;
const printedIn = (decoded: string): string => decoded.replaceAll('\0', '').match(PRINTED)?.join('\n') ?? '';

interface Base {
  /** Of each code unit the value, plus one. */
  readonly values: Uint8Array;
  readonly bits: number;
  readonly run: RegExp;
}

/** @param alphabets two that mean the same @param group shortest of a run, whose groups have little between them */
function baseOf(alphabets: readonly string[], bits: number, group: number): Base {
  const values = new Uint8Array(0x1_00_00);
  for (const alphabet of alphabets)
    for (const [at, one] of [...alphabet].entries()) values[one.charCodeAt(0)] = at + 1;
  const set = alphabets.join('').replaceAll('-', String.raw`\-`);
  const run = new RegExp(`[${set}]{${group},}(?:[^${set}]{1,4}[${set}]{${group},})*`, 'g');
  return { values, bits, run };
}

const [SMALL, DIGITS] = ['abcdefghijklmnopqrstuvwxyz', '0123456789'];
const LETTERS = SMALL.toUpperCase() + SMALL;
const BASE64 = baseOf([`${LETTERS}${DIGITS}+/`, `${LETTERS}${DIGITS}-_`], 6, 4);
/** Alphabets in which bytes are written. */
const BASES = [
  BASE64,
  baseOf([`${SMALL}234567`, `${SMALL.toUpperCase()}234567`], 5, 4),
  baseOf([`${DIGITS}abcdef`, `${DIGITS}ABCDEF`], 4, 2),
  baseOf(['01'], 1, 8),
];
const RUN = { min: 8, whole: 65_536, given: 24 } as const;

/** The text of a run's bytes. @param starts at how many of its first characters a byte may begin */
function bytesIn(run: string, { values, bits }: Base, starts: number): string {
  const texts: string[] = [];
  for (let start = 0; start < starts; start += 1) {
    const bytes = new Uint8Array((run.length * bits) >> 3);
    let skipped = 0;
    let held = 0;
    let length = 0;
    let count = 0;
    for (let at = 0; at < run.length; at += 1) {
      const value = values[run.charCodeAt(at)] ?? 0;
      if (value === 0 || skipped++ < start) continue;
      held = ((held << bits) | (value - 1)) & 0xff_ff;
      length += bits;
      if (length < 8) continue;
      length -= 8;
      bytes[count++] = held >> length;
    }
    texts.push(printedIn(utf8.decode(bytes.subarray(0, count))));
  }
  return texts.filter((text) => text !== '').join('\n');
}

/** Bytes hardly ever look like words. */
const NO_WORD = /\d|[a-z][A-Z]/g;
const WORDS = 24;
const isOfBytes = (run: string): boolean => (run.match(NO_WORD)?.length ?? 0) * WORDS >= run.length;
/** After so many characters, a byte ends with one of them. */
const periodOf = ({ bits }: Base): number => [2, 4].find((count) => (count * bits) % 8 === 0) ?? 8;

const inBases = (text: string): string =>
  BASES.flatMap((base) =>
    [...text.replaceAll(/0x/gi, '').matchAll(base.run)]
      .filter(([run]) => run.length >= RUN.min && isOfBytes(run))
      .map(([run]) => bytesIn(run, base, run.length > RUN.whole ? 1 : periodOf(base))),
  )
    .filter((found) => found !== '')
    .join('\n');

/** Characters that are not seen and have a byte each. */
function hiddenIn(text: string): string {
  const bytes: number[] = [];
  for (const one of text.matchAll(/[\u{fe00}-\u{fe0f}\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu)) {
    const code = one[0].codePointAt(0) ?? 0;
    bytes.push(code < 0x1_00_00 ? code - 0xfe_00 : code < 0xe_01_00 ? code - 0xe_00_00 : code - 0xe_00_f0);
  }
  return printedIn(utf8.decode(Uint8Array.from(bytes)));
}

const CODES = /\d{2,5}(?:\D{1,9}\d{2,5}){5,}/g;
const LITERALS = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const all = (text: string, pattern: RegExp, decode: (found: string) => string): string =>
  [...text.matchAll(pattern)].map(([one]) => decode(one)).join('');

function codesIn(text: string): string {
  const decode = (list: string): string =>
    printedIn(list.replaceAll(/(\d+)\D*/g, (_all, code) => point(String(code), 10)));
  return all(text, CODES, decode);
}

/** In words, nothing is encoded. */
const isEncoded = (text: string): boolean => /[^\p{L}\s.,;:!?()-]|[a-z][A-Z]/u.test(text);

/** Each undoes one encoding. */
const decoders: readonly ((text: string) => string)[] = [
  unescaped,
  inBases,
  hiddenIn,
  withoutMarkup,
  codesIn,
  (text) => all(text, LITERALS, (literal) => literal.slice(1, -1)),
];

const LIKE = new Map(['0o', '1i', '3e', '4a', '5s', '7t'].map((pair) => [pair[0], pair[1] ?? '']));

const turnLetter = (unit: number): number =>
  /[a-z]/i.test(String.fromCharCode(unit)) ? unit + ((unit & 31) < 14 ? 13 : -13) : unit;
const TURNED_LETTERS = Uint8Array.from({ length: 0x100 }, (_, unit) => turnLetter(unit));
/** As rot13 does. */
function turnLetters(text: string): string {
  const bytes = Buffer.from(text, 'utf16le');
  for (let at = 0; at < bytes.length; at += 2)
    if (bytes[at + 1] === 0) bytes[at] = TURNED_LETTERS[bytes[at] ?? 0] ?? 0;
  return bytes.toString('utf16le');
}

/** Each writes a text otherwise, before it is encoded or after. */
const turns: readonly ((text: string) => string)[] = [turnLetters, (text) => [...text].reverse().join('')];

/** Each writes what a person reads as the same. */
const likes: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/[013457]/g, (one) => LIKE.get(one) ?? '').replaceAll(/([aou])e/gi, '$1'),
  (text) =>
    asDigits(text.normalize('NFKC'))
      .replaceAll(/(?<=\d)[^\p{L}\p{N}]{1,3}(?=\d)/gu, '')
      .replaceAll(/\s{0,2}[[(]?\bat\b[\])]?\s{0,2}/gi, '@')
      .replaceAll(/\s{0,2}[[(]?\bdot\b[\])]?\s{0,2}/gi, '.'),
];

/** In lines with one of these, something may be encoded. */
const HINT =
  /%[\dA-Fa-f]{2}|\\[ux\d]|&[#a-z]|=[C-E][\dA-F]|<\/|\[(?:ref=)?[ef]\d|\n(?:[ef]\d|\d{1,6}\t)|\d,\s?\d{2,5},\s?\d{2,5},/g;
const LINE_MAX = 8_192;

/** The decoded parts of a text that an agent was given; empty for none. */
export function givenDecoded(text: string): string {
  const found: string[] = [];
  HINT.lastIndex = 0;
  for (let hint = HINT.exec(text); hint !== null; hint = HINT.exec(text)) {
    const at = hint.index + 1;
    const end = text.indexOf('\n', at);
    const to = Math.min(end < 0 ? text.length : end, at + LINE_MAX);
    const line = text.slice(Math.max(text.lastIndexOf('\n', at) + 1, at - LINE_MAX), to);
    const decoded = unescaped(withoutMarkup(line));
    if (decoded !== line) found.push(decoded);
    found.push(codesIn(line));
    HINT.lastIndex = Math.max(to, at);
  }
  const { values } = BASE64;
  // A run is met at every place that is such a multiple.
  for (let at = 0; at < text.length; at += RUN.given) {
    let [from, to] = [at, at];
    while (to < text.length && values[text.charCodeAt(to)] !== 0) to += 1;
    if (to === at) continue;
    while (from > 0 && values[text.charCodeAt(from - 1)] !== 0) from -= 1;
    if (to - from < RUN.given) continue;
    const run = text.slice(from, to);
    if (isOfBytes(run)) found.push(...BASES.map((base) => bytesIn(run, base, 1)));
    at = Math.max(at, to - RUN.given);
  }
  return found.filter((one) => one !== '').join('\n');
}

/** A text that is sent, and everything that it may be the encoded form of; the text itself is the first. */
export function variantsOf(text: string): {
  readonly variants: readonly string[];
  readonly isWhole: boolean;
} {
  const found = new Set([text]);
  let units = text.length;
  let isWhole = true;
  const add = (one: string): void => {
    if (one.length < TEXT_MIN || found.has(one)) return;
    if (units + one.length > UNITS_MAX) isWhole = false;
    else if (found.size < VARIANTS_MAX) {
      units += one.length;
      found.add(one);
    }
  };
  const apply = (ways: readonly ((text: string) => string)[], from: number, to?: number): number => {
    const texts = [...found].slice(from, to);
    for (const one of texts) if (ways !== decoders || isEncoded(one)) for (const way of ways) add(way(one));
    return from + texts.length;
  };
  apply(turns, 0);
  const turned = found.size;
  for (let depth = 0, from = 0; depth < DEPTH; depth += 1) from = apply(decoders, from);
  const decoded = turned + TURNED_MAX;
  apply(turns, turned, decoded);
  apply(likes, 0, 1);
  return { variants: [...found], isWhole };
}
