import { findNamedValue } from './named-rules.ts';
import { entropyBits } from './plausible.ts';
import { splitsValue, type Run } from './runs.ts';
import type { ScanWindow, Span } from './span.ts';

/* Values without a literal of their own: those next to an issuer's name, and secrets of AWS. */

/** An escape whose letters are joined to the value behind it. */
const ESCAPE = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})/y;

/** Where the value behind an escape starts. */
function skipEscape(text: string, start: number): number {
  const before = text.charAt(start - 1);
  if (before !== '\\' && before !== '%') return start;
  ESCAPE.lastIndex = start - 1;
  return ESCAPE.exec(text) === null ? start : ESCAPE.lastIndex;
}

/** Visits the parts of a run that can be one value. */
function visitValues(text: string, run: Run, visit: (start: number, end: number) => void): void {
  let start = run.start;
  if (run.isSplit)
    for (let at = run.start; at < run.end; at += 1)
      if (splitsValue(text, at)) {
        if (at > start) visit(skipEscape(text, start), at);
        start = at + 1;
      }
  if (start < run.end) visit(skipEscape(text, start), run.end);
}

const AWS_UNITS = 40;
/** Neighbours of different classes: of 39 in random text about 25 are, in words few. */
const AWS_CHANGES = 17;
const AWS_VALUE = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9/+]{40}$/;
const CHANGE = /[a-z](?=[^a-z])|[A-Z](?=[^A-Z])|\d(?=\D)|[/+](?=[^/+])/g;

/** A key is often copied together with its id, or with a word for it. */
const AWS_NEAR = /aws|A[KS]IA[A-Z0-9]{12}|secret/i;
const NEAR_UNITS = 160;
const NEAR_BITS = 4.2;

/** A secret access key of AWS: 40 characters of base64, as random as they come, or next to what goes with one. */
function isAwsSecret(value: string, before: string): boolean {
  if (!AWS_VALUE.test(value) || new Set(value).size < 20) return false;
  if ((value.match(CHANGE)?.length ?? 0) >= AWS_CHANGES) return true;
  return AWS_NEAR.test(before) && entropyBits(value) >= NEAR_BITS;
}

/** The end of a sentence is not part of a value. */
const endOf = (text: string, end: number): number => (text.charAt(end - 1) === '.' ? end - 1 : end);

/** Adds the values of a run that start at `from` or later. */
export function findValues(window: ScanWindow, run: Run, spans: Span[]): void {
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
