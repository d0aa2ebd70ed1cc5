import { Columns, type Table } from './columns.ts';
import { isSecretNamed } from './weigh.ts';
import { execAt, type Span } from './tally.ts';

/** Statements that name columns in one line, before their values in that or the next ones. */

const BEGINNING = /\b(?:(?:insert|replace)\b[^;\n()]{0,40}\binto\b|copy[ \t]+[\w."]{1,80}[ \t]*\()/i;
/** From `INSERT INTO` to `VALUES`, or from `COPY` to `FROM stdin`. */
const NAMED =
  /^[^();]{1,200}\((?<names>[^()';]{3,4000})\)\s{0,80}(?:(?:overriding \w+ value\s+)?values?\b|(?<copy>from\s+stdin\b[^;]{0,80};))/i;
const STATEMENT_UNITS = 4_400;

const STRING = `'(?:[^'\\\\]|\\\\.|'')*'|"(?:[^"\\\\]|\\\\.)*"`;
const INNER = `${STRING}|[^()'"]`;
/** The values of a row, among them calls; or the end of the statement. */
const TUPLE = new RegExp(`\\((?<cells>(?:${INNER}|\\((?:${INNER})*\\))*)\\)|;`, 'g');
const CELL = new RegExp(`(?:${STRING}|\\((?:${INNER})*\\)|[^,()'"])+`, 'g');
const QUOTED = /^(?:[EN]?'(?<single>.*)'|"(?<double>.*)")$/s;

/** Follows statements from line to line. */
export class Inserts {
  /** A statement whose columns have not all been named. */
  #begun = '';
  #columns: Columns | null = null;

  /** The next line may continue a statement. */
  get isOpen(): boolean {
    return this.#begun !== '' || this.#columns !== null;
  }

  /** Finds the secrets of a line. Returns the table that follows a `COPY`, or null. */
  find(line: string, at: number, found: Span[]): Table | null {
    const done = this.#columns === null ? this.#begin(line) : 0;
    if (typeof done !== 'number') return done;
    if (this.#columns !== null) this.#rows(this.#columns, line, { at, done }, found);
    return null;
  }

  /** Reads the names; returns where the values begin in the line, or the table that follows. */
  #begin(line: string): number | Table | null {
    const all = this.#begun + line;
    const start = this.#begun === '' ? (BEGINNING.exec(all)?.index ?? -1) : 0;
    this.#begun = '';
    if (start < 0) return null;
    const statement = all.slice(start, start + STATEMENT_UNITS);
    const named = NAMED.exec(statement);
    if (named === null) {
      if (!statement.includes(';') && statement.length < STATEMENT_UNITS) this.#begun = statement;
      return null;
    }
    const names = (named.groups?.['names'] ?? '').split(',').map((name) => name.replaceAll(/["`[\]\s]/g, ''));
    const columns = Columns.of(names, true);
    if (named.groups?.['copy'] !== undefined)
      return columns === null ? null : { columns, separator: '\t', count: names.length, isData: true };
    this.#columns = columns;
    return start + named[0].length - (all.length - line.length);
  }

  #rows(
    columns: Columns,
    line: string,
    { at, done }: { readonly at: number; readonly done: number },
    found: Span[],
  ): void {
    for (let hit = execAt(TUPLE, line, done); hit !== null; hit = TUPLE.exec(line)) {
      const { cells } = hit.groups ?? {};
      if (cells === undefined) {
        this.#columns = null;
        return;
      }
      const values: string[] = [];
      for (let cell = execAt(CELL, cells, 0); cell !== null; cell = CELL.exec(cells)) {
        const bare = cell[0].trim();
        const { single, double } = QUOTED.exec(bare)?.groups ?? {};
        const value = single ?? double ?? bare;
        const meaning = columns.meaningAt(values.length, values);
        const start = at + hit.index + 1 + cell.index + cell[0].indexOf(value);
        if (meaning !== null && isSecretNamed(value, meaning))
          found.push({ start, end: start + value.length, kind: meaning.kind });
        values.push(value);
      }
    }
  }
}
