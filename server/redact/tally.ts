import type { JsonValue } from '../../shared/json.ts';
import type { MimeType } from '../../shared/mime.ts';
import type { RawPayload, RedactionReport } from '../core/result.ts';
import { inSlices, pause, piecesOf, type Work } from '../core/slices.ts';

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

/**
 * The units of a text, until the next call, and behind them those of an earlier one: an array is read several times as
 * fast as a part of a string.
 */
export function unitsOf(text: string): Uint16Array {
  if (units.length < text.length) {
    scratch = Buffer.allocUnsafeSlow(text.length * 4);
    units = new Uint16Array(scratch.buffer);
  }
  scratch.write(text, 'utf16le');
  return units;
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
  /** Least bits a character. */
  readonly entropy: number;
}

/*
 * Characters that a person cannot see carry text past the reader (tag characters), reorder it
 * (bidirectional overrides), split words that a search should find, or command the terminal that
 * shows them (control characters). They are removed, soft hyphens included: all that Unicode calls
 * default-ignorable, and all controls but tabs and line breaks. Kept where script or emoji need them: one joiner between emoji or next to a
 * letter of a joining script, one variation selector after a character that takes one, and the tag
 * sequence of a regional flag.
 */

const VARIATION = /^(?:[\u180B-\u180F\uFE00-\uFE0F]|\uDB40[\uDD00-\uDDEF])/;
const TAG_SEQUENCE = /^(?:\uDB40[\uDC30-\uDC39\uDC61-\uDC7A]){3,6}\uDB40\uDC7F/;
const JOINER = /[\u200C\u200D]/;

/** Always removed: controls, soft hyphen, fillers, zero-width, bidirectional and interlinear marks. */
const REMOVED =
  '0000-0008 000B-000C 000E-001F 007F-009F 00AD 034F 061C 115F-1160 17B4-17B5 200B 200E-200F 202A-202E 2060-206F 3164 FEFF FFA0 FFF0-FFFB';
/** Kept or removed depending on their neighbours: joiners and variation selectors. */
const WEIGHED = '180B-180F 200C-200D FE00-FE0F';
/** Controls of musical notation and of shorthand. */
const NOTATION_SOURCE = '\\uD834[\\uDD73-\\uDD7A]|\\uD82F[\\uDCA0-\\uDCA3]';

/** The inside of a character class, of hexadecimal code units and ranges. */
function classOf(units: string): string {
  return units.replaceAll(' ', '').replaceAll(/[0-9A-F]{4}/g, '\\u$&');
}

const ALWAYS_REMOVED = new RegExp(`[${classOf(REMOVED)}]|${NOTATION_SOURCE}`, 'g');
const RUN = new RegExp(
  `(?:[${classOf(REMOVED)}${classOf(WEIGHED)}]|[\\uDB40-\\uDB43][\\uDC00-\\uDFFF]|${NOTATION_SOURCE})+`,
  'y',
);
/**
 * Start characters of a run. The first part spares most characters the long list, which takes five times as
 * long.
 */
const BEGINNING = new RegExp(
  `[^\\t\\n\\r -~](?<=[${classOf(REMOVED)}${classOf(WEIGHED)}\\uD82F\\uD834\\uDB40-\\uDB43])`,
  'g',
);

/** Finds the next run at `from` or later, or null. */
function nextRun(text: string, from: number): { readonly index: number; readonly run: string } | null {
  BEGINNING.lastIndex = from;
  while (BEGINNING.test(text)) {
    const index = BEGINNING.lastIndex - 1;
    const run = execAt(RUN, text, index)?.[0];
    if (run !== undefined) return { index, run };
  }
  return null;
}

