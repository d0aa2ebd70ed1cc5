/** What a part of a page shows of its rows. */
export interface RowsInView {
  /** How far below the top of the window there are rows without a gap, in pixels. */
  readonly bottom: number;
  /** Share of the window's height that texts fill. */
  readonly filled: number;
  /** Share of the texts that differ from one another: placeholders repeat themselves. */
  readonly distinct: number;
}

/** A window of a list that holds only the rows in view. */
export interface SeenWindow {
  /** What the list contains, to tell whether it changes. */
  readonly content: string;
  readonly rows: RowsInView;
}

/** Windows that were complete at once, until the next ones are taken to be. */
const PROOFS = 3;
const MOST_PROOFS = 48;
/** Of what the poorest complete window showed. */
const LIKENESS = 0.9;
/** Looks, one a frame, without a change: rows may come 300 ms after the scrolling. */
const LONG_LOOKS = 22;
/** The same for a list whose rows came late, and are there now. */
const ARRIVED_LOOKS = 6;

/**
 * How soon a list that holds only the rows in view has drawn a window. The first windows are watched for as
 * long as rows may take. A list whose windows never changed any more is then read as soon as a window
 * looks like those; as soon as one changes after all, it is watched again.
 */
export class ScrollPace {
  #proofs = 0;
  #needed = PROOFS;
  /** What the last window contained when it was first answered. */
  #answered: string | null = null;
  /** What the list contained before the last step. */
  #before: string | null = null;
  #poorest: Pick<RowsInView, 'filled' | 'distinct'> | null = null;

  /**
   * Judges the last window before the next step.
   * @returns whether it may be left: a window that was taken to be complete and changed has to be read again
   */
  leave({ content, rows }: SeenWindow): boolean {
    const wasPrompt = this.#proofs >= this.#needed;
    if (this.#answered !== null && this.#answered !== content) {
      this.#proofs = 0;
      this.#needed = Math.min(MOST_PROOFS, 2 * this.#needed);
      this.#answered = null;
      if (wasPrompt) return false;
    } else if (this.#answered !== null) this.#proofs += 1;
    this.#poorest = {
      filled: Math.min(this.#poorest?.filled ?? 1, rows.filled),
      distinct: Math.min(this.#poorest?.distinct ?? 1, rows.distinct),
    };
    this.#before = content;
    this.#answered = null;
    return true;
  }

  /** Whether a window needs no further look. */
  isComplete(seen: SeenWindow): boolean {
    return this.#proofs >= this.#needed && seen.content !== this.#before && this.#isUsual(seen);
  }

  /** Takes note of a window's first answer. */
  answer({ content }: SeenWindow): void {
    this.#answered = content;
  }

  /** How many looks without a change mean that a window is complete. */
  looksToRest(seen: SeenWindow): number {
    if (this.isComplete(seen)) return 0;
    const hasArrived = this.#answered !== null && seen.content !== this.#answered && this.#isUsual(seen);
    return hasArrived ? ARRIVED_LOOKS : LONG_LOOKS;
  }

  #isUsual({ rows }: SeenWindow): boolean {
    return (
      this.#poorest !== null &&
      rows.filled >= LIKENESS * this.#poorest.filled &&
      rows.distinct >= LIKENESS * this.#poorest.distinct
    );
  }
}
