import { cut } from '../../../../shared/base/cut.ts';
import type { FrameMark } from '../../../core/page/protocol.ts';
import { Out, LinePlaces, type LinePlace } from './out.ts';
import { InteractiveLines, tokensOfLine, type PlacedLine } from './snapshot-line.ts';

interface LineOptions {
  readonly include_links: boolean;
  readonly include_hidden: boolean;
  readonly interactive_only: boolean;
}

/** The last snapshot of a document that a session saw. */
export interface ShownSnapshot {
  readonly lines: readonly string[];
  readonly options: LineOptions;
  /** The reading reached the end of the document. */
  readonly isWhole: boolean;
  /** False if it was taken only for a comparison after an act. */
  readonly isShown: boolean;
  /** The session has seen every change since the last whole reading. */
  readonly isTold: boolean;
  /** The document is too long to be compared whole. */
  readonly isCut: boolean;
}

/** Longest text kept of one document for all sessions, in UTF-16 code units. */
const MAX_UNITS = 2_000_000;
const MAX_VIEWERS = 16;

/**
 * The lines of this document that each session saw last. The session that read it longest ago is forgotten first, and
 * only the beginning of an overlong page is kept.
 */
export class ShownSnapshots {
  readonly #byViewer = new Map<string, ShownSnapshot & { readonly units: number }>();

  get(viewer: string): ShownSnapshot | null {
    return this.#byViewer.get(viewer) ?? null;
  }

  set(viewer: string, shown: ShownSnapshot): void {
    this.#byViewer.delete(viewer);
    this.#byViewer.set(viewer, boundLines(shown));
    this.#evict();
  }

  /** A comparison did not show all changes. */
  miss(viewer: string): void {
    const shown = this.#byViewer.get(viewer);
    if (shown !== undefined) this.#byViewer.set(viewer, { ...shown, isTold: false });
  }

  #evict(): void {
    let units = 0;
    for (const shown of this.#byViewer.values()) units += shown.units;
    for (const [viewer, shown] of this.#byViewer) {
      if (units <= MAX_UNITS && this.#byViewer.size <= MAX_VIEWERS) return;
      units -= shown.units;
      this.#byViewer.delete(viewer);
    }
  }
}

function boundLines(shown: ShownSnapshot): ShownSnapshot & { readonly units: number } {
  let units = 0;
  const end = shown.lines.findIndex(({ length }) => (units += length + 1) > MAX_UNITS);
  if (end === -1) return { ...shown, units };
  return { ...shown, lines: shown.lines.slice(0, end), isWhole: false, isCut: true, units: MAX_UNITS };
}

export type SnapshotPiece = PlacedLine | FrameMark;

export const isMark = (piece: SnapshotPiece): piece is FrameMark => 'path' in piece;

export const FRAME_LINE = '@frame at ';

interface SnapshotOutOptions {
  readonly pieceUnits: number;
  /** Tokens that may be written; null for any number. */
  readonly budget: number | null;
  /** The page's whole budget: frames get what is left of it. */
  readonly pageBudget: number;
  readonly interactiveOnly: boolean;
  /** Keeps all lines back until {@link SnapshotOut.release}. */
  readonly isHeld: boolean;
  /** Lines of the first element that were read before. */
  readonly skip: LinePlace | null;
}

/** A line that needs a larger share of the page's budget is cut: no later reading would have room for it. */
const MAX_OF_BUDGET = 0.8;
/** With less room, a line is left for the next reading instead of being cut. */
const MIN_OF_LINE = 20;

/**
 * Receives the lines of a snapshot as they are written. Stops at the first line beyond the budget, and reports where it
 * began. With a budget it also waits at each frame with its own script, since the frame's tokens reduce the rest.
 */
export class SnapshotOut extends Out {
  readonly places = new LinePlaces();
  /** All written lines that are wanted. */
  readonly lines: string[] = [];
  readonly #filter: InteractiveLines | null;
  readonly #queue: SnapshotPiece[] = [];
  #isHeld: boolean;
  #budget: number;
  #filtered = 0;
  /** UTF-16 code units of the held text. */
  heldUnits = 0;
  #spent = 0;
  #skip: LinePlace | null;
  /** Where the first unwritten line begins; null if there is none. */
  left: LinePlace | null = null;
  isFull = false;
  isPaused = false;

