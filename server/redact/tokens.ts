import type { ScanWindow, Span } from './span.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** `_` in a rule also matches the escaped one of Markdown. */
function withMarkdownEscapes(source: string): string {
  return source.replaceAll(/\[[^\]]*\]|_/g, (part) => (part === '_' ? '\\\\?_' : part));
}

interface Body {
  readonly kind: string;
  readonly body: RegExp;
}

/**
 * One expression for all prefixes, grouped by pivot: the engine looks for the few pivot characters
 * and only there looks back, which is several times faster than an alternation of the prefixes.
 * Its capturing groups are numbered as `bodies` is, from 1.
 */
function compile(): { readonly detector: RegExp; readonly bodies: readonly Body[] } {
  const byPivot = new Map<string, (typeof TOKEN_RULES)[number][]>();
  for (const rule of TOKEN_RULES) {
    const pivot = rule.prefix.slice(-1);
    byPivot.set(pivot, [...(byPivot.get(pivot) ?? []), rule]);
  }
  const prefixes = (rules: typeof TOKEN_RULES): string =>
    rules.map(({ prefix }) => `(${withMarkdownEscapes(prefix)})`).join('|');
  const source = [...byPivot].map(([pivot, rules]) => `[${pivot}](?<=${prefixes(rules)})`).join('|');
  const bodies = [...byPivot.values()].flat().map(({ kind, body }) => ({
    kind,
    body: new RegExp(`${withMarkdownEscapes(body)}(?![A-Za-z0-9])`, 'y'),
  }));
  return { detector: new RegExp(source, 'g'), bodies };
}

const { detector: DETECTOR, bodies: BODIES } = compile();

const WORD = /[A-Za-z0-9_]/;
/** An escape that ends in a word character without being part of the word that follows it. */
const ESCAPE_BEFORE = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$/;

/** True where a token can start: not in the middle of a word. */
export function startsWord(text: string, index: number): boolean {
  if (index === 0 || !WORD.test(text.charAt(index - 1))) return true;
  return ESCAPE_BEFORE.test(text.slice(Math.max(0, index - 6), index));
}

/** `xxxxxxxx`, `EXAMPLE`: what documentation writes in place of a secret. */
function isSample(token: string): boolean {
  return /EXAMPLE|example|(.)\1{7}/.test(token) || new Set(token.slice(-24)).size < 6;
}

/** Secrets known by their shape alone. */
export function findTokens({ text, from }: ScanWindow, spans: Span[]): void {
  DETECTOR.lastIndex = from;
  for (let hit = DETECTOR.exec(text); hit !== null; hit = DETECTOR.exec(text)) {
    const end = hit.index + 1;
    const group = hit.findIndex((part, index) => index > 0 && part !== undefined);
    const rule = BODIES[group - 1];
    const start = end - (hit[group]?.length ?? 0);
    if (rule === undefined || start < from || !startsWord(text, start)) continue;
    rule.body.lastIndex = end;
    const body = rule.body.exec(text);
    if (body === null) continue;
    if (!isSample(body[0])) spans.push({ start, end: end + body[0].length, kind: rule.kind });
    // Continuing after the match, sample or not, keeps the cost of a long run of prefixes linear.
    DETECTOR.lastIndex = end + body[0].length;
  }
}
