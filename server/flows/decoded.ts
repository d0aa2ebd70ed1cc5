import { parseUrl } from '../../shared/private-address.ts';
import { among } from './folded.ts';

/* Undoes the usual encodings of what an agent sends: a model can write in any of them. */

/** Encodings within encodings. */
const DEPTH = 3;
const VARIANTS_MAX = 32;
const UNITS_MAX = 4 * 1024 * 1024;

/** Other characters are left out of what is searched. */
const ENTITIES = new Set(['amp', 'lt', 'gt', 'quot', 'apos', 'nbsp']);
const ESCAPED =
  /&#x([\da-f]{1,6});|&#(\d{1,7});|&(\w{2,6});|\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|((?:%[\da-f]{2})+)/gi;

function point(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

const utf8 = new TextDecoder();
const bytesText = (bytes: Iterable<number>): string => utf8.decode(Uint8Array.from(bytes));
const hexBytes = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'));

function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (whole, hex, decimal, name, braced, unit, byte, percent) => {
    if (percent !== undefined) return utf8.decode(hexBytes(String(percent).replaceAll('%', '')));
    if (decimal !== undefined) return point(String(decimal), 10);
    if (name !== undefined) return ENTITIES.has(String(name)) ? ' ' : whole;
    return point(String(hex ?? braced ?? unit ?? byte), 16);
  });
}

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const HEX = /(?:[\da-f]{2}[\s:,]?){12,}/gi;
const CODES = /\d{2,5}(?:\s*[,\s]\s*\d{2,5}){7,}/g;
const LITERALS = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
/** A random word decodes to some of these. */
const NO_TEXT = /(?![\n\r\t])[\u{fffd}\p{Cc}]/gu;

/** Empty for bytes without a text. */
const asText = (decoded: string): string => {
  const text = decoded.replaceAll('\0', '');
  return (text.match(NO_TEXT)?.length ?? 0) * 4 <= text.length ? text : '';
};

const all = (text: string, pattern: RegExp, decode: (found: string) => string): string =>
  [...text.matchAll(pattern)].map(([one]) => asText(decode(one))).join('');

const base64 = (text: string): string => utf8.decode(Uint8Array.from(Buffer.from(text, 'base64')));

const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

/** Each undoes one encoding. */
const backwards: readonly ((text: string) => string)[] = [
  unescaped,
  (text) => all(/^[\w+/=\s-]+$/.test(text) ? text.replaceAll(/\s/g, '') : text, BASE64, base64),
  (text) => all(text, HEX, (digits) => bytesText(hexBytes(digits.replaceAll(/[\s:,]/g, '')))),
  (text) =>
    all(text, CODES, (list) =>
      list
        .split(/[,\s]+/)
        .map((code) => point(code, 10))
        .join(''),
    ),
  (text) => all(text, LITERALS, (literal) => literal.slice(1, -1)),
];

/** Longest part of a text that is decoded by itself, and shortest one in base64 or hexadecimal. */
const RUN = { max: 8_192, min: 24 } as const;
const BASE64_UNITS = among('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_');
const WORD_UNITS = among(
  Array.from({ length: 0x5e }, (_, at) => String.fromCharCode(0x21 + at))
    .join('')
    .replaceAll(/["'<>]/g, ''),
);

/** The run of such units around a place. */
function runAt(text: string, at: number, units: Uint8Array): readonly [from: number, to: number] {
  let [from, to] = [at, at];
  while (from > 0 && at - from < RUN.max && units[text.charCodeAt(from - 1)] === 1) from -= 1;
  while (to < text.length && to - at < RUN.max && units[text.charCodeAt(to)] === 1) to += 1;
  return [from, to];
}

/** The decoded parts of a text that an agent was given; empty for none. */
export function givenDecoded(text: string): string {
  const found: string[] = [];
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    const [from, to] = runAt(text, at, WORD_UNITS);
    const run = text.slice(from, to);
    const decoded = unescaped(run);
    if (decoded !== run) found.push(decoded);
    at = Math.max(at, to - 1);
  }
  // A run is met at every place that is such a multiple.
  for (let at = 0; at < text.length; at += RUN.min) {
    if (BASE64_UNITS[text.charCodeAt(at)] !== 1) continue;
    const [from, to] = runAt(text, at, BASE64_UNITS);
    if (to - from < RUN.min) continue;
    const run = text.slice(from, to);
    found.push(/^[\da-f]+$/i.test(run) ? asText(bytesText(hexBytes(run))) : asText(base64(run)));
    at = Math.max(at, to - RUN.min);
  }
  return found.join('\n');
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
    if (one.length < 4 || found.has(one)) return;
    if (units + one.length > UNITS_MAX) isWhole = false;
    else if (found.size < VARIANTS_MAX) {
      units += one.length;
      found.add(one);
    }
  };
  for (let depth = 0; depth < DEPTH; depth += 1)
    for (const one of [...found]) for (const decode of backwards) add(decode(one));
  for (const one of [...found].slice(0, 4)) {
    add(rot13(one));
    add([...one].reverse().join(''));
  }
  return { variants: [...found], isWhole };
}

/** The parts of an address that its site gets, apart from its host, as one text each; null for no address. */
export function partsOfAddress(text: string): readonly string[] | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? parseUrl(text.trim()) : null;
  if (url === null) return null;
  const segments = url.pathname.split('/');
  const fields = [...url.searchParams];
  return [
    text.trim().replace(/^[^:]+:\/\/[^/?#]*/, ''),
    segments.join(''),
    fields.map(([, value]) => value).join(''),
    fields.map(([name]) => name).join(''),
    ...[...segments, ...fields.flat()].slice(0, 100),
    url.hash.slice(1),
    `${url.username}${url.password}`,
  ]
    .filter((part) => part.length >= 4)
    .map(unescaped);
}
