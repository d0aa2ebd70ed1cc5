import gitleaks from './gitleaks-rules.generated.json';
import { OWN_RULES, findNamedValue } from './own-rules.ts';
import { execAt, type TokenRule, type ScanWindow, type Span, unitsOf } from './tally.ts';
import { entropyBits } from './weigh.ts';

/* Values without a literal of their own: those next to an issuer's name, and secrets of AWS. */

/** A stretch of text without a space, a quote or a bracket. */
interface Run {
  readonly start: number;
  readonly end: number;
  /** It has a character that ends a value within it: `:`, `|`, `~` or a backslash. */
  readonly isSplit: boolean;
  /** It has more than letters, digits and base64 characters. */
  readonly isMixed: boolean;
}

/** The shortest sequence that any rule needs. */
const RUN_UNITS = 15;
const IN_RUN = 1;
const RARE = 2;
const SPLITS = 4;
const MIXED = 8;

/** For every code unit, because reading beyond the end of an array is slow. */
const KINDS = new Uint8Array(65_536);
for (const char of 'abcdefghijklmnopqrstuvwxyz/+') KINDS[char.charCodeAt(0)] = IN_RUN;
for (const char of '_-.') KINDS[char.charCodeAt(0)] = IN_RUN | MIXED;
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') KINDS[char.charCodeAt(0)] = IN_RUN | RARE;
for (const char of '\\:~|') KINDS[char.charCodeAt(0)] = IN_RUN | SPLITS | MIXED;

const getUnitKind = (unit: number): number => KINDS[unit] ?? 0;
const kindAt = (units: Uint16Array, at: number): number => getUnitKind(units[at] ?? 0);

/**
 * Visits the stretches where a token or a value may start at `from` or later: long enough, with a digit or a
 * capital. It looks at every fifteenth character, so that prose costs next to nothing.
 */
function visitRuns(units: Uint16Array, { text, from }: ScanWindow, visit: (run: Run) => void): void {
  const { length } = text;
  let floor = 0;
  for (let at = from + RUN_UNITS - 1; at < length;) {
    if (kindAt(units, at) === 0) {
      at += RUN_UNITS;
      continue;
    }
    let kinds = 0;
    let start = at;
    for (let kind = 1; start > floor && kind !== 0; kinds |= kind) {
      kind = kindAt(units, start - 1);
      if (kind !== 0) start -= 1;
    }
    let end = at;
    for (let kind = 1; end < length && kind !== 0; kinds |= kind) {
      kind = kindAt(units, end);
      if (kind !== 0) end += 1;
    }
    if (end - start >= RUN_UNITS && (kinds & RARE) !== 0)
      visit({ start, end, isSplit: (kinds & SPLITS) !== 0, isMixed: (kinds & MIXED) !== 0 });
    floor = end;
    at = end + RUN_UNITS;
  }
}

/** An escape whose letters are joined to the value behind it. */
const ESCAPE = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})/y;

function skipEscape(text: string, start: number): number {
  const before = text.charAt(start - 1);
  if (before !== '\\' && before !== '%') return start;
  return execAt(ESCAPE, text, start - 1) === null ? start : ESCAPE.lastIndex;
}

/** Visits the parts of a run that can be one value. */
function visitValues(text: string, run: Run, visit: (start: number, end: number) => void): void {
  let start = run.start;
  if (run.isSplit)
    for (let at = run.start; at < run.end; at += 1)
      if ((getUnitKind(text.charCodeAt(at)) & SPLITS) !== 0) {
        if (at > start) visit(skipEscape(text, start), at);
        start = at + 1;
      }
  if (start < run.end) visit(skipEscape(text, start), run.end);
}

const AWS_UNITS = 40;
/** Neighbours of different classes: about 25 of 39 in random text, few in words. */
const AWS_CHANGES = 17;
const AWS_VALUE = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9/+]{40}$/;
const CHANGE = /[a-z](?=[^a-z])|[A-Z](?=[^A-Z])|\d(?=\D)|[/+](?=[^/+])/g;

/** A key is often copied together with its id, or with a word for it. */
const AWS_NEAR = /aws|A[KS]IA[A-Z0-9]{12}|secret/i;
const NEAR_UNITS = 160;
const NEAR_BITS = 4.2;

