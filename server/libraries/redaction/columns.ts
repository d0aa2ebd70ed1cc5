import { isSample, isSecretField, keyMeaning, type KeyMeaning } from './weigh.ts';

/** Columns and cells, in whatever syntax a table is written. */

/** Words of tables about a secret that they do not show. */
const STATE =
  /^(?:(?:un)?set|(?:very )?(?:weak|strong)|medium|fair|good|expire[ds]|(?:in)?active|(?:in)?valid|(?:un)?supported|shown?|visible|(?:un)?changed?|never|always|reset|edit|copy|forgot(?:ten)?|only|encrypted|hashed|plain(?:text)?|blank|available|pending|sent|stored|saved|(?:un)?protected|varies|random(?:ly)?|(?:auto)?generated|automatic|manual|rotated?|revoked?|n\/a|vulnerable|common)$/i;

/**
 * A value whose column, or the cell next to it, names it. A table of data has nothing but values under a strong
 * name; one of a page may also say something about them, except that a word under a password is one.
 */
export function isSecretCell(value: string, meaning: KeyMeaning, isData: boolean): boolean {
  if (isSecretField(value, meaning)) return true;
  if (meaning.strength === 'weak' || (!isData && meaning.kind !== 'password')) return false;
  if (!(isData ? /^[^\s«]+$/ : /^[^\s«<>|]{4,256}$/).test(value)) return false;
  return keyMeaning(value) === null && !isSample(value) && !STATE.test(value);
}

const NAMES =
  /^(?:key|name|field|setting|parameter|param|property|variable|option|attribute|label|item|config)s?$/i;
const VALUES = /^val(?:ue)?s?$/i;

/** The names that the first row of a table gives to its columns. */
export class Columns {
  /** Those of a table without such a row. */
  static readonly NONE = new Columns([], -1, -1, false);

  private constructor(
    private readonly meanings: readonly (KeyMeaning | null)[],
    private readonly nameAt: number,
    private readonly valueAt: number,
    /** The first of two columns could as well be a name next to its value. */
    private readonly isDoubtful: boolean,
  ) {}

  /**
   * Null if no column is secret, nor has the names of the values in another.
   * @param isHead the row is known to be a head, not only the first
   */
  static of(names: readonly string[], isHead: boolean): Columns | null {
    const meanings = names.map((name) => {
      const meaning = keyMeaning(name);
      return meaning?.strength === 'strong' || meaning?.kind === 'pin' ? meaning : null;
    });
    const nameAt = names.findIndex((name) => NAMES.test(name));
    const valueAt = nameAt < 0 ? -1 : names.findIndex((name) => VALUES.test(name));
    if (valueAt < 0 && meanings.every((one) => one === null)) return null;
    return new Columns(meanings, nameAt, valueAt, !isHead && names.length === 2);
  }

  /** The meaning of a cell, by its column's name or by a name in the same row. */
  meaningAt(index: number, cells: readonly string[]): KeyMeaning | null {
    return index === this.valueAt ? keyMeaning(cells[this.nameAt] ?? '') : (this.meanings[index] ?? null);
  }

  /**
   * The kind of secret that a cell is, by its column or by the cell before it; or null.
   * @param cells of its row, up to it or all
   */
  kindAt(index: number, cells: readonly string[], isData: boolean): string | null {
    const value = cells[index] ?? '';
    const own = this.meaningAt(index, cells);
    const meaning = own ?? keyMeaning((cells[index - 1] ?? '').replace(/:$/, ''));
    if (meaning === null || value === '') return null;
    const isSecret =
      own === null || (this.isDoubtful && index === 0)
        ? isSecretField(value, meaning)
        : isSecretCell(value, meaning, isData);
    return isSecret ? meaning.kind : null;
  }
}

/** A table whose rows are lines. */
export interface Table {
  readonly columns: Columns;
  readonly separator: string;
  /** All rows have as many cells; null if they may have more or fewer. */
  readonly count: number | null;
  readonly isData: boolean;
}

const SPAN_MAX = 1_000;
const clampSpan = (span: number): number => (span >= 1 && span <= SPAN_MAX ? Math.floor(span) : 1);

/** Follows the cells of a table, in the order of the document, and names them by its first row. */
export class TableWalk {
  #columns = Columns.NONE;
  /** Texts of the cells of the row so far; a cell that spans columns has one in the first. */
  #cells: string[] = [];
  /** Rows that a cell of an earlier row still covers, by column. */
  #covered: number[] = [];
  #isHead = true;
  /** All cells of the row so far are heads. */
  #areHeads = true;
  /** The cell that is read. */
  #at = 0;

  /** A table begins. */
  table(): void {
    this.#columns = Columns.NONE;
    this.#cells = [];
    this.#covered = [];
    this.#isHead = true;
  }

  /** A row ends, or the next begins. Returns false if the table's columns have no secret names. */
  row(): boolean {
    // A single cell is a title.
    if (this.#isHead && this.#cells.length > 1) {
      this.#columns = Columns.of(this.#cells, this.#areHeads) ?? Columns.NONE;
      this.#isHead = false;
    }
    this.#cells = [];
    this.#areHeads = true;
    return this.#isHead || this.#columns !== Columns.NONE;
  }

  cell(isHead: boolean, columns: number, rows: number): void {
    this.#areHeads &&= isHead;
    while ((this.#covered[this.#cells.length] ?? 0) > 0) this.#skip();
    const [width, height] = [clampSpan(columns), clampSpan(rows)];
    for (let count = 0; count < width; count += 1) {
      this.#covered[this.#cells.length] = height - 1;
      this.#cells.push('');
    }
    this.#at = this.#cells.length - width;
  }
  #skip(): void {
    this.#covered[this.#cells.length] = (this.#covered[this.#cells.length] ?? 0) - 1;
    this.#cells.push('');
  }

  /** Reads text of the last cell; returns the kind of secret that it is, or null. */
  text(text: string): string | null {
    const before = this.#cells[this.#at] ?? '';
    this.#cells[this.#at] = before === '' ? text : `${before} ${text}`;
    return this.#columns.kindAt(this.#at, [...this.#cells.slice(0, this.#at), text], false);
  }
}
