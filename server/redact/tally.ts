import type { RedactionReport } from '../core/result.ts';

/** A stretch of text that is a secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** Put around the placeholder, where the value had no quotes but its format needs them. */
  readonly quote?: string;
  /** It belongs to the secret before it, which has the placeholder. */
  readonly isRest?: boolean;
}

/** Where a scan looks: nothing that starts before `from` is reported; text before it is context. */
export interface ScanWindow {
  readonly text: string;
  readonly from: number;
  /** The text before `text`, bounded. */
  readonly earlier?: string;
}

/** In order, without overlaps: spans that overlap become one, of the kind that starts first. */
export function mergeSpans(spans: Span[]): Span[] {
  if (spans.length < 2) return spans;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

/** Counts the redactions of one payload. */
export class Tally {
  readonly #secrets = new Map<string, number>();
  #invisibleCharacters = 0;
  #instructionLike = 0;

  secret(kind: string): void {
    this.#secrets.set(kind, (this.#secrets.get(kind) ?? 0) + 1);
  }

  invisible(count: number): void {
    this.#invisibleCharacters += count;
  }

  instruction(): void {
    this.#instructionLike += 1;
  }

  get hasSecrets(): boolean {
    return this.#secrets.size > 0;
  }

  /** Adds the counts of another one. */
  add(other: Tally): void {
    for (const [kind, count] of other.#secrets)
      this.#secrets.set(kind, (this.#secrets.get(kind) ?? 0) + count);
    this.#invisibleCharacters += other.#invisibleCharacters;
    this.#instructionLike += other.#instructionLike;
  }

  /** A snapshot, kinds in alphabetical order so that it is the same for the same content. */
  report(): RedactionReport {
    return {
      secrets: Object.fromEntries([...this.#secrets].sort(([a], [b]) => (a < b ? -1 : 1))),
      invisibleCharacters: this.#invisibleCharacters,
      instructionLike: this.#instructionLike,
    };
  }
}

/** The same for every secret of a kind, so that output is stable. */
export function placeholder(kind: string): string {
  return `«redacted:${kind}»`;
}

/** True for a value that was replaced whole. One that merely begins so may hold something else. */
export function isPlaceholder(value: string): boolean {
  return /^«redacted:[\w-]+»$/.test(value);
}

/**
 * A secret known by its shape, matched case and all. `_` matches itself and the `\_` of Markdown.
 * `rest` has no repetition without a bound inside another, so that a match costs one pass over it.
 */
export interface TokenRule {
  readonly kind: string;
  /** The start, at least two characters; or '' with an `anchor`. */
  readonly start: string;
  /** Source of an expression that matches what follows `start`. */
  readonly rest: string;
  /** Source of an expression for a part of the text that few texts have. */
  readonly anchor?: string;
}

/** A value without a shape of its own, known by the issuer's name next to it. */
export interface NamedRule {
  readonly kind: string;
  /** Source of an expression that the name of the value must match, in either case. */
  readonly name: string;
  /** Source of an expression for the whole value, and the lengths it can have. */
  readonly value: string;
  readonly least: number;
  readonly most: number;
  /** Least bits a character. */
  readonly entropy: number;
}
