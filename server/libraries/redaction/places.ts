import { isSample, isTyped, type KeyMeaning, looksRandom } from './weigh.ts';
import { execAt, type LineWindow, linesBetween, type ScanWindow, type Span, mergeSpans } from './tally.ts';
import { startsWord } from './tokens.ts';

/*
 * Secrets known by their position: credentials in a URL, behind an authentication scheme, in a
 * cookie header, in a call that sets a header; and card numbers.
 */

/** The last `@` ends the password, which may contain others that were not encoded. */
const USERINFO =
  /:\/\/(?<user>[^\s/?#@:"'<>«»]{0,256}):(?<pass>[^\s/?#@"'<>«»]{1,512}(?:@[^\s/?#@"'<>«»,;[\]]{1,128}){0,4})@/g;

function findUserinfo({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(USERINFO, text, from); hit !== null; hit = USERINFO.exec(text)) {
    const { user = '', pass = '' } = hit.groups ?? {};
    const start = hit.index + 4 + user.length;
    if (!isSample(pass)) spans.push({ start, end: start + pass.length, kind: 'password' });
  }
}

const PASSWORD: KeyMeaning = { kind: 'password', strength: 'strong' };
/** `curl -u user:password`, also on a line of its own. */
const USER_OPTION =
  /-u(?<=(?:^|\s)-{1,2}u)(?:ser)?(?:=|[ \t]{1,4})["']?[^\s:"'`<>«»]{0,128}:["']?(?<pass>[^\s"'`<>«»]+)/y;

function findUserOptions({ text, from }: ScanWindow, spans: Span[]): void {
  for (let at = text.indexOf('-u', from); at >= 0; at = text.indexOf('-u', at + 1)) {
    const pass = execAt(USER_OPTION, text, at)?.groups?.['pass'] ?? '';
    const end = USER_OPTION.lastIndex;
    if (isTyped(pass, PASSWORD)) spans.push({ start: end - pass.length, end, kind: PASSWORD.kind });
  }
}

const SCHEME = /(?:bearer|basic|token|digest)(?<=\b(?:bearer|basic|token|digest))[ \t]+(?=[\w+/=.~-]{8})/gi;
const CREDENTIALS = /[\w+/=.~-]+/y;
const HEADER_BEFORE = /authorization["'`*\\]{0,4}[ \t]{0,4}[:=,][ \t"'`*\\]{0,6}$/i;

/** Basic credentials are base64 of `user:password`; "basic understanding" is not. */
function isBasic(value: string): boolean {
  if (!/^[\w+/-]+={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

function isCredential(scheme: string, value: string, isHeader: boolean): boolean {
  if (isSample(value)) return false;
  if (scheme === 'basic') return isBasic(value);
  if (isHeader) return /\d/.test(value) || value.length >= 20;
  return scheme === 'bearer' && value.length >= 16 && /\d/.test(value) && looksRandom(value);
}

function findSchemes({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(SCHEME, text, from); hit !== null; hit = SCHEME.exec(text)) {
    const start = hit.index + hit[0].length;
    const value = execAt(CREDENTIALS, text, start)?.[0] ?? '';
    const isHeader = HEADER_BEFORE.test(text.slice(Math.max(0, hit.index - 40), hit.index));
    const scheme = hit[0].trim().toLowerCase();
    if (isCredential(scheme, value, isHeader))
      spans.push({ start, end: start + value.length, kind: 'authorization' });
  }
}

const COOKIE_HEADER = /cookie(?<=\bcookie)["'`*\\]{0,4}:[ \t"'`*\\]{0,6}/gi;
const COOKIE_PAIR = /[ \t;]{0,4}(?<name>[\w!#$%&*+.^|~-]{1,128})=(?<value>[^\s;,"'<>`\\«»]*)/y;
const COOKIE_ATTRIBUTE = /^(?:expires|max-age|path|domain|samesite|priority)$/i;
/** `Expires=Wed, 21 Oct 2015 07:28:00 GMT` contains spaces; it and flags without a value are skipped. */
const COOKIE_OTHER = /[ \t;]{0,4}(?:expires=[\w ,:-]{0,40}|httponly|secure|partitioned)/iy;

function findCookies({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(COOKIE_HEADER, text, from); hit !== null; hit = COOKIE_HEADER.exec(text)) {
    const end = findPairs(text, hit.index + hit[0].length, spans);
    COOKIE_HEADER.lastIndex = Math.max(end, COOKIE_HEADER.lastIndex);
  }
}

/** The pairs of one header; returns the end of the last. */
function findPairs(text: string, start: number, spans: Span[]): number {
  for (let at = start; ;) {
    const other = execAt(COOKIE_OTHER, text, at);
    if (other !== null) {
      at += other[0].length;
      continue;
    }
    const pair = execAt(COOKIE_PAIR, text, at);
    if (pair === null) return at;
    at += pair[0].length;
    const { name = '', value = '' } = pair.groups ?? {};
    if (isSecretCookie(name, value)) spans.push({ start: at - value.length, end: at, kind: 'cookie' });
  }
}

function isSecretCookie(name: string, value: string): boolean {
  return value.length >= 8 && /[\dA-F]/.test(value) && !COOKIE_ATTRIBUTE.test(name) && !isSample(value);
}

/** Visa, Mastercard, Discover, JCB (16), American Express (15), Diners (14): plain or in groups. */
const CARD =
  /(?<![./#«-])(?:(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d|4[4-9]\d)|35\d\d)(?<gap>[ -]?)\d{4}\k<gap>\d{4}\k<gap>\d{4}|3[47]\d\d(?<gap4>[ -]?)\d{6}\k<gap4>\d{5}|3(?:0[0-5]|[68]\d)\d(?<gap3>[ -]?)\d{6}\k<gap3>\d{4})(?![\w-]|\.\d)/g;

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const weighed = index % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

function findCards({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(CARD, text, from); hit !== null; hit = CARD.exec(text)) {
    const digits = hit[0].replaceAll(/\D/g, '');
    if (passesLuhn(digits) && new Set(digits).size > 1 && startsWord(text, hit.index))
      spans.push({ start: hit.index, end: hit.index + hit[0].length, kind: 'card' });
  }
}

/** All of the above, in one window. */
export function findByPlace(window: ScanWindow, spans: Span[]): void {
  findUserinfo(window, spans);
  findUserOptions(window, spans);
  findSchemes(window, spans);
  findCookies(window, spans);
  findCards(window, spans);
}

const KIND = 'private-key';
const BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** PKCS#8 without its header (RSA, elliptic curves, Ed25519), and PEM as base64, at each offset of `PRIVATE KEY`. */
const BARE =
  /(?:(?<![A-Za-z0-9+/])|(?<=%[0-9A-F]{2}))(?:M(?:II[A-Za-z0-9+/]{3}IBADANBgkqhkiG9w0BAQEFAASC|[A-Za-z0-9+/]{3}AgEAM[A-Za-z0-9+/]{2}GByqGSM49AgEG|C4CAQAwBQYDK2VwBCIEI)|LS0tLS1CRUdJTi[A-Za-z0-9+/]{1,20}(?:UFJJVkFURSBLRV|QUklWQVRFIEtFW|IFBSSVZBVEUgS0VZ))[A-Za-z0-9+/]{8,}={0,2}/g;
const BARE_PART = /AQEFAASC|SM49AgEG|K2VwBCIEI|LS0tLS1CRUdJTi/;
/** Between the lines of a key on one line: also the quotes of strings that are joined or listed. */
const GAP = '(?:\\\\{1,7}[nr]|[ \\t]|["\'`][ \\t]{0,4}[+.,]?[ \\t]{0,4}["\'`]|<br ?/?>)';
const HEADER = '[A-Z][\\w-]{1,30}: [^\\s\\\\]{1,80}';
/** A key on one line: a serialised string with `\n` in it, or text whose lines were joined. */
const INLINE_BODY = new RegExp(
  `(?<lead>(?:${GAP}*${HEADER}(?=${GAP})){0,4}${GAP}*)[A-Za-z0-9+/]{16,}={0,2}(?:${GAP}+[A-Za-z0-9+/]{16,}={0,2})*(?:${GAP}+[A-Za-z0-9+/=]{1,15}(?=${GAP}*-----END))?`,
  'y',
);
/** In code a line of a key is a string; in a comparison or a comment it has a sign before it. */
const LINE_TAIL = /^(?:\\+[nr])*(?:["'`][\s+.,;)|*\\]*|(?:<br ?\/?>)?[\s|*\\]*)$/;
const BODY_LINE = new RegExp(
  `^(?<lead>[\\s>|*#"'\`-]*(?://\\s+["'\`]?)?)(?<body>[A-Za-z0-9+/=]+)${LINE_TAIL.source.slice(1)}`,
);
const HEADER_LINE = /^[\s>|*]*[A-Z][\w-]{1,30}: /;
const BLANK_LINE = /^[\s>|*]*$/;
/** A shorter line is a word unless it ends a key. */
const BODY_LINE_UNITS = 16;

type Line = ReturnType<typeof linesBetween> extends Iterable<infer One> ? One : never;

/**
 * Finds the bodies of PEM and PGP private keys, which span lines and chunks. The placeholder replaces the
 * first line of a body and the others are removed; the BEGIN and END lines stay. A body is base64 lines, so
 * documentation with dots between the two lines is left alone.
 */
export class PrivateKeyState {
  #isInside = false;
  #hasBody = false;
  #isBare = false;
  /** The line before names the next one, which is not a private key. */
  #isAfterBegin = false;

  /** Adds the spans of a window to `spans`. */
  apply(window: LineWindow, spans: Span[]): Span[] {
    const { text, from } = window;
    if (!this.#isInside && !text.includes('PRIVATE KEY', from) && !BARE_PART.test(text)) return spans;
    const found: Span[] = [];
    for (const line of linesBetween(window)) {
      if (this.#isInside) this.#inside(line, found);
      if (!this.#isInside) this.#outside(line, found);
    }
    return mergeSpans([...found, ...spans]);
  }

  /** A key that begins in a line; it may continue below. */
  #bare(line: Line, found: Span[]): void {
    for (let hit = execAt(BARE, line.text, 0); hit !== null; hit = BARE.exec(line.text)) {
      found.push({ start: line.start + hit.index, end: line.start + BARE.lastIndex, kind: KIND });
      this.#isInside = LINE_TAIL.test(line.text.slice(BARE.lastIndex));
      this.#hasBody = true;
      this.#isBare = true;
    }
  }

  #inside(line: Line, found: Span[]): void {
    const { lead = '', body = '' } = BODY_LINE.exec(line.text)?.groups ?? {};
    if (
      body.length >= BODY_LINE_UNITS ||
      (this.#hasBody && body !== '' && (!this.#isBare || body.endsWith('=')))
    ) {
      const start = line.start + lead.length;
      if (this.#hasBody) found.push({ start: line.start, end: line.end, kind: KIND, isRest: true });
      else found.push({ start, end: start + body.length, kind: KIND });
      this.#hasBody = true;
      return;
    }
    const isPartOfKey = !this.#hasBody && (BLANK_LINE.test(line.text) || HEADER_LINE.test(line.text));
    if (isPartOfKey) return;
    this.#isInside = false;
    this.#hasBody = false;
    this.#isBare = false;
    this.#isAfterBegin = false;
  }

  #outside(line: Line, found: Span[]): void {
    if (!this.#isAfterBegin) this.#bare(line, found);
    this.#isAfterBegin = line.text.includes('-----BEGIN ');
    for (let hit = execAt(BEGIN, line.text, 0); hit !== null; hit = BEGIN.exec(line.text)) {
      const inline = execAt(INLINE_BODY, line.text, BEGIN.lastIndex);
      const lead = inline?.groups?.['lead']?.length ?? 0;
      const end = INLINE_BODY.lastIndex === 0 ? BEGIN.lastIndex : INLINE_BODY.lastIndex;
      if (inline !== null)
        found.push({ start: line.start + inline.index + lead, end: line.start + end, kind: KIND });
      this.#isInside = LINE_TAIL.test(line.text.slice(end));
      this.#hasBody = inline !== null;
      BEGIN.lastIndex = end;
    }
  }
}
