import { wayTo } from '../../dom/trees.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import type { FilledFields } from '../../act/page/controls.ts';
import {
  PART_UNITS,
  SHARED_REGION,
  type ReadContext,
  type SnapshotLeft,
  type SnapshotReport,
} from '../../core/page/protocol.ts';
import type { Refs } from '../../dom/refs.ts';
import { countAdded, describeChanges, type ChangeLine, firstRef } from './write/snapshot-changes.ts';
import {
  type ShownSnapshot,
  type ShownSnapshots,
  FRAME_LINE,
  SnapshotOut,
  isMark,
  type SnapshotPiece,
} from './write/snapshot-out.ts';
import type { Range } from './range.ts';

function shareBefore(el: Element): number {
  const all = document.getElementsByTagName('*');
  // The host or frame in this document around it.
  const target = wayTo(el).findLast((at) => at.getRootNode() === document);
  let at = 0;
  while (at < all.length && all.item(at) !== target) at += 1;
  return all.length === 0 ? 0 : at / all.length;
}

/** Longest text that is walked for a comparison, in UTF-16 code units: no more is remembered. */
const MAX_COMPARED_UNITS = 2_000_000;

function baseOf(options: ReadPageOptions, shown: ShownSnapshot | null): ShownSnapshot | null {
  if (shown === null || options.diff !== true) return null;
  if (!shown.isShown && options.purpose !== 'receipt') return null;
  // An act changes more than a reading of controls alone shows.
  if (options.purpose !== undefined && shown.options.interactive_only) return null;
  const isOther = LINE_OPTIONS.some((name) => options[name] === true && !shown.options[name]);
  return isOther ? null : shown;
}

const LINE_OPTIONS = ['include_links', 'include_hidden', 'interactive_only'] as const;

interface SnapshotReader {
  readonly context: ReadContext;
  /** The session that sees it; empty for none. */
  readonly viewer: string;
  readonly shown: ShownSnapshots;
  readonly filled: FilledFields;
  readonly refs: Refs;
  readonly range: Range;
}

/**
 * One snapshot of one document within a budget, compared with the last one that the session saw. A comparison reads
 * with the same options, walks the whole document and limits its own length.
 */
export class SnapshotReading {
  readonly out: SnapshotOut;
  /** The options, completed by those of the previous snapshot. */
  readonly options: ReadPageOptions;
  readonly #reader: SnapshotReader;
  readonly #base: ShownSnapshot | null;
  readonly #isDiff: boolean;
  #hasEnded = false;
  #isCut = false;

