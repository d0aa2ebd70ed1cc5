import { writeInline, type Atom, type LineStyle, type Mark } from './inline.ts';

/** Receives lines: the page's output, or the text of a cell. */
export interface Sink {
  write(text: string): void;
}

/** A quote or list item: the prefix of its first line and of all others. */
interface Container {
  first: string | null;
  readonly rest: string;
}

/** An open mark. */
interface OpenMark {
  readonly mark: Mark;
  /** Emphasis continues after a block boundary; a link does not. */
  readonly again: boolean;
  /** Emphasis inside the same emphasis, or a link inside a link, is not written again. */
  readonly isIdle: boolean;
  isUsed: boolean;
  isSpent: boolean;
}

const NO_MARKS: readonly Mark[] = [];
const BLANKS = /[ \t\n\r\f\u00a0]+/g;
/** No-break spaces that begin a line, as in verse and code. */
const INDENT = /^[ \t\n\r\f]*(\u00a0[\u00a0 ]+)/;
const HAS_BLANKS = /[\t\n\r\f\u00a0]| {2}/;

/**
 * Turns blocks, text and inline marks into lines: collapses white space across nodes, delays anything that may turn out
 * empty (markers, emphasis, blank lines), and prefixes quotes and lists. A line is collected until it ends, since its
 * signs depend on both neighbours.
 */
export class Lines {
  readonly #sink: Sink;
  readonly #style: LineStyle;
  readonly #prefix: string;
  readonly #containers: Container[] = [];
  readonly #marks: OpenMark[] = [];
  /** The marks around the next part of the line. */
  #inside: readonly Mark[] = NO_MARKS;
  #atoms: Atom[] = [];
  #heads: { line: string; depth: number }[] = [];
  #gap = 0;
  started: boolean;
  isLineOpen = false;
  /** Lines begun so far: unchanged if nothing was written in between. */
  count = 0;
  #space = false;
  /** Spaces of preformatted text, written only if the line continues. */
  #blanks = '';
  /** Line breaks, written only if the block continues. */
  #breaks = 0;

  constructor(sink: Sink, style: LineStyle, prefix = '', follows = false) {
    this.#sink = sink;
    this.#style = style;
    this.#prefix = prefix;
    this.started = follows;
    this.#gap = follows ? 2 : 0;
  }

  /** A block begins or ends: the next text is `gap` lines further down (2: a blank line between). */
  block(gap: number): void {
    if (this.isLineOpen) this.endLine();
    this.#blanks = '';
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
    if (this.#atoms.length > 0) {
      const { lineBreak, joiner } = this.#style;
      const end = joiner === null ? `${lineBreak ?? ''}\n${this.linePrefix()}` : (lineBreak ?? '');
      this.#sink.write(writeInline(this.#atoms, this.#style, end));
      this.#atoms = [];
      this.#spendMarks();
    }
    this.isLineOpen = false;
    this.#space = false;
    this.#blanks = '';
    this.#breaks = 0;
  }

  #spendMarks(): void {
    if (this.#marks.length === 0) return;
    for (const open of this.#marks) if (open.isUsed && !open.again) open.isSpent = true;
    this.#enterMarks();
  }

  #enterMarks(): void {
    const inside = this.#marks.filter(({ isIdle, isSpent }) => !isIdle && !isSpent);
    this.#inside = inside.length === 0 ? NO_MARKS : inside.map(({ mark }) => mark);
  }

  space(): void {
    this.#space = true;
  }

  /** Text of the page: collapsed and escaped. */
  text(data: string): void {
    const isAtLineStart = this.#atoms.length === 0 || this.#breaks > 0;
    const indent = this.#style.indents && isAtLineStart ? INDENT.exec(data)?.[1] : undefined;
    if (indent !== undefined) this.#blanks = indent.replaceAll(' ', '\u00a0');
    let text = HAS_BLANKS.test(data) ? data.replace(BLANKS, ' ') : data;
    if (text.charCodeAt(0) === 32) {
      this.#space = true;
      text = text.slice(1);
    }
    if (text === '') return;
    const endsBlank = text.charCodeAt(text.length - 1) === 32;
    if (endsBlank) text = text.slice(0, -1);
    if (text === '') return;
    this.#add('text', text);
    this.#space = endsBlank;
  }

  /** Text within the line, not escaped. */
  raw(text: string): void {
    if (text !== '') this.#add('raw', text);
  }

  code(text: string): void {
    if (text !== '') this.#add('code', text);
  }

  #add(kind: Atom['kind'], data: string): void {
    if (!this.isLineOpen) this.#openLine();
    const last = this.#atoms.at(-1);
    const isBlank = this.#space && last !== undefined && this.#breaks === 0;
    const before = this.#blanks !== '' ? this.#blanks : isBlank ? ' ' : '';
    this.#space = false;
    this.#blanks = '';
    if (
      last !== undefined &&
      last.kind === kind &&
      last.marks === this.#inside &&
      this.#breaks === 0 &&
      isJoined(kind, before)
    ) {
      last.data += before + data;
      return;
    }
    this.#atoms.push({ kind, data, marks: this.#inside, before, breaks: this.#breaks });
    this.#breaks = 0;
    for (const open of this.#marks) open.isUsed = true;
  }

  /** Preformatted text within the line, without trailing spaces. */
  rawText(text: string): void {
    const shown = text.trimEnd();
    this.raw(shown);
    this.#blanks += text.slice(shown.length);
  }

  /** Whole lines unchanged, each with its prefix. */
  rawLines(lines: readonly string[]): void {
    if (this.#style.joiner !== null) return this.raw(lines.join(' '));
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
    this.#space = false;
    if (this.#style.lineBreak === null) this.endLine();
    else this.#breaks += 1;
  }

  open(mark: Mark): void {
    const again = mark.kind === 'emphasis';
    const isIdle = this.#inside.some(
      ({ kind, open }) => kind === mark.kind && open === mark.open && (again || kind === 'link'),
    );
    this.#marks.push({ mark, again, isIdle, isUsed: false, isSpent: false });
    if (!isIdle) this.#inside = [...this.#inside, mark];
  }

  /** Ends the innermost mark; false if it is empty. */
  close(): boolean {
    const open = this.#marks.pop();
    this.#enterMarks();
    return open?.isUsed === true;
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

  /** Within the brackets of a link or button. */
  get isInLabel(): boolean {
    return this.#inside.some(({ open }) => open === '[');
  }

  /** Something else was written in between: the next text is separated from it. */
  resume(): void {
    this.started = true;
    this.#gap = 2;
  }

  #openLine(): void {
    if (this.#style.joiner !== null) {
      if (this.started) this.#sink.write(this.#style.joiner);
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
    this.#space = false;
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

/** Adjacent parts that are one: text, and code without a space between. */
const isJoined = (kind: Atom['kind'], before: string): boolean =>
  kind === 'text' ? before.length < 2 : kind === 'code' && before === '';
