/*
 * Parsing time grows with the text, for some texts faster than linearly: a long document is parsed and shown in
 * self-contained parts.
 */

const PART_UNITS = 12_000;
/** A part ends here even within a paragraph. */
const MOST_UNITS = 16_000;
/** Containers (quotes, lists) that may begin on one line; deeper ones are text. */
const MOST_CONTAINERS = 16;

const FENCE = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})/;
const DELIMITERS = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const CONTAINERS = new RegExp(
  `^((?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MOST_CONTAINERS}})(?=[ \\t]*(?:[>*+-]|\\d))`,
);

/** The parts of a document in order, without loss. */
export function partsOf(text: string): readonly string[] {
  if (text.length <= PART_UNITS) return [flatten(text)];
  const splitter = new Splitter();
  for (const line of text.split('\n')) splitter.add(line);
  return splitter.end();
}

const flatten = (text: string): string => text.split('\n').map(flattenLine).join('\n');
const flattenLine = (line: string): string => line.replace(CONTAINERS, '$1\\');

class Splitter {
  readonly #parts: string[] = [];
  #lines: string[] = [];
  #units = 0;
  /** The fence around the current line. */
  #fence: string | null = null;
  /** The first two lines of the current block: a table's head, if it is one. */
  #block: string[] = [];

  add(line: string): void {
    for (let at = 0; at === 0 || at < line.length; at += MOST_UNITS)
      this.#addLine(flattenLine(line.slice(at, at + MOST_UNITS)));
  }

  end(): readonly string[] {
    if (this.#lines.length > 0) this.#parts.push(this.#lines.join('\n'));
    return this.#parts;
  }

  #addLine(line: string): void {
    const isBlank = line.trim() === '';
    const isBreak = this.#fence === null && (isBlank || /^#{1,6}\s/.test(line));
    if (this.#units + line.length > MOST_UNITS) this.#cut();
    else if (this.#units >= PART_UNITS && isBreak) this.#cut();
    if (isBlank) this.#block = [];
    else if (this.#block.length < 2) this.#block.push(line);
    this.#followFence(line);
    this.#lines.push(line);
    this.#units += line.length + 1;
  }

  #followFence(line: string): void {
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) return;
    if (this.#fence === null) this.#fence = fence;
    else if (fence[0] === this.#fence[0] && fence.length >= this.#fence.length) this.#fence = null;
  }

  /** Begins a part. A fence or table that is split has its beginning in both. */
  #cut(): void {
    if (this.#lines.length === 0) return;
    const [head, delimiters] = this.#block;
    const isTable = head !== undefined && delimiters !== undefined && DELIMITERS.test(delimiters);
    if (this.#fence !== null) this.#lines.push(this.#fence);
    this.#parts.push(this.#lines.join('\n'));
    this.#lines = this.#fence !== null ? [this.#fence] : isTable ? [head, delimiters] : [];
    this.#units = 0;
  }
}
