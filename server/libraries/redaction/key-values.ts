import {
  keyMeaning,
  phraseMeaning,
  type KeyMeaning,
  isOAuth,
  isOAuthValue,
  isSecretByForm,
  isSecretField,
  isSecretNamed,
  isSecretNumber,
  isTyped,
  isSample,
  looksChosen,
  looksRandom,
  NUMERIC_KINDS,
  readsAsSentence,
  ONE_OF_SEVERAL,
  TURNED,
} from './weigh.ts';
import { execAt, type ScanWindow, type Span } from './tally.ts';
import { lineBefore } from './own-rules.ts';

/** Quotes, perhaps within brackets, Markdown emphasis, spaces. */
const CLOSER = '(?:\\\\{0,7}["\'`”’]\\]?|&quot;|&#34;|\\*{1,2})?(?: \\[[^\\]\\n]{1,24}\\])?[ \\t]{0,4}';
const ENDINGS =
  `${TURNED}|` +
  'pass(?:wor[dt]|wd|phrase|code)?|pwd|secret|tokens?|jwt|cookie2?|authorization|credentials?|csrf|xsrf|signature|sig|session(?:_?id)?|sid|otp|totp|cvv2?|cvc2?|ssn|pan|pin|code|state|ticket|nonce|verifier|auth|(?:card|cc)[-_]?num(?:ber)?|key(?:[-_]base)?|(?:seed|recovery) phrase|mnemonic|samlresponse';

/**
 * A separator after a name that ends like a secret's. Searching for `=` and `:` and looking back only there
 * costs a tenth of searching for the names.
 */
const DETECTOR = new RegExp(
  `[=:](?<=(?<name>(?:${ENDINGS})(?:${ONE_OF_SEVERAL})?)\\]?(?<closer>${CLOSER})[=:])(?!//)|%3D(?<=(?:${ENDINGS})%3D)`,
  'gi',
);
/** The rest of the name, before the part that the detector saw. */
const NAME_CHARACTER = /[A-Za-z0-9_.[\]\\-]/;
const NAME_UNITS = 64;

