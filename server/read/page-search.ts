import { comparable, foldForms } from '../../shared/base/comparable.ts';
import type { ReadFormat } from '../../shared/read/read_page.methods.ts';
import type { CleanPayload } from '../core/result.ts';
import {
  clean,
  splitStream,
  sliceClean,
  type CleanJson,
  type CleanText,
} from '../libraries/redaction/clean.ts';

/** A line of a page and its number. */
interface NumberedLine {
  readonly at: number;
  readonly line: CleanText;
}

/** Tracks the headings, and the table head, that the next line of a page belongs to. */
class LinesAbove {
  #headings: readonly { readonly level: number; readonly entry: NumberedLine }[] = [];
  #tableHead: readonly NumberedLine[] = [];

  /** The lines that the next one belongs to, outermost first. */
  above(): readonly NumberedLine[] {
    return [...this.#headings.map(({ entry }) => entry), ...this.#tableHead];
  }

  pass(entry: NumberedLine): void {
    const { line } = entry;
    const level = /^(#{1,6}) /.exec(line)?.[1]?.length;
    if (level !== undefined)
      this.#headings = [...this.#headings.filter((heading) => heading.level < level), { level, entry }];
    // A row of Markdown starts with a bar; a row of a snapshot has bars between its cells.
    if (!/(^|[^\\])\|/.test(line)) this.#tableHead = [];
    else if (this.#tableHead.length === 0 || /^\|[ :|-]+\|$/.test(line))
      this.#tableHead = [...this.#tableHead.slice(0, 1), entry];
  }
}

/** Matching lines that are shown; the rest are counted. */
const MAX_SHOWN = 100;
/** Lines with text that are shown on either side of a matching line. */
const CONTEXT_LINES = 2;
/** UTF-16 units of a line that are shown on either side of its match. */
const EXCERPT = 240;

/**
 * Keeps the parts of a page that contain a text: lines with their context, or whole items. Case, runs of
 * white space and Markdown marks are ignored. Each match follows its headings and table head; `…` marks
 * omissions. It keeps only a few lines in memory.
 */
export class PageSearch {
  /** The text's possible forms: it may be copied from a line of Markdown, with its escapes. */
  readonly #wanted: readonly string[];
  /** The readings of a line: a match in any of them counts. */
  readonly #readings: readonly MarkPattern[];
  #searched = 0;
  #matches = 0;

  constructor(
    private readonly text: string,
    private readonly format: ReadFormat,
  ) {
    this.#readings = format === 'markdown' || format === 'snapshot' ? MARKED : [AS_WRITTEN];
    this.#wanted = [
      ...new Set([AS_WRITTEN, ...this.#readings.slice(0, 1)].map((reading) => readAs(reading, text))),
    ];
  }

  /** The payload with matching lines or items only. */
  readonly pick = (payload: CleanPayload): CleanPayload => {
    if (payload.kind === 'items') return { ...payload, items: this.#matchingItems(payload.items) };
    if (payload.kind === 'text') return { ...payload, chunks: this.#matchingLines(payload.chunks) };
    return payload;
  };

  /** Complete once the payload was consumed. */
  summarise(): string {
    const unit = this.format === 'nodes' ? 'items' : 'lines';
    const quoted = JSON.stringify(this.text);
    if (this.#matches === 0)
      return `find: none of ${this.#searched} ${unit} contains ${quoted}. Text that loads later or on scrolling needs a wait or a scroll first.`;
    const isCut = this.format !== 'nodes' && this.#matches > MAX_SHOWN;
    const rest = isCut ? ` The first ${MAX_SHOWN} are shown: search for more of the text.` : '';
    return `find: ${this.#matches} of ${this.#searched} ${unit} ${this.#matches === 1 ? 'contains' : 'contain'} ${quoted}.${rest}`;
  }

  /** For the state of the result. */
  counts(): { readonly matches: number; readonly searched: number } {
    return { matches: this.#matches, searched: this.#searched };
  }

  async *#matchingItems(items: AsyncIterable<CleanJson>): AsyncGenerator<CleanJson, void> {
    for await (const item of items) {
      this.#searched += 1;
      if (!this.#isIn(item)) continue;
      this.#matches += 1;
      yield item;
    }
  }

  #isIn(value: CleanJson): boolean {
    if (typeof value === 'string') return this.#includes(value);
    if (typeof value !== 'object' || value === null) return false;
    const parts: readonly (CleanJson | undefined)[] = Object.values(value);
    return parts.some((part) => part !== undefined && this.#isIn(part));
  }

  #includes(text: string): boolean {
    return this.#readings.some((reading) => {
      const read = readAs(reading, text);
      return this.#wanted.some((wanted) => read.includes(wanted));
    });
  }

  async *#matchingLines(chunks: AsyncIterable<CleanText>): AsyncGenerator<CleanText, void> {
    const place = new LinesAbove();
    let before: readonly NumberedLine[] = [];
    let after = 0;
    let lastShown = 0;
    for await (const line of splitStream(chunks)) {
      if (line.trim() === '') continue;
      const numbered = { at: ++this.#searched, line };
      const isMatch = this.#includes(line);
      if (isMatch) this.#matches += 1;
      if (isMatch && this.#matches <= MAX_SHOWN) {
        const shown = [...place.above(), ...before, numbered];
        for (const entry of inOrder(shown, lastShown)) {
          yield this.#write(entry, lastShown);
          lastShown = entry.at;
        }
        after = CONTEXT_LINES;
      } else if (after > 0) {
        after -= 1;
        yield this.#write(numbered, lastShown);
        lastShown = numbered.at;
      }
      place.pass(numbered);
      before = [...before, numbered].slice(-CONTEXT_LINES);
    }
    if (lastShown > 0 && lastShown < this.#searched) yield clean`…\n`;
  }

  #write({ at, line }: NumberedLine, lastShown: number): CleanText {
    const excerpt = this.#excerpt(line);
    return at === lastShown + 1 ? clean`${excerpt}\n` : clean`…\n${excerpt}\n`;
  }

  /** A long line is cut around its match. */
  #excerpt(line: CleanText): CleanText {
    if (line.length <= 2 * EXCERPT) return line;
    const match = this.#placeIn(line);
    const from = Math.max(0, match.start - EXCERPT);
    const to = match.end + EXCERPT;
    const part = sliceClean(line, from, to);
    if (from === 0) return clean`${part}…`;
    return to < line.length ? clean`…${part}…` : clean`…${part}`;
  }

  /** Place of the first match in a line; marks and white space may be within it. */
  #placeIn(line: string): { readonly start: number; readonly end: number } {
    for (const reading of this.#readings) {
      const { text, places } = withPlaces(reading, line);
      for (const wanted of this.#wanted) {
        const at = text.indexOf(wanted);
        if (at >= 0) return { start: places[at] ?? 0, end: (places[at + wanted.length - 1] ?? 0) + 1 };
      }
    }
    return { start: 0, end: 0 };
  }
}

/** An escaped sign. */
type MarkPattern = RegExp | null;

const AS_WRITTEN: MarkPattern = null;
/** Markdown with its marks, without them, and without what lowers a sign (`H_2O`). A backslash is left out where it escapes. */
const MARKED: readonly MarkPattern[] = [
  /\\([!-/:-@[-`{-~])/g,
  /\\([!-/:-@[-`{-~])|[*~`]/g,
  /\\([!-/:-@[-`{-~])|[*_~`]/g,
];

function readAs(reading: MarkPattern, text: string): string {
  const read = reading === null ? text : text.replaceAll(reading, '$1');
  return comparable(read);
}

/** A character with its accents. */
const CLUSTER = /[^]\p{M}*/gu;

/** The same, with the place in `line` of each of its characters; white space at the ends is kept. */
function withPlaces(
  reading: MarkPattern,
  line: string,
): { readonly text: string; readonly places: readonly number[] } {
  const left = new Set([...(reading === null ? [] : line.matchAll(reading))].map(({ index }) => index));
  let text = '';
  const places: number[] = [];
  for (const { 0: sign, index: at } of line.matchAll(CLUSTER)) {
    const isSpace = /\s/.test(sign);
    if (left.has(at) || (isSpace && text.endsWith(' '))) continue;
    const folded = isSpace ? ' ' : foldForms(sign).toLowerCase();
    text += folded;
    places.push(...Array.from({ length: folded.length }, () => at));
  }
  return { text, places };
}

/** Each line once, in the order of the page, without those already shown. */
function inOrder(lines: readonly NumberedLine[], lastShown: number): readonly NumberedLine[] {
  const byNumber = new Map(lines.map((entry) => [entry.at, entry]));
  return [...byNumber.values()].filter(({ at }) => at > lastShown).sort((a, b) => a.at - b.at);
}
