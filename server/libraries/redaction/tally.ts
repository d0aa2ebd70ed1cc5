import type { JsonValue } from '../../../shared/base/json.ts';
import type { MimeType } from '../../../shared/base/mime.ts';
import type { RawPayload, RedactionReport } from '../../core/result.ts';
import { inSlices, pause, piecesOf, type Work } from '../../core/slices.ts';

/** A stretch of text that is a secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** Put around the placeholder if the value had no quotes but its format needs them. */
  readonly quote?: string;
  /** It belongs to the previous secret, which has the placeholder. */
  readonly isRest?: boolean;
}

/** A part of a text, whose lines are read in order, once. */
export interface LineWindow {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The range of a scan: matches before `from` are not reported, but that text is context. */
export interface ScanWindow {
  readonly text: string;
  readonly from: number;
  /** The text before `text`, bounded. */
  readonly earlier?: string;
}

/** The match of a sticky expression at a place, or the first one of a global expression from there on. */
export function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The three characters before `end`, letters in either case, as one number. */
export function endingBefore(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  );
}

let scratch = Buffer.allocUnsafeSlow(65_536);
let units = new Uint16Array(scratch.buffer);
let pairs = new Uint32Array(scratch.buffer);

/**
 * The units of a text, until the next call, and behind them those of an earlier one: an array is read several times as
 * fast as a part of a string.
 */
export function unitsOf(text: string): Uint16Array {
  if (units.length < text.length) {
    scratch = Buffer.allocUnsafeSlow(text.length * 4);
    units = new Uint16Array(scratch.buffer);
    pairs = new Uint32Array(scratch.buffer);
  }
  scratch.write(text, 'utf16le');
  return units;
}

/** The same two by two: the first is in the low half of a number. */
export function pairsOf(text: string): Uint32Array {
  unitsOf(text);
  return pairs;
}

/** The lines of a text between two places, each with its line break. */
export function* linesBetween({ text, from, to }: LineWindow) {
  for (let start = from; start < to;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 || lineBreak >= to ? to : lineBreak + 1;
    yield { start, end, text: text.slice(start, end) };
    start = end;
  }
}

/** In order, without overlaps: overlapping spans become one, of the kind that starts first. */
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

  /** Counts a secret, and returns what replaces it. */
  secret(kind: string): string {
    this.#secrets.set(kind, (this.#secrets.get(kind) ?? 0) + 1);
    return placeholder(kind);
  }

  invisible(count: number): void {
    this.#invisibleCharacters += count;
  }

  instruction(): void {
    this.#instructionLike += 1;
  }

  /** Cleans what is replaced only if it has secrets: null, and nothing is counted, if it has none. */
  *ifSecret<T>(clean: (tally: Tally) => Work<T>): Work<T | null> {
    const within = new Tally();
    const cleaned = yield* clean(within);
    if (within.#secrets.size === 0) return null;
    for (const [kind, count] of within.#secrets)
      this.#secrets.set(kind, (this.#secrets.get(kind) ?? 0) + count);
    this.#invisibleCharacters += within.#invisibleCharacters;
    this.#instructionLike += within.#instructionLike;
    return cleaned;
  }

  /** A snapshot with kinds in alphabetical order, so that it is the same for the same content. */
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

/**
 * True for a value that was replaced whole. One that only begins with a placeholder may contain something
 * else.
 */
export function isPlaceholder(value: string): boolean {
  return /^«redacted:[\w-]+»$/.test(value);
}

/**
 * A secret known by its case-sensitive shape. `_` matches itself and Markdown's `\_`. `rest` has no unbounded
 * repetition inside another, so a match costs one pass over it.
 */
export interface TokenRule {
  readonly kind: string;
  /** The start, at least two characters; or '' with an `anchor`. */
  readonly start: string;
  /** Source of an expression that matches the text after `start`. */
  readonly rest: string;
  /** Source of an expression for a part that few texts have. */
  readonly anchor?: string;
}

/** A value without a shape of its own, known by the issuer's name next to it. */
export interface NamedRule {
  readonly kind: string;
  /** Source of a case-insensitive expression that the value's name must match. */
  readonly name: string;
  /** Source of an expression for the whole value, and its possible lengths. */
  readonly value: string;
  readonly least: number;
  readonly most: number;
  /** Minimum bits a character. */
  readonly entropy: number;
}

/** Cleans a text in chunks; it may hold back what more could change. */
interface ChunkCleaner<Rest = string> {
  push(chunk: string): string;
  flush(): Rest;
}

/** Cleans a whole text, a piece at a time. */
export function* cleanPieces(text: string, cleaner: ChunkCleaner): Work<string> {
  let out = '';
  for (const piece of piecesOf(text)) {
    out += cleaner.push(piece);
    yield;
  }
  return out + cleaner.flush();
}

/** A payload whose parts are cleaned in slices as they are read, a JSON value before; bytes stay. */
export async function mapPayload(
  payload: RawPayload,
  by: {
    readonly value: (value: JsonValue) => Work<JsonValue>;
    readonly text: (mimeType: MimeType) => ChunkCleaner<string | Work<string>>;
  },
): Promise<RawPayload> {
  switch (payload.kind) {
    case 'items':
      return { ...payload, items: mapItems(payload.items, by.value) };
    case 'json':
      return { ...payload, value: await inSlices(by.value(payload.value)) };
    case 'text':
      return { ...payload, chunks: mapChunks(payload.chunks, by.text(payload.mimeType)) };
    case 'bytes':
      return payload;
  }
}

async function* mapItems(
  items: AsyncIterable<JsonValue>,
  clean: (item: JsonValue) => Work<JsonValue>,
): AsyncGenerator<JsonValue, void> {
  for await (const item of items) {
    // Small items would otherwise follow each other without a turn of the event loop.
    const turn = pause();
    if (turn !== undefined) await turn;
    yield await inSlices(clean(item));
  }
}

async function* mapChunks(
  chunks: AsyncIterable<string>,
  cleaner: ChunkCleaner<string | Work<string>>,
): AsyncGenerator<string, void> {
  for await (const chunk of chunks)
    for (const piece of piecesOf(chunk)) {
      const turn = pause();
      if (turn !== undefined) await turn;
      const cleaned = cleaner.push(piece);
      if (cleaned !== '') yield cleaned;
    }
  const rest = cleaner.flush();
  const cleaned = typeof rest === 'string' ? rest : await inSlices(rest);
  if (cleaned !== '') yield cleaned;
}
