import type { Atom, LineStyle } from './inline.ts';
import { Line } from './line.ts';

/** Receives lines: the page's output, or the text of a cell. */
export interface Sink {
  write(text: string): void;
}

/** A quote or list item: the prefix of its first line and of all others. */
interface Container {
  first: string | null;
  readonly rest: string;
}

/**
 * Turns blocks, text and inline marks into lines: delays anything that may turn out empty (markers, emphasis, blank
 * lines), and prefixes quotes and lists.
 */
export class Lines extends Line {
  readonly #sink: Sink;
  readonly #prefix: string;
  readonly #containers: Container[] = [];
  #heads: { line: string; depth: number }[] = [];
  #gap = 0;
  started: boolean;
  isLineOpen = false;
  /** Lines begun so far: unchanged if nothing was written in between. */
  count = 0;

  constructor(sink: Sink, style: LineStyle, prefix = '', follows = false) {
    super(style);
    this.#sink = sink;
    this.#prefix = prefix;
    this.started = follows;
    this.#gap = follows ? 2 : 0;
  }

  /** A block begins or ends: the next text is `gap` lines further down (2: a blank line between). */
  block(gap: number): void {
    if (this.isLineOpen) this.endLine();
    this.blanks = '';
    const inner = this.#containers.at(-1);
    // The first block of a list item is on the line of its marker.
    if (inner !== undefined && inner.first !== null && this.#gap > 0) return;
    if (gap > this.#gap) this.#gap = gap;
  }

  /** Overrides the requested distance: list items are close together. */
  closeUp(gap: number): void {
    if (this.isLineOpen) this.endLine();
    this.#gap = gap;
  }

  endLine(): void {
    const { lineBreak, joiner } = this.style;
    const text = this.take(joiner === null ? `${lineBreak ?? ''}\n${this.linePrefix()}` : (lineBreak ?? ''));
    if (text !== '') this.#sink.write(text);
    this.isLineOpen = false;
  }

  protected override add(kind: Atom['kind'], data: string): void {
    if (!this.isLineOpen) this.#openLine();
    super.add(kind, data);
  }

  /** Preformatted text within the line, without trailing spaces. */
  rawText(text: string): void {
    const shown = text.trimEnd();
    this.raw(shown);
    this.blanks += text.slice(shown.length);
  }

  /** Whole lines unchanged, each with its prefix. */
  rawLines(lines: readonly string[]): void {
    if (this.style.joiner !== null) return this.raw(lines.join(' '));
    lines.forEach((line, i) => {
      if (i === 0) this.#openLine();
      else this.#sink.write(line === '' ? `\n${this.linePrefix().trimEnd()}` : `\n${this.linePrefix()}`);
      this.#sink.write(line);
    });
    this.isLineOpen = true;
    this.endLine();
  }

  lineBreak(): void {
    if (!this.isLineOpen) return;
    this.hasSpace = false;
    if (this.style.lineBreak === null) this.endLine();
    else this.breaks += 1;
  }

  push(first: string, rest: string): void {
    this.#containers.push({ first, rest });
  }

  pop(): void {
    if (this.isLineOpen) this.endLine();
    this.#containers.pop();
  }

  /** A line that is written only if text follows. */
  head(line: string): void {
    this.block(2);
    this.#heads.push({ line, depth: this.#containers.length });
  }

  /** Ends {@link head}. False if no text came, so that the line was not written. */
  tail(): boolean {
    this.block(2);
    return this.#heads.pop() === undefined;
  }

  /** Something else was written in between: the next text is separated from it. */
  resume(): void {
    this.started = true;
    this.#gap = 2;
  }

  #openLine(): void {
    if (this.style.joiner !== null) {
      if (this.started) this.#sink.write(this.style.joiner);
      this.#sink.write(this.#pendingMarkers());
    } else {
      this.#openHeads();
      if (this.started) this.#breakLines();
      this.#sink.write(this.#firstPrefix());
    }
    this.started = true;
    this.count += 1;
    this.#gap = 0;
    this.isLineOpen = true;
    this.hasSpace = false;
  }

  #breakLines(): void {
    this.#sink.write(this.#gap > 1 ? `\n${this.#blankPrefix()}\n` : '\n');
  }

  #openHeads(): void {
    const heads = this.#heads;
    if (heads.length === 0) return;
    this.#heads = [];
    for (const head of heads) {
      if (this.started) this.#breakLines();
      this.#sink.write(this.#firstPrefix(head.depth) + head.line);
      this.started = true;
      this.#gap = 2;
    }
  }

  #firstPrefix(depth = this.#containers.length): string {
    let prefix = this.#prefix;
    for (const container of this.#containers.slice(0, depth)) {
      prefix += container.first ?? container.rest;
      container.first = null;
    }
    return prefix;
  }

  linePrefix(): string {
    let prefix = this.#prefix;
    for (const container of this.#containers) prefix += container.rest;
    return prefix;
  }

  /** A cell has no further lines to indent, only markers. */
  #pendingMarkers(): string {
    let markers = '';
    for (const container of this.#containers) {
      markers += container.first ?? '';
      container.first = null;
    }
    return markers;
  }

  /** A blank line belongs to the quotes that have begun. */
  #blankPrefix(): string {
    let prefix = this.#prefix;
    for (const container of this.#containers) {
      if (container.first !== null) break;
      prefix += container.rest;
    }
    return prefix.trimEnd();
  }
}