  constructor(private readonly options: SnapshotOutOptions) {
    super(options.pieceUnits);
    this.#filter = options.interactiveOnly ? new InteractiveLines() : null;
    this.#isHeld = options.isHeld;
    this.#budget = options.budget ?? Infinity;
    this.#skip = options.skip;
  }

  override line(written: string): void {
    const place = this.places.line;
    for (const text of written.includes('\n') ? written.split('\n') : [written])
      if (!this.isFull && !this.#isRead(place)) this.#add({ text, place });
  }

  override mark(frame: FrameMark): void {
    if (this.isFull) return;
    this.flushFilter();
    this.#put(frame);
  }

  /** Takes everything held, and holds nothing from now on. */
  release(): SnapshotPiece[] {
    this.flushFilter();
    this.#isHeld = false;
    return this.#queue.splice(0);
  }

  /** Writes pieces in order, as far as the budget allows. */
  queue(pieces: readonly SnapshotPiece[]): void {
    for (const piece of pieces) this.#queue.push(piece);
    this.drain();
  }

  /** Continues after a frame that was waited for. */
  drain(): void {
    while (!this.isPaused && !this.isFull) {
      const piece = this.#queue.shift();
      if (piece === undefined) return;
      this.#emit(piece);
    }
    if (this.isFull) this.#queue.length = 0;
  }

  /** The queue is empty, or the budget is spent. */
  get isDrained(): boolean {
    return this.#queue.length === 0 || this.isFull;
  }

  /** Continues after a frame. @param budget the tokens that it has left */
  resume(budget: number): void {
    this.isPaused = false;
    this.#budget = budget;
  }

  /** Tokens written since the last call. */
  takeSpent(): number {
    const spent = this.#spent;
    this.#spent = 0;
    return Math.ceil(spent);
  }

  #isRead(place: LinePlace | null): boolean {
    const skip = this.#skip;
    if (skip === null || place?.el !== skip.el) return false;
    if (place.lines < skip.lines) return true;
    this.#skip = null;
    return false;
  }

  #add(line: PlacedLine): void {
    if (this.#filter === null) return this.#put(line);
    this.#filtered += this.#filter.add(line);
    if (this.#isHeld || this.#filtered <= this.#budget) return;
    this.flushFilter();
  }

  /** Writes what the filter has kept back. */
  flushFilter(): void {
    const lines = this.#filter?.take() ?? [];
    this.#filtered = 0;
    for (const line of lines) this.#put(line);
  }

  #put(piece: SnapshotPiece): void {
    if (this.#isHeld) {
      this.#queue.push(piece);
      this.heldUnits += isMark(piece) ? 0 : piece.text.length;
    } else if (!this.isFull) this.#emit(piece);
  }

  #emit(piece: SnapshotPiece): void {
    if (isMark(piece)) {
      this.lines.push(`${FRAME_LINE}${piece.src}`);
      super.mark(piece);
      this.isPaused = this.options.budget !== null;
    } else this.#line(piece);
  }

  #line({ text, place }: PlacedLine): void {
    if (this.options.budget === null) return this.#say(text, text, 0);
    const tokens = tokensOfLine(text);
    if (tokens <= this.#budget) return this.#say(text, text, tokens);
    const isLong = tokens > this.options.pageBudget * MAX_OF_BUDGET;
    if (isLong && this.#budget >= MIN_OF_LINE)
      return this.#say(text, this.#beginning(text, tokens), this.#budget);
    this.isFull = true;
    this.left = place;
  }

  #beginning(text: string, tokens: number): string {
    let units = Math.floor((text.length * this.#budget) / tokens);
    let beginning = cut(text, units);
    while (units > 1 && tokensOfLine(beginning) > this.#budget) {
      units = Math.floor(units * 0.9);
      beginning = cut(text, units);
    }
    return beginning;
  }

  #say(line: string, shown: string, tokens: number): void {
    this.lines.push(line);
    this.#budget -= tokens;
    this.#spent += tokens;
    super.line(shown);
  }
}