  constructor(options: ReadPageOptions, reader: SnapshotReader) {
    const { context, viewer, shown, range } = reader;
    this.#reader = reader;
    this.#isDiff = options.diff === true;
    this.#base = baseOf(options, shown.get(viewer));
    this.options = { ...options, ...this.#base?.options };
    this.out = new SnapshotOut({
      pieceUnits: PART_UNITS,
      budget: context.budget,
      pageBudget: options.budget ?? Infinity,
      interactiveOnly: this.options.interactive_only === true,
      isHeld: this.#isDiff,
      skip: range.from,
    });
  }

  /** The page need not be read: the session has a snapshot to compare with. */
  get isKnown(): boolean {
    const shown = this.#reader.shown.get(this.#reader.viewer);
    if (!this.#isBaseline || shown === null || shown.options.interactive_only) return false;
    return shown.isWhole || shown.isCut;
  }

  get #isBaseline(): boolean {
    return this.options.purpose === 'baseline';
  }

  /** The walk may pause. */
  get isFull(): boolean {
    if (this.#isDiff) return (this.#isCut ||= this.out.heldUnits > MAX_COMPARED_UNITS);
    return this.out.isFull || this.out.isPaused;
  }

  get isOver(): boolean {
    return this.#isDiff ? this.#isCut : this.out.isFull;
  }

  resume(budget: number): void {
    this.out.resume(budget);
    if (this.#hasEnded) this.out.drain();
  }

  end(): void {
    this.#hasEnded = true;
    if (!this.#isDiff) {
      this.out.flushFilter();
      this.#remember(this.out.lines, !this.out.isFull);
      return;
    }
    const pieces = this.out.release();
    const lines = pieces.map((piece) => (isMark(piece) ? `${FRAME_LINE}${piece.src}` : piece.text));
    if (this.#isBaseline) this.out.queue(sharedOf(pieces));
    else this.out.queue(this.isCompared ? this.#changes(lines, pieces) : pieces);
    this.#remember(this.#isBaseline ? this.#completed(lines) : lines, !this.#isCut);
  }

  /** The lines shown to the session, and those beyond its budget: after an act both are compared. */
  #completed(lines: readonly string[]): readonly string[] {
    const { lines: known } = this.#base ?? { lines: [] };
    return [...known, ...lines.slice(lines.length - countAdded(known, lines))];
  }

  /** A frame follows its page. */
  get isCompared(): boolean {
    if (!this.#isDiff) return false;
    return this.#reader.context.isTop ? this.#base !== null : this.#reader.context.isCompared;
  }

  /** The lines of a complete comparison: the ones it omits are unchanged, so their refs are shown again. */
  get shownAgain(): readonly string[] {
    const base = this.isCompared && !this.#isBaseline && !this.out.isFull ? this.#base : null;
    return base?.isTold === true ? base.lines : [];
  }

  get report(): SnapshotReport {
    const isOpen = this.#reader.context.isTop ? this.#base?.isWhole === false : this.#reader.context.isOpen;
    return { tokens: this.out.takeSpent(), isCompared: this.isCompared, isOpen };
  }

  left(): SnapshotLeft | null {
    if (!this.out.isFull) return null;
    const { left } = this.out;
    if (this.isCompared) this.#reader.shown.miss(this.#reader.viewer);
    if (left === null) return { ref: null, share: 1 };
    const from = this.#reader.refs.of(left.el);
    return {
      ref: left.lines === 0 ? `${from}..` : `${from}+${left.lines}..`,
      share: 1 - shareBefore(left.el),
    };
  }

  #changes(lines: readonly string[], pieces: readonly SnapshotPiece[]): SnapshotPiece[] {
    const base = this.#base ?? { lines: [], isWhole: !this.#reader.context.isOpen };
    const before = this.options.purpose === 'receipt' ? this.#withFilled(base.lines, lines) : base.lines;
    const changes = describeChanges(before.map(withoutFocus), lines.map(withoutFocus), !base.isWhole);
    return withFrames(changes, pieces);
  }

  /** The earlier lines, as if the fields that the act filled already had their values. */
  #withFilled(before: readonly string[], now: readonly string[]): readonly string[] {
    const filled = this.#reader.filled.take(this.#reader.refs);
    if (filled.size === 0) return before;
    const set = new Map(
      now.map((line) => [firstRef(line), line] as const).filter(([ref]) => filled.has(ref)),
    );
    return before.map((line) => set.get(firstRef(line)) ?? line);
  }

  /** The next snapshot is not compared with a reading of a part. */
  #remember(lines: readonly string[], isWhole: boolean): void {
    const { options } = this;
    const { include_links, include_hidden, interactive_only = false } = options;
    const isPart = (options.selector ?? options.ref ?? null) !== null || options.main_content_only;
    if (isPart || this.#reader.viewer === '') return;
    const isShown = this.#base?.isShown ?? !this.#isBaseline;
    this.#reader.shown.set(this.#reader.viewer, {
      lines,
      options: { include_links, include_hidden, interactive_only },
      isWhole,
      isShown,
      isTold: !this.isCompared || this.#base?.isTold !== false,
      isCut: this.#isCut,
    });
  }
}

/** Frames, and the regions that the next page may repeat. */
function sharedOf(pieces: readonly SnapshotPiece[]): SnapshotPiece[] {
  let isShared = false;
  return pieces.filter((piece) => {
    if (isMark(piece)) return true;
    if (piece.text.startsWith('@')) isShared = SHARED_REGION.test(piece.text);
    return isShared;
  });
}

const STATES = /^((?:f\d+)*e\d+ [a-z ]+)\[([^\]]*)\]( ?)/;

/** The focus follows the act: its change means nothing for the page. */
function withoutFocus(line: string): string {
  if (!line.includes('focused')) return line;
  return line.replace(STATES, (_, head: string, states: string, blank: string) => {
    const kept = states.split(', ').filter((state) => state !== 'focused');
    return kept.length === 0 ? head : `${head}[${kept.join(', ')}]${blank}`;
  });
}

/** Inserts frames among the changes, so that their own changes come there. */
function withFrames(changes: readonly ChangeLine[], pieces: readonly SnapshotPiece[]): SnapshotPiece[] {
  const result: SnapshotPiece[] = [];
  let next = 0;
  const passFrames = (until: number): void => {
    for (; next < until; next += 1) {
      const piece = pieces[next];
      if (piece !== undefined && isMark(piece)) result.push(piece);
    }
  };
  for (const { text, at } of changes) {
    passFrames(at);
    const piece = pieces[at];
    // An added frame lists its own content.
    if (piece === undefined || !isMark(piece)) result.push({ text, place: piece?.place ?? null });
  }
  passFrames(pieces.length);
  return result;
}
