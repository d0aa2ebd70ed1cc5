/** What decides which lines there are. */
export interface LineOptions {
  readonly include_links: boolean;
  readonly include_hidden: boolean;
  readonly interactive_only: boolean;
}

/** The last snapshot of a document that a session was shown. */
export interface ShownSnapshot {
  readonly lines: readonly string[];
  readonly options: LineOptions;
  /** The reading came to the end of the document. */
  readonly isWhole: boolean;
  /** False for one that was taken only to be compared with after an act. */
  readonly isShown: boolean;
  /** The session has seen every change since the last whole reading. */
  readonly isTold: boolean;
  /** The document is too long: not all of it is ever compared. */
  readonly isCut: boolean;
}

/** Text that is kept of one document for all who read it, in UTF-16 code units. */
const MOST_UNITS = 2_000_000;
const MOST_VIEWERS = 16;

const unitsOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length + 1, 0);

/**
 * The lines that each session was shown last of this document. The session that read it longest ago is forgotten first, and
 * of a page that is too long the beginning is kept.
 */
export class ShownSnapshots {
  readonly #byViewer = new Map<string, ShownSnapshot & { readonly units: number }>();

  get(viewer: string): ShownSnapshot | null {
    return this.#byViewer.get(viewer) ?? null;
  }

  set(viewer: string, shown: ShownSnapshot): void {
    this.#byViewer.delete(viewer);
    const bounded = boundLines(shown);
    this.#byViewer.set(viewer, { ...bounded, units: unitsOf(bounded.lines) });
    this.#evict();
  }

  /** A comparison did not tell all. */
  miss(viewer: string): void {
    const shown = this.#byViewer.get(viewer);
    if (shown !== undefined) this.#byViewer.set(viewer, { ...shown, isTold: false });
  }

  #evict(): void {
    let units = 0;
    for (const shown of this.#byViewer.values()) units += shown.units;
    for (const [viewer, shown] of this.#byViewer) {
      if (units <= MOST_UNITS && this.#byViewer.size <= MOST_VIEWERS) return;
      units -= shown.units;
      this.#byViewer.delete(viewer);
    }
  }
}

function boundLines(shown: ShownSnapshot): ShownSnapshot {
  let units = 0;
  const end = shown.lines.findIndex(({ length }) => (units += length + 1) > MOST_UNITS);
  return end === -1 ? shown : { ...shown, lines: shown.lines.slice(0, end), isWhole: false, isCut: true };
}
