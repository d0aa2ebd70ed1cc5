import { findValues } from './bare-values.ts';
import { GITLEAKS_SHAPES } from './gitleaks-rules.generated.ts';
import { OWN_RULES } from './own-rules.ts';
import type { TokenRule } from './rule-types.ts';
import { visitRuns, type Run } from './runs.ts';
import type { ScanWindow, Span } from './span.ts';

/** Known shapes. Where two match at one place, the first counts. */
const TOKEN_RULES: readonly TokenRule[] = [...OWN_RULES, ...GITLEAKS_SHAPES];

/** `_` in a rule, alone or in a class, also matches the escaped one of Markdown. */
function withMarkdownEscapes(source: string): string {
  return source.replaceAll(/\[[^\]]*\]|_/g, (part) => {
    if (part === '_') return '\\\\?_';
    return part.includes('_') ? `(?:${part}|\\\\_)` : part;
  });
}

interface Shape {
  readonly kind: string;
  /** What the text has to begin with, up to the first `_`: this is checked first. */
  readonly head: string;
  readonly pattern: RegExp;
}

function compile({ kind, start, rest }: TokenRule): Shape {
  const source = start.replaceAll(/[.+|]/g, '\\$&') + rest;
  return {
    kind,
    head: start.replace(/_.*/, ''),
    pattern: new RegExp(`${withMarkdownEscapes(source)}(?![A-Za-z0-9])`, 'y'),
  };
}

const CODES = 128;
const pairOf = (first: number, second: number): number =>
  first < CODES && second < CODES ? first * CODES + second : 0;

/** Rules by their first two characters. */
const BY_START: ReadonlyMap<number, readonly Shape[]> = (() => {
  const byStart = new Map<number, Shape[]>();
  for (const rule of TOKEN_RULES.filter(({ anchor }) => anchor === undefined)) {
    const pair = pairOf(rule.start.charCodeAt(0), rule.start.charCodeAt(1));
    byStart.set(pair, [...(byStart.get(pair) ?? []), compile(rule)]);
  }
  return byStart;
})();
/** Most pairs of characters start no rule; asking an array is faster than asking the map. */
const IS_START = new Uint8Array(CODES * CODES);
for (const pair of BY_START.keys()) IS_START[pair] = 1;

const ANCHORED = TOKEN_RULES.filter(({ anchor }) => anchor !== undefined);
const ANCHORED_SHAPES = ANCHORED.map(compile);
const ANCHOR = new RegExp(ANCHORED.map(({ anchor = '' }) => withMarkdownEscapes(anchor)).join('|'));
const LEAST_ANCHORED_UNITS = 30;
/** Without punctuation only two kinds have an anchor: a key that fills its run, and base64 that ends in `==`. */
const PLAIN_UNITS = 45;

const WORD = /[A-Za-z0-9_]/;
/** An escape that ends in a word character without being part of the word that follows it. */
const ESCAPE_BEFORE = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$/;

const IS_WORD = new Uint8Array(CODES);
for (let code = 0; code < CODES; code += 1) IS_WORD[code] = WORD.test(String.fromCharCode(code)) ? 1 : 0;

/** True where a token can start: not in the middle of a word. */
export function startsWord(text: string, index: number): boolean {
  if (index === 0 || !WORD.test(text.charAt(index - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, index - 6), index));
}

/** `xxxxxxxx`, `EXAMPLE`: what documentation writes in place of a secret. */
function isSample(token: string): boolean {
  return /EXAMPLE|example|(.)\1{7}/.test(token) || new Set(token.slice(-24)).size < 6;
}

/** The first of the shapes that starts at a place. */
function shapeAt(text: string, start: number, shapes: readonly Shape[]): Span | null {
  for (const { kind, head, pattern } of shapes) {
    if (!text.startsWith(head, start)) continue;
    pattern.lastIndex = start;
    if (pattern.test(text)) return { start, end: pattern.lastIndex, kind };
  }
  return null;
}

/** Units of the escape that a run continues at a place: its letters are joined to what follows. */
function escapeUnits(text: string, at: number): number {
  const before = text.charAt(at - 1);
  if (before !== '\\' && before !== '%') return 0;
  const units = before === '%' ? 2 : text.charAt(at) === 'u' ? 5 : 1;
  return startsWord(text, at + units) ? units : 0;
}

function canBeAnchored(text: string, run: Run): boolean {
  const units = run.end - run.start;
  if (units < LEAST_ANCHORED_UNITS) return false;
  const canHold = run.isMixed || units <= PLAIN_UNITS || text.startsWith('==', run.end);
  return canHold && ANCHOR.test(text.slice(run.start, run.end));
}

/** Shapes within a stretch of text: they start where a word does. */
function findShapes(text: string, run: Run, from: number, spans: Span[]): void {
  const hasAnchor = canBeAnchored(text, run);
  let isInWord = IS_WORD[text.charCodeAt(run.start - 1)] === 1;
  let skipped = run.start + escapeUnits(text, run.start);
  for (let at = run.start; at < run.end; at += 1) {
    const code = text.charCodeAt(at);
    const starts = !isInWord || at === skipped;
    isInWord = IS_WORD[code] === 1;
    if (code === 92) skipped = at + 1 + escapeUnits(text, at + 1);
    if (!starts || at < from) continue;
    const pair = pairOf(code, text.charCodeAt(at + 1));
    const found =
      (IS_START[pair] === 1 ? shapeAt(text, at, BY_START.get(pair) ?? []) : null) ??
      (hasAnchor ? shapeAt(text, at, ANCHORED_SHAPES) : null);
    if (found === null) continue;
    if (!isSample(text.slice(found.start, found.end))) spans.push(found);
    // Continuing after the match, sample or not, keeps the cost of a long run of starts linear.
    at = found.end - 1;
    isInWord = true;
  }
}

/**
 * Secrets known by their shape alone go to `spans`; those known by how random they are, or by an
 * issuer's name next to them, to `values`: anything else that is known of these counts more.
 */
export function findTokens(window: ScanWindow, spans: Span[], values: Span[]): void {
  const { text, from } = window;
  visitRuns(text, from, (run) => {
    findShapes(text, run, from, spans);
    findValues(window, run, values);
  });
}
