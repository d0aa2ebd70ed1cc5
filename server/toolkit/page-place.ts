import type { CleanText } from '../redact/clean.ts';

/** A line of a page and its number. */
export interface NumberedLine {
  readonly at: number;
  readonly line: CleanText;
}

/** Follows the lines of a page and knows the headings and the head of the table that the next one belongs to. */
export class Place {
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