const BLACK_FLAG = '\u{1F3F4}';
const KEYCAP = '\u20E3';
const EMOJI = /^(?!\d|[#*])\p{Emoji}$/u;
const SYMBOL = /^[\p{Emoji}\p{So}\p{Sm}]$/u;
const KEYCAP_BASE = /^[\d#*]$/;
const IDEOGRAPH = /^[\p{Script=Han}\u3001\u3002\uFF01\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F]$/u;
const SELECTABLE = /^[\p{Sm}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}0]$/u;
const MONGOLIAN = /^\p{Script=Mongolian}$/u;
/** Scripts whose spelling uses ZWJ or ZWNJ: the joining ones and those with conjuncts. */
const JOINING_SCRIPTS =
  'Arabic Syriac Nko Mandaic Manichaean Mongolian Phags_Pa Adlam Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati Oriya Tamil ' +
  'Telugu Kannada Malayalam Sinhala Tibetan Myanmar Khmer Balinese Javanese Brahmi Grantha Kaithi Tirhuta';
const JOINING = new RegExp(
  `^[${JOINING_SCRIPTS.split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('')}\\u0640\\u0964\\u0965]$`,
  'u',
);
const COMBINING = /^\p{M}$/u;

/** Most units of a run that are examined; no legitimate sequence comes close, and the rest is removed. */
const RUN_UNITS = 256;

function takesVariation(selector: string, left: string, right: string): boolean {
  const code = selector.codePointAt(0) ?? 0;
  if (code < 0x1810) return MONGOLIAN.test(left);
  if (code >= 0xe0100) return IDEOGRAPH.test(left);
  if (code < 0xfe0e) return IDEOGRAPH.test(left) || SELECTABLE.test(left);
  return KEYCAP_BASE.test(left) ? right === KEYCAP : SYMBOL.test(left);
}

function takesJoiner(joiner: string, left: string, right: string): boolean {
  if (joiner === '\u200D' && EMOJI.test(left) && EMOJI.test(right)) return true;
  return JOINING.test(left) || JOINING.test(right) || (COMBINING.test(left) && !/^\p{ASCII}?$/u.test(right));
}

/** Filtering its result again changes nothing: kept characters stay in the order in which they are looked for. */
function filterRun(run: string, left: string, right: string): string {
  let rest = run.slice(0, RUN_UNITS).replace(ALWAYS_REMOVED, '');
  let kept = '';
  const selector = VARIATION.exec(rest)?.[0];
  if (selector !== undefined && takesVariation(selector, left, right)) {
    kept = selector;
    rest = rest.slice(selector.length);
  }
  const tags = left === BLACK_FLAG ? TAG_SEQUENCE.exec(rest)?.[0] : undefined;
  if (tags !== undefined) {
    kept += tags;
    rest = rest.slice(tags.length);
  }
  const joiner = JOINER.exec(rest)?.[0];
  return joiner !== undefined && takesJoiner(joiner, left, right) ? kept + joiner : kept;
}

/** The code point that ends at `end`, or '' at the start. */
function codePointBefore(text: string, end: number): string {
  return [...text.slice(Math.max(0, end - 2), end)].at(-1) ?? '';
}

const countCodePoints = (text: string): number => [...text].length;

/**
 * Removes invisible characters from a stream of text. It holds back only a run of them that ends a chunk,
 * bounded; cutting the text elsewhere gives the same result.
 */
export class InvisibleFilter {
  /** The last visible character passed on. */
  #left = '';
  /** A run at the end of the last chunk whose right neighbour is not known yet. */
  #pending = '';

  constructor(private readonly tally: Tally) {}

  push(chunk: string): string {
    // A removal between two lone surrogates would make a new character of them.
    const sound = chunk.toWellFormed();
    return this.#filter(this.#pending + sound, false);
  }

  /** The text has ended: returns what was held. */
  flush(): string {
    return this.#filter(this.#pending, true);
  }

  #filter(text: string, isEnd: boolean): string {
    let out = '';
    let done = 0;
    this.#pending = '';
    for (let match = nextRun(text, 0); match !== null; match = nextRun(text, done)) {
      const { index, run } = match;
      if (index > done) {
        out += text.slice(done, index);
        this.#left = codePointBefore(text, index);
      }
      done = index + run.length;
      if (done === text.length && !isEnd) {
        this.#hold(run);
        return out;
      }
      const [right = ''] = text.slice(done, done + 2);
      const kept = filterRun(run, this.#left, right);
      this.tally.invisible(countCodePoints(run) - countCodePoints(kept));
      out += kept;
    }
    if (done < text.length) {
      out += text.slice(done);
      this.#left = codePointBefore(text, text.length);
    }
    return out;
  }

  /** Keeps the units that {@link filterRun} will examine, never half a pair, and counts the rest as removed. */
  #hold(run: string): void {
    let end = Math.min(run.length, RUN_UNITS);
    const unit = run.charCodeAt(end - 1);
    if (unit >= 0xd800 && unit <= 0xdbff) end += 1;
    this.#pending = run.slice(0, end);
    this.tally.invisible(countCodePoints(run.slice(end)));
  }
}

/** Cleans a text in chunks; it may hold back what more could change. */
interface ChunkCleaner {
  push(chunk: string): string;
  flush(): string;
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
    readonly text: (mimeType: MimeType) => ChunkCleaner;
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
  for await (const item of items) yield await inSlices(clean(item));
}

async function* mapChunks(
  chunks: AsyncIterable<string>,
  cleaner: ChunkCleaner,
): AsyncGenerator<string, void> {
  for await (const chunk of chunks)
    for (const piece of piecesOf(chunk)) {
      const turn = pause();
      if (turn !== undefined) await turn;
      const cleaned = cleaner.push(piece);
      if (cleaned !== '') yield cleaned;
    }
  const rest = cleaner.flush();
  if (rest !== '') yield rest;
}
