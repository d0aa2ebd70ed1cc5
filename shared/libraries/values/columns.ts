/** Clues of one value to how the others of its field are written. */
export const SIGNS = ['day_first', 'month_first', 'bracketed', 'bare'] as const;
export type Sign = (typeof SIGNS)[number];

/** How the values of one field are written, over all records and pages of a call or run. */
export interface Column {
  has(sign: Sign): boolean;
  note(sign: Sign): void;
  /** Notes that a value can only be read with its column. */
  ask(): void;
}

/** Nothing is known about other values. */
export const NO_COLUMN: Column = { has: () => false, note: () => undefined, ask: () => undefined };

/** For whether a value fits at all: its order may be any. */
export const ANY_COLUMN: Column = {
  ...NO_COLUMN,
  has: (sign) => sign === 'day_first',
};

/** Paths within lists differ by number only. */
export const pathOf = (field: string): string => field.replace(/\/\d+(?=\/|$)/g, '/*');

/** The columns of a call or run. Values are read twice: first to note how they are written. */
export class Columns {
  readonly #signs = new Map<string, Set<Sign>>();
  #isAsked = false;

  /** Whether a value so far can only be read with the others. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** @param path a JSON pointer below the record */
  at(path: string): Column {
    const key = pathOf(path);
    const signs = this.#signs.get(key) ?? new Set<Sign>();
    this.#signs.set(key, signs);
    return {
      has: (sign) => signs.has(sign),
      note: (sign) => void signs.add(sign),
      ask: () => {
        this.#isAsked = true;
      },
    };
  }

  /** Stored next to the items, so that a resumed run reads its other pages alike. */
  save(): [string, string[]][] {
    return [...this.#signs].map(([path, signs]) => [path, [...signs]]);
  }

  restore(saved: readonly (readonly [string, readonly Sign[]])[]): void {
    for (const [path, signs] of saved) this.#signs.set(path, new Set(signs));
  }
}
