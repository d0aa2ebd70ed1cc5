import { ColumnState } from './columns.ts';
import { InvisibleFilter } from './invisible.ts';
import { findInstructions } from './instructions.ts';
import { FIELD_CONTEXT_UNITS, findFields } from './fields.ts';
import { findKeyValues } from './key-values.ts';
import { findNumbers } from './numbers.ts';
import { PrivateKeyState } from './private-key.ts';
import { findByPlace } from './places.ts';
import { mergeSpans, type Span } from './span.ts';
import { placeholder, type Tally } from './tally.ts';
import { findTokens } from './tokens.ts';
import { findByWords } from './words.ts';

/** Most that is held back: a line is cleaned whole up to this many units. */
export const WINDOW_UNITS = 16_384;
const HALF_UNITS = WINDOW_UNITS / 2;
/** Raw text before a cut within a line that its continuation is read with. */
const CONTEXT_UNITS = 64;
const SELECTOR = /[\uFE00-\uFE0F]/;
/** Far more than any text needs. */
const SETTLE_ROUNDS = 8;
/** How a secret longer than a window continues. */
const SECRET_REST = /^[^\s"'`<>«»]*/;

/** Fields are read with text of the lines before them: as much wherever the stream was cut. */
function findFieldsAfter(earlier: string, text: string, from: number): Span[] {
  const spans: Span[] = [];
  const window = { text: earlier + text, from: earlier.length + from };
  findFields(window, spans);
  findByWords(window, spans);
  return spans.map((span) => ({
    ...span,
    start: span.start - earlier.length,
    end: span.end - earlier.length,
  }));
}

/** @param earlier what is before `text`, at most {@link FIELD_CONTEXT_UNITS} */
function findSecrets(earlier: string, text: string, from: number): Span[] {
  const spans: Span[] = [];
  const values: Span[] = [];
  const window = { text, from, earlier };
  findTokens(window, spans, values);
  findKeyValues(window, spans);
  findByPlace(window, spans);
  findNumbers(window, spans);
  spans.push(...findFieldsAfter(earlier, text, from));
  spans.push(...values);
  // A variation selector goes with the character that it varies.
  return mergeSpans(spans).map((span) =>
    SELECTOR.test(text.charAt(span.end)) ? { ...span, end: span.end + 1 } : span,
  );
}

/**
 * Cleans text that comes in chunks. What it gives does not depend on where the chunks were cut:
 * no rule looks beyond a line, so whole lines are cleaned in batches, and a line longer than
 * {@link WINDOW_UNITS} is cut at places that its own text decides. A secret in it is seen whole as
 * long as it is shorter than half a window; of a longer one, all that follows without a blank goes.
 * Private keys span lines and have a state of their own.
 */
export class TextStream {
  readonly #tally: Tally;
  readonly #invisible: InvisibleFilter;
  readonly #privateKey: PrivateKeyState;
  readonly #columns = new ColumnState();
  #held = '';
  /** The raw end of what was passed on of the current line; '' at the start of a line. */
  #context = '';
  /** Raw text before the context: a field's name may be on a line before its value. */
  #earlier = '';
  /** The line continues inside a secret that was longer than a window. */
  #isInSecret = false;

  constructor(tally: Tally) {
    this.#tally = tally;
    this.#invisible = new InvisibleFilter(tally);
    this.#privateKey = new PrivateKeyState();
  }

  /** Takes a chunk; returns what is certain by now. */
  push(chunk: string): string {
    const visible = this.#invisible.push(chunk);
    const isStill = this.#held.length + visible.length < WINDOW_UNITS && !visible.includes('\n');
    this.#held += visible;
    return isStill ? '' : this.#drain(false);
  }

  /** Returns what was held back. The stream can then be used for another text. */
  flush(): string {
    this.#held += this.#invisible.flush();
    const rest = this.#drain(true);
    this.#context = '';
    this.#earlier = '';
    this.#isInSecret = false;
    this.#privateKey.reset();
    this.#columns.reset();
    return rest;
  }

  #drain(isEnd: boolean): string {
    const text = this.#held;
    let out = '';
    let done = 0;
    while (done < text.length) {
      const isShort = text.length - done < WINDOW_UNITS;
      // In the window alone: a long text without a line break would be searched to its start each time.
      const lineEnd = done + text.slice(done, done + WINDOW_UNITS).lastIndexOf('\n') + 1;
      if (lineEnd <= done && isShort && !isEnd) break;
      if (lineEnd > done || isShort) {
        const end = lineEnd > done ? lineEnd : text.length;
        out += this.#clean(text.slice(done, end), false).cleaned;
        done = end;
      } else {
        const end = done + WINDOW_UNITS - (isHighSurrogate(text, done + WINDOW_UNITS - 1) ? 1 : 0);
        const piece = this.#clean(text.slice(done, end), true);
        out += piece.cleaned;
        done += piece.taken;
      }
    }
    this.#held = text.slice(done);
    return out;
  }

  /**
   * Cleans whole lines, or (`isPart`) the first half of a window that a line fills; the other half
   * is read only so that secrets which start in the first are seen whole.
   */
  #clean(window: string, isPart: boolean): { readonly cleaned: string; readonly taken: number } {
    const context = this.#context.length;
    const from = context + this.#skipSecretRest(window);
    const text = this.#context + window;
    const found = from < text.length ? findSecrets(this.#earlier, text, from) : [];
    const cut = isPart ? Math.max(chooseCut(text, context, found), from) : text.length;
    const lines = { text, from, to: cut };
    const spans = this.#columns.apply(
      lines,
      this.#privateKey.apply(
        lines,
        found.filter((span) => span.start < cut),
      ),
    );
    for (const start of findInstructions({ text, from })) if (start < cut) this.#tally.instruction();
    if (isPart && spans.at(-1)?.end === text.length) this.#isInSecret = true;
    const before = text.slice(0, context);
    let cleaned = this.#replace(text.slice(0, cut), from, spans);
    if (spans.length > 0) cleaned = this.#settle(before, cleaned);
    const contextStart = text.endsWith('\n') ? cut : Math.max(0, cut - CONTEXT_UNITS);
    this.#context = text.slice(contextStart, cut);
    this.#earlier = (this.#earlier + text.slice(0, contextStart)).slice(-FIELD_CONTEXT_UNITS);
    return { cleaned, taken: cut - context };
  }

  /**
   * A placeholder is a boundary where the secret was not, so another rule may apply next to it now.
   * Cleaning until nothing does makes the result one that cleaning again leaves alone.
   */
  #settle(before: string, cleaned: string): string {
    let settled = cleaned;
    for (let round = 0; round < SETTLE_ROUNDS; round += 1) {
      const spans = findSecrets(this.#earlier, before + settled, before.length);
      if (spans.length === 0) break;
      settled = this.#replace(before + settled, before.length, spans);
    }
    return settled;
  }

  /** Units at the start of a window that still belong to a secret longer than the last one. */
  #skipSecretRest(window: string): number {
    if (!this.#isInSecret) return 0;
    const skipped = SECRET_REST.exec(window)?.[0].length ?? 0;
    this.#isInSecret = skipped === window.length;
    return skipped;
  }

  #replace(text: string, from: number, spans: readonly Span[]): string {
    let out = '';
    let done = from;
    for (const span of spans) {
      const quote = span.quote ?? '';
      out += text.slice(done, span.start);
      if (span.isRest !== true) {
        this.#tally.secret(span.kind);
        out += quote + placeholder(span.kind) + quote;
      }
      done = span.end;
    }
    return out + text.slice(done);
  }
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Where to end a part of a line: between words near the middle of the window, never in a secret. */
function chooseCut(text: string, context: number, spans: readonly Span[]): number {
  const middle = context + HALF_UNITS;
  let cut = middle;
  while (cut > middle - HALF_UNITS / 2 && !/\s/.test(text.charAt(cut - 1))) cut -= 1;
  if (cut === middle - HALF_UNITS / 2) cut = isHighSurrogate(text, middle - 1) ? middle - 1 : middle;
  for (const span of spans) if (span.start < cut && span.end > cut) cut = span.end;
  return cut;
}

/**
 * What every rule needs at least one of. Names, labels and addresses, of which lists have millions,
 * pass this one test instead of a dozen.
 */
const SUSPECT =
  /[\n=@%<[|]|[^\t\n\r -~]|:(?!\/\/)|-----|[\w/+\\-]{13}|\d{4}[ -]?\d{4}|\d[- ]\d\d[- ]\d|(?:earer|asic|oken|igest)[ \t]|prompt|nstruction|thing[ \t]|tell[ \t]|are[ \t]now|[dteypsnrv]["'`*_)]{0,3} (?:is|was) /i;
const SHORT_UNITS = 256;

/** Cleans one whole text. */
export function cleanText(text: string, tally: Tally): string {
  return text.length <= SHORT_UNITS && !SUSPECT.test(text) ? text : cleanAnyText(text, tally);
}

/** {@link cleanText} without its short cut. */
export function cleanAnyText(text: string, tally: Tally): string {
  const stream = new TextStream(tally);
  const start = stream.push(text);
  return start + stream.flush();
}
