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