/** A secret access key of AWS: 40 characters of base64, completely random, or next to a telling name. */
function isAwsSecret(value: string, before: string): boolean {
  if (!AWS_VALUE.test(value) || new Set(value).size < 20) return false;
  if ((value.match(CHANGE)?.length ?? 0) >= AWS_CHANGES) return true;
  return AWS_NEAR.test(before) && entropyBits(value) >= NEAR_BITS;
}

/** The end of a sentence does not belong to a value. */
const endOf = (text: string, end: number): number => (text.charAt(end - 1) === '.' ? end - 1 : end);

/** Adds the values of a run that start at `from` or later. */
function findValues(window: ScanWindow, run: Run, spans: Span[]): void {
  const { text, from, earlier = '' } = window;
  visitValues(text, run, (start, stop) => {
    const end = endOf(text, stop);
    if (start < from) return;
    const named = findNamedValue(text, start, end);
    if (named !== null) spans.push(named);
    else if (end - start === AWS_UNITS && text.charAt(end) !== '=') {
      const before = (start < NEAR_UNITS ? earlier : '') + text.slice(Math.max(0, start - NEAR_UNITS), start);
      if (isAwsSecret(text.slice(start, end), before.slice(-NEAR_UNITS)))
        spans.push({ start, end, kind: 'aws-secret-key' });
    }
  });
}

/** Known shapes. If two match at one place, the first counts. */
const TOKEN_RULES: readonly TokenRule[] = [...OWN_RULES, ...gitleaks.shapes];

/** `_` in a rule, alone or in a class, also matches the escaped one of Markdown. */
function withMarkdownEscapes(source: string): string {
  return source.replaceAll(/\[[^\]]*\]|_/g, (part) => {
    if (part === '_') return '\\\\?_';
    return part.includes('_') ? `(?:${part}|\\\\_)` : part;
  });
}

class Shape {
  readonly kind: string;
  readonly head: string;
  #pattern: RegExp | undefined;

  constructor(private readonly rule: TokenRule) {
    this.kind = rule.kind;
    this.head = rule.start.replace(/_.*/, '');
  }

  /** Compiled when a text first needs it: all of them would take a twelfth of the start of a server. */
  get pattern(): RegExp {
    return (this.#pattern ??= this.#compile());
  }

  #compile(): RegExp {
    const source = this.rule.start.replaceAll(/[.+|]/g, '\\$&') + this.rule.rest;
    return new RegExp(`${withMarkdownEscapes(source)}(?![A-Za-z0-9])`, 'y');
  }
}

const CODES = 128;
/** A run has only ASCII, and no rule starts with anything else. */
const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);

/** Rules by their first two characters. */
const BY_START = new Map<number, Shape[]>();
for (const rule of TOKEN_RULES.filter(({ anchor }) => anchor === undefined)) {
  const pair = pairOf(rule.start.charCodeAt(0), rule.start.charCodeAt(1));
  BY_START.set(pair, [...(BY_START.get(pair) ?? []), new Shape(rule)]);
}
/** Most pairs of characters start no rule; checking an array is faster than checking the map. */
const STARTS = new Uint8Array(CODES * CODES);
const START = 1;
const SURE_START = 2;
for (const pair of BY_START.keys()) STARTS[pair] = START;

const ANCHORED = TOKEN_RULES.filter(({ anchor }) => anchor !== undefined);
const ANCHORED_SHAPES = ANCHORED.map((rule) => new Shape(rule));
const ANCHOR = new RegExp(ANCHORED.map(({ anchor = '' }) => withMarkdownEscapes(anchor)).join('|'));
const MIN_ANCHORED_UNITS = 30;
/** Without punctuation only keys that fill their run have an anchor, and base64 that ends in `==`. */
const PLAIN_UNITS = 90;

/** Starts so particular that a letter before them says nothing: `tokenghp_…`. */
const SURE =
  /gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox[a-z]-|xapp-|sk-(?:ant|proj|svcacct|or)-|[rs]k_(?:live|test|prod)_|whsec_|A[KS]IA|AIza|npm_|eyJ|hf_|pypi-AgE|SG\.|dop_v1_|shp(?:at|ca|pa|ss|ua)_|hvs\.|lin_api_|ntn_|PMAK-|figd_|AT[ACS]TT3|glsa_|dckr_[op]at_|gsk_|pplx-|sbp_|ya29\.|GOCSPX-|AGE-SECRET-|lsv2_|nvapi-|sq0|dapi/y;
