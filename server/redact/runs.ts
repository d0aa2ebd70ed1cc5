/** A stretch of text without a blank, a quote or a bracket. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** It has a character that ends a value within it: `:`, `|`, `~` or a backslash. */
  readonly isSplit: boolean;
  /** It has more than letters, digits and what base64 has. */
  readonly isMixed: boolean;
}

/** The least that any rule needs in a row. */
const RUN_UNITS = 15;
const IN_RUN = 1;
const RARE = 2;
const SPLITS = 4;
const MIXED = 8;

/** Of every code unit: to ask beyond the end of an array is slow. */
const KINDS = new Uint8Array(65_536);
for (const char of 'abcdefghijklmnopqrstuvwxyz/+') KINDS[char.charCodeAt(0)] = IN_RUN;
for (const char of '_-.') KINDS[char.charCodeAt(0)] = IN_RUN | MIXED;
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') KINDS[char.charCodeAt(0)] = IN_RUN | RARE;
for (const char of '\\:~|') KINDS[char.charCodeAt(0)] = IN_RUN | SPLITS | MIXED;

const kindAt = (text: string, at: number): number => KINDS[text.charCodeAt(at)] ?? 0;

/** True for a character at which a value within a run ends. */
export function splitsValue(text: string, at: number): boolean {
  return (kindAt(text, at) & SPLITS) !== 0;
}

/**
 * Visits the stretches in which a token or a value can be that starts at `from` or later: long enough,
 * with a digit or a capital. It looks at every fifteenth character, so that prose costs next to nothing.
 */
export function visitRuns(text: string, from: number, visit: (run: Run) => void): void {
  let floor = 0;
  for (let at = from + RUN_UNITS - 1; at < text.length;) {
    if (kindAt(text, at) === 0) {
      at += RUN_UNITS;
      continue;
    }
    let kinds = 0;
    let start = at;
    for (let kind = 1; start > floor && kind !== 0; kinds |= kind) {
      kind = kindAt(text, start - 1);
      if (kind !== 0) start -= 1;
    }
    let end = at;
    for (let kind = 1; end < text.length && kind !== 0; kinds |= kind) {
      kind = kindAt(text, end);
      if (kind !== 0) end += 1;
    }
    if (end - start >= RUN_UNITS && (kinds & RARE) !== 0)
      visit({ start, end, isSplit: (kinds & SPLITS) !== 0, isMixed: (kinds & MIXED) !== 0 });
    floor = end;
    at = end + RUN_UNITS;
  }
}