/** `config["password"]`: only a string after it is a value. */
const BRACKETED = /["'`]\]/;
const QUOTE = '(?:\\\\{0,7}["\'`]|&quot;|&#34;)';
const OPENER = new RegExp(QUOTE, 'y');
/** The letter or sign before the quote says what kind of string it begins: `r"…"`, `@"…"`. */
const beforeValue = (operator: string): RegExp =>
  new RegExp(
    `(?:(?:${operator})[ \\t]{0,8}(?=(?:@|[brfu]{0,2})${QUOTE}))?[ \\t]{0,16}(?:\\*{1,2}[ \\t]{0,2})?(?:(?:@|[brfu]{1,2})(?=${QUOTE})|[“‘]|[([<{](?=[^\\s"'\`([<{]))?`,
    'iy',
  );
/** After the separator: the rest of `==`, `=>` or `:=`, or a type and `=`. Only strings may follow these. */
const BEFORE_VALUE = {
  '=': beforeValue('={1,2}|>|&gt;'),
  ':': beforeValue('[ \\t]{0,4}(?:[&*]?[a-z][\\w.<>?]{0,31}[ \\t]{0,4})?='),
};
const BARE_CLASS = '[^\\s"\'`“”‘’<>()[\\]{}|,;&«»\\\\]';
const QUERY_CLASS = '[^\\s"\'`<>()[\\]{}|;&#«»\\\\]';
/** An `&` belongs to a value only if neither the next parameter nor an entity begins with it. */
const BARE_REST = `(?:${BARE_CLASS}|&(?![\\w.%[\\]-]{1,64}=|#?\\w{1,32};)(?=${BARE_CLASS}))`;
/** A bounded start of the value is examined first, since most are not secret. */
const BARE = {
  start: new RegExp(`${BARE_CLASS}${BARE_REST}{0,255}`, 'y'),
  all: new RegExp(`${BARE_CLASS}${BARE_REST}*`, 'y'),
};
const QUERY = { start: new RegExp(`${QUERY_CLASS}{1,256}`, 'y'), all: new RegExp(`${QUERY_CLASS}+`, 'y') };
/** A query within a query: its own parameters end at an encoded `&` or `#`. */
const ENCODED = {
  start: new RegExp(`(?:(?!%2[36])${QUERY_CLASS}){1,256}`, 'y'),
  all: new RegExp(`(?:(?!%2[36])${QUERY_CLASS})+`, 'y'),
};
const NUMBER = /\d{3,19}(?![\w.])/y;

interface FoundPair {
  readonly text: string;
  readonly valueStart: number;
  readonly separator: string;
  readonly closer: string;
  /** The name has quotes around it, and its value is next to it. */
  readonly isJson: boolean;
  readonly before: string;
  readonly name: string;
  readonly meaning: KeyMeaning;
}

function matchAt(pattern: RegExp, text: string, index: number): string {
  return execAt(pattern, text, index)?.[0] ?? '';
}

/** End of a quoted value in its line: the same quote again, with no more backslashes than the first. */
function findClosingQuote(text: string, opener: string, start: number): number {
  const lineBreak = text.indexOf('\n', start);
  const limit = lineBreak < 0 ? text.length : lineBreak;
  for (let at = text.indexOf(opener, start); at >= 0 && at < limit; at = text.indexOf(opener, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > start && text.charAt(at - backslashes - 1) === '\\') backslashes += 1;
    if (opener.startsWith('\\') ? backslashes === 0 : backslashes % 2 === 0) return at;
  }
  return -1;
}

/** Several words that grant access to their bearer; not a text about such words. */
function isPhrase(value: string, { kind }: KeyMeaning): boolean {
  return kind === 'password' && /^[a-z]+(?:[ -][a-z]+){3,23}$/.test(value) && !readsAsSentence(value);
}

/** After a quoted name either sign is enough; elsewhere the value needs both. */
function isSecretWeak(value: string, meaning: KeyMeaning, isJson: boolean): boolean {
  if (/\s/.test(value)) return false;
  const [isRandom, hasForm] = [looksRandom(value), isSecretByForm(value, meaning)];
  return isJson ? isRandom || hasForm : isRandom && hasForm;
}

function isSecretQuoted(value: string, { meaning, isJson }: FoundPair): boolean {
  if (value.includes('«') || isSample(value)) return false;
  if (isSecretNumber(value, meaning)) return true;
  if (meaning.strength === 'weak') return isSecretWeak(value, meaning, isJson);
  if (isJson) return isSecretNamed(value, meaning);
  return /\s/.test(value) ? isPhrase(value, meaning) : isTyped(value, meaning) || looksRandom(value);
}

function spanOfQuoted(found: FoundPair, opener: string): Span | null {
  const { text, meaning } = found;
  const start = found.valueStart + opener.length;
  const closing = findClosingQuote(text, opener, start);
  const end = closing < 0 ? start + matchAt(BARE.all, text, start).length : closing;
  return isSecretQuoted(text.slice(start, end), found) ? { start, end, kind: meaning.kind } : null;
}

/** Any scheme but those that `findByPlace` knows, and what a client sends with it. */
const SCHEME =
  /(?!(?:bearer|basic|token|digest)[ \t])[a-z][\w-]{1,31}[ \t]+(?<sent>(?=[\w+/=.~:-]{12})[\w+/=.~:-]+)/iy;

function afterScheme({ text, meaning }: FoundPair, start: number): Span | null {
  if (meaning.kind !== 'authorization') return null;
  const sent = execAt(SCHEME, text, start)?.groups?.['sent'] ?? '';
  const end = SCHEME.lastIndex;
  return isTyped(sent, meaning) ? { start: end - sent.length, end, kind: meaning.kind } : null;
}

/** A value of a query or fragment. */
function isSecretParameter(value: string, { kind, strength }: KeyMeaning): boolean {
  if (isSample(value)) return false;
  if (isSecretByForm(value, { kind, strength })) return true;
  if (strength === 'strong') return value.length >= 4 || kind === 'card' || kind === 'ssn';
  return /\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 16;
}

const OAUTH_UNITS = 256;
const PARAMETER = /(?<=[?&#;])[\w-]{2,24}(?==)/g;

/** A `code` or `state` in a query with another OAuth parameter. */
function isInOAuth(value: string, { text, valueStart, name }: FoundPair): boolean {
  if (!isOAuthValue(name, value)) return false;
  const lineStart = text.lastIndexOf('\n', valueStart) + 1;
  const before = text
    .slice(Math.max(lineStart, valueStart - OAUTH_UNITS), valueStart)
    .replace(/^.*[\s"'<>]/, '');
  const after = /^[^\s"'<>]*/.exec(text.slice(valueStart, valueStart + OAUTH_UNITS))?.[0] ?? '';
  return isOAuth((before + after).match(PARAMETER) ?? []);
}

/** After a space and with `=`, it is a cookie or code. */
function isSecretWeakBare(value: string, { separator, before, meaning }: FoundPair): boolean {
  return (separator === ':' || !/[ \t;]/.test(before)) && isSecretWeak(value, meaning, false);
}

/** A form that begins here: the next parameter follows. */
function startsForm(rest: string): boolean {
  return rest.startsWith('&') && /^\S=/.test(rest.slice(1).replace(/^[\w.%[\]-]+/, 'k'));
}

/** No code follows a value: neither a call nor the rest of a list or a statement. */
const ENDS = { '=': /^(?:[\s"'`&<|]|[,.;](?:\s|$)|$)/, ':': /^(?:[\s"'`&<|]|\.(?:\s|$)|$)/ };
/** The value is in brackets or typographic quotes. */
const IS_ENCLOSED = /[“‘([<{]$/;
const ENCLOSED_END = /^[”’)\]>}]/;
/** Another pair of the connection string in which a password is, and how the password ends there. */
const CONNECTION =
  /(?<![.\w])(?:server|data source|host|address|endpoint|driver|provider|database(?:name)?|initial catalog|user(?: ?id|name)?|uid)=[^\s;=][^;=]{0,127}(?:;|$)/i;
const PAIR_END = /^(?:["'`]|;?\s*$|;[ \t]{0,2}(?:[a-z][\w ]{0,40}=|["'`]|\s*$))/i;

function isInConnection(
  value: string,
  rest: string,
  { name, meaning, text, valueStart }: FoundPair,
): boolean {
  if (value.length < 4 || name.includes('.') || !PAIR_END.test(rest)) return false;
  const isConnection = CONNECTION.test(lineBefore(text, valueStart, LINE_UNITS) + rest);
  return isConnection && isTyped('a1b2c3', meaning) && !isSample(value);
}

/** The name is everything on its line before the value. */
const LABEL_LINE =
  /^[\s>*#-]{0,12}(?:\d{1,3}[.)] )?["'`*_]{0,3}[\w -]{3,48}["'`*_]{0,3}[ \t]{0,4}[:=][ \t*]{0,6}$/;

function isShortSecret(value: string, rest: string, found: FoundPair, isTight: boolean): boolean {
  const { meaning, separator, text, valueStart } = found;
  if (isTight && isInConnection(value, rest, found)) return true;
  const isEnclosed = ENCLOSED_END.test(rest) && IS_ENCLOSED.test(text.charAt(valueStart - 1));
  if (!isEnclosed && !ENDS[separator === ':' ? ':' : '='].test(rest)) return false;
  if (isTyped(value, meaning)) return true;
  if (!isTyped('a1b2c3', meaning) || !looksChosen(value)) return false;
  const line = lineBefore(text, valueStart, LINE_UNITS);
  if (separator !== ':') return isTight && /^\s|^$|^&/.test(rest) && !/[({,.]/.test(line);
  return meaning.kind === 'password' && /^\s*(?:\n|$)/.test(rest) && LABEL_LINE.test(line);
}

const LINE_UNITS = 120;

function isSecretBare(value: string, rest: string, found: FoundPair): boolean {
  const { meaning, separator, before } = found;
  // A call is code.
  if (rest.startsWith('(')) return false;
  const isTight = separator !== ':' && found.text.startsWith(separator, found.valueStart - separator.length);
  if (isTight && /[?&#]/.test(before)) return isSecretParameter(value, meaning) || isInOAuth(value, found);
  if (isSecretNumber(value, meaning)) return true;
  // A cookie header has its own pairs (`findByPlace`).
  if (meaning.strength === 'weak') return isSecretWeakBare(value, found);
  if (meaning.kind === 'cookie' && separator === ':') return false;
  if (isTight && startsForm(rest)) return value.length >= 3 && !isSample(value);
  return looksRandom(value) || isShortSecret(value, rest, found, isTight);
}

/** The outline of a page has a field's value last in its line. */
const FIELD_LINE = /^[\s-]{0,40}(?:e\d{1,6} )?(?:textbox|searchbox|combobox|spinbutton)\b/;

const LINE = /[^\n]{0,256}/y;

/** Fields of an outline and pass phrases, whose values extend to the end of the line. */
function wholeLine({ text, valueStart: start, meaning, name }: FoundPair): Span | null {
  const isPassPhrase = /phrase$|^mnemonic$/i.test(name);
  if (!isPassPhrase && !FIELD_LINE.test(lineBefore(text, start, LINE_UNITS))) return null;
  const line = matchAt(LINE, text, start).trimEnd();
  const isSecret = isPassPhrase
    ? isPhrase(line.replace(/[.,;]$/, ''), meaning)
    : isSecretNamed(line, meaning) && (meaning.strength === 'strong' || isSecretField(line, meaning));
  return isSecret ? { start, end: start + line.length, kind: meaning.kind } : null;
}

function bare(found: FoundPair): Span | null {
  const { text, valueStart: start, meaning } = found;
  if (found.isJson) {
    const number = matchAt(NUMBER, text, start);
    const isNumeric = NUMERIC_KINDS.has(meaning.kind) && found.separator === ':';
    if (number === '' || !isNumeric || (meaning.kind === 'pin' && !isSecretNumber(number, meaning)))
      return null;
    return { start, end: start + number.length, kind: meaning.kind, quote: found.closer.trim() };
  }
  if (BRACKETED.test(found.closer)) return null;
  const inQuery = /[?&#]/.test(found.before) ? QUERY : BARE;
  const pattern = found.separator.length > 1 ? ENCODED : inQuery;
  const value = matchAt(pattern.start, text, start);
  const rest = start + value.length;
  if (value === '' || !isSecretBare(value, text.slice(rest, rest + 80), found)) return null;
  return { start, end: start + matchAt(pattern.all, text, start).length, kind: meaning.kind };
}

/** The character before a name; the `;` of `&amp;` counts as `&`. */
function beforeName(text: string, start: number): string {
  const before = text.charAt(start - 1);
  return before === ';'
    ? /&(?:amp|#38);$/.test(text.slice(Math.max(0, start - 5), start))
      ? '&'
      : ''
    : before;
}

/** The whole name and the character before it. */
function readName(text: string, end: number): { readonly name: string; readonly before: string } {
  let start = end;
  while (start > 0 && end - start < NAME_UNITS && NAME_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  const raw = text.slice(start, end).replaceAll('\\_', '_');
  // In serialised JSON the line break before a name is an escape whose letter does not belong to it.
  const name = raw.replace(/^.*\\[nrt]?/, '');
  const encoded = text.charAt(start - 1) === '%' ? /^(?:3F|26|23)/i.exec(name)?.[0] : undefined;
  if (encoded !== undefined) return { name: name.slice(2), before: decodeURIComponent(`%${encoded}`) };
  return { name, before: beforeName(text, start) };
}

function isJsonName(closer: string, between: string): boolean {
  return /["']|&/.test(closer) && !BRACKETED.test(closer) && !/[=;>]/.test(between);
}

function spanOf(found: FoundPair): Span | null {
  const opener = matchAt(OPENER, found.text, found.valueStart);
  return (
    wholeLine(found) ??
    (opener === '' ? bare(found) : spanOfQuoted(found, opener)) ??
    afterScheme(found, found.valueStart + opener.length)
  );
}

/** Values after a name that marks a secret: JSON, form and query, code, `name: value`. */
export function findKeyValues({ text, from }: ScanWindow, spans: Span[]): void {
  for (let hit = execAt(DETECTOR, text, from); hit !== null; hit = DETECTOR.exec(text)) {
    const closer = hit.groups?.['closer'] ?? '';
    const { name, before } = readName(text, hit.index - closer.length);
    const own = keyMeaning(name);
    const meaning =
      own?.strength === 'strong' || !/[ \t]/.test(before)
        ? own
        : phraseMeaning(lineBefore(text, hit.index - closer.length, LINE_UNITS));
    // `o.key=` is code; a parameter's name has no dot, unless it clearly names a secret.
    if (meaning === null || (meaning.strength === 'weak' && name.includes('.'))) continue;
    const after = hit.index + hit[0].length;
    const between = matchAt(BEFORE_VALUE[hit[0] === ':' ? ':' : '='], text, after);
    const valueStart = after + between.length;
    const isJson = isJsonName(closer, between);
    const span = spanOf({ text, valueStart, separator: hit[0], closer, isJson, before, name, meaning });
    if (span !== null && span.end > span.start && span.start >= from) spans.push(span);
  }
}