for (const start of 'gh gl xo xa sk rk wh AK AS AI np ey hf py SG do sh hv li nt PM fi AT dc gs pp sb ya GO AG ls nv sq da'.split(
  ' ',
))
  STARTS[pairOf(start.charCodeAt(0), start.charCodeAt(1))] = START | SURE_START;

const WORD = /[A-Za-z0-9_]/;
/** An escape that ends in a word character without being part of the next word. */
const ESCAPE_BEFORE = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$/;

const IS_WORD = new Uint8Array(CODES);
for (let code = 0; code < CODES; code += 1) IS_WORD[code] = WORD.test(String.fromCharCode(code)) ? 1 : 0;

/** True where a token can start: not in the middle of a word. */
export function startsWord(text: string, index: number): boolean {
  if (index === 0 || !WORD.test(text.charAt(index - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, index - 6), index));
}

/** `xxxxxxxx`, `EXAMPLE`: placeholders of documentation. */
function isSample(token: string): boolean {
  return /EXAMPLE|example|(.)\1{7}/.test(token) || new Set(token.slice(-24)).size < 6;
}

/** The first of the shapes that starts at a place. */
function shapeAt(text: string, start: number, shapes: readonly Shape[]): Span | null {
  for (const shape of shapes) {
    if (!text.startsWith(shape.head, start)) continue;
    const { pattern, kind } = shape;
    pattern.lastIndex = start;
    if (pattern.test(text)) return { start, end: pattern.lastIndex, kind };
  }
  return null;
}

/** Units of the escape that continues a run at a place: its letters are joined to the following text. */
function escapeUnits(text: string, at: number): number {
  const before = text.charAt(at - 1);
  if (before !== '\\' && before !== '%') return 0;
  const units = before === '%' ? 2 : text.charAt(at) === 'u' ? 5 : 1;
  return startsWord(text, at + units) ? units : 0;
}

function canBeAnchored(text: string, run: Run): boolean {
  const units = run.end - run.start;
  if (units < MIN_ANCHORED_UNITS) return false;
  const canHold = run.isMixed || units <= PLAIN_UNITS || text.startsWith('==', run.end);
  return canHold && ANCHOR.test(text.slice(run.start, run.end));
}

/** The token that starts at a place, within a word or not. */
function startAt(text: string, at: number, pair: number, isInWord: boolean): Span | null {
  const kind = STARTS[pair] ?? 0;
  if (kind === 0 || (isInWord && (kind < SURE_START || execAt(SURE, text, at) === null))) return null;
  return shapeAt(text, at, BY_START.get(pair) ?? []);
}

/** Shapes within a stretch of text: they start where a word does. */
function findShapes({ text, from }: ScanWindow, units: Uint16Array, run: Run, spans: Span[]): void {
  const hasAnchor = canBeAnchored(text, run);
  let isInWord = IS_WORD[units[run.start - 1] ?? 0] === 1;
  let skipped = run.start + escapeUnits(text, run.start);
  for (let at = run.start; at < run.end; at += 1) {
    const code = units[at] ?? 0;
    const starts = !isInWord || at === skipped;
    isInWord = IS_WORD[code] === 1;
    if (code === 92) skipped = at + 1 + escapeUnits(text, at + 1);
    const pair = pairOf(code, units[at + 1] ?? 0);
    if (at < from) continue;
    const found =
      startAt(text, at, pair, !starts) ?? (starts && hasAnchor ? shapeAt(text, at, ANCHORED_SHAPES) : null);
    if (found === null) continue;
    if (!isSample(text.slice(found.start, found.end))) spans.push(found);
    // Continuing after the match, sample or not, keeps the cost of a long run of starts linear.
    at = found.end - 1;
    isInWord = true;
  }
}

/**
 * Secrets known by their shape alone go to `spans`; those known by their randomness, or by an issuer's name
 * next to them, to `values`: other evidence about these counts more.
 */
export function findTokens(window: ScanWindow, spans: Span[], values: Span[]): void {
  const units = unitsOf(window.text);
  visitRuns(units, window, (run) => {
    findShapes(window, units, run, spans);
    findValues(window, run, values);
  });
}
