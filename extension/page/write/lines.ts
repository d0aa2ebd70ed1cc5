/** Where lines go: the page's output, or the text of a cell. */
export interface Sink {
  write(text: string): void;
}

/** A quote or list item: what its first line and all further ones begin with. */
interface Container {
  first: string | null;
  readonly rest: string;
}

/** Inline formatting that is opened by the first text inside it. */
interface Mark {
  readonly open: string;
  readonly close: string;
  /** Emphasis is taken up again after a block boundary; a link is not. */
  readonly again: boolean;
  state: 'waiting' | 'open' | 'spent';
}

export interface LineStyle {
  /** Escapes text; `before` is the character before it, empty at a line's start. */
  escape(text: string, before: string): string;
  /** What a line break in the middle of a block is. */
  readonly lineBreak: string | null;
  /** All in one line (a table's cell): block boundaries become this. */
  readonly joiner: string | null;
}

const PUNCTUATION = /[\p{P}\p{S}]/u;
const WORD = /[\p{L}\p{N}]/u;
const BLANKS = /[ \t\n\r\f\u00a0]+/g;
const HAS_BLANKS = /[\t\n\r\f\u00a0]| {2}/;

/**
 * Turns blocks, text and inline marks into lines: collapses white space across nodes, holds back
 * what may turn out empty (markers, emphasis, blank lines), and prefixes quotes and lists.
 */
export class Lines {
  readonly #sink: Sink;
  readonly #style: LineStyle;
  readonly #prefix: string;
  readonly #containers: Container[] = [];
  readonly #marks: Mark[] = [];
  #heads: { line: string; depth: number }[] = [];
  #gap = 0;
  #started: boolean;
  #isOpen = false;
  #count = 0;
  #space = false;
  #last = '';
  /** Blanks of preformatted text: written before what follows in their line, and nowhere else. */
  #blanks = '';
  /** Closing marks that the next character, or the same mark opening again, decides about. */
  #held = '';
  /** Line breaks that are written before what follows in their block: at its end they say nothing. */
  #breaks = 0;

  constructor(sink: Sink, style: LineStyle, prefix = '', follows = false) {
    this.#sink = sink;
    this.#style = style;
    this.#prefix = prefix;
    this.#started = follows;
    this.#gap = follows ? 2 : 0;
  }

  /** A block begins or ends: the next text is `gap` lines further down (2: a blank line between). */
  block(gap: number): void {
    if (this.#isOpen) this.endLine();
    this.#blanks = '';
    const inner = this.#containers.at(-1);
    // The first block of a list item is on the line of its marker.
    if (inner !== undefined && inner.first !== null && this.#gap > 0) return;
    if (gap > this.#gap) this.#gap = gap;
  }

  /** Sets the distance whatever was asked before: list items are close together. */
  closeUp(gap: number): void {
    if (this.#isOpen) this.endLine();
    this.#gap = gap;
  }

  endLine(): void {
    for (let i = this.#marks.length - 1; i >= 0; i -= 1) {
      const mark = this.#marks[i];
      if (mark?.state !== 'open') continue;
      this.#held += mark.close;
      mark.state = mark.again ? 'waiting' : 'spent';
    }
    this.#release();
    this.#isOpen = false;
    this.#space = false;
    this.#blanks = '';
    this.#breaks = 0;
    this.#last = '';
  }

  space(): void {
    this.#space = true;
  }

  /** Text of the page: collapsed and escaped. */
  text(data: string): void {
    let text = HAS_BLANKS.test(data) ? data.replace(BLANKS, ' ') : data;
    if (text.charCodeAt(0) === 32) {
      this.#space = true;
      text = text.slice(1);
    }
    if (text === '') return;
    const endsBlank = text.charCodeAt(text.length - 1) === 32;
    if (endsBlank) text = text.slice(0, -1);
    if (text === '') return;
    // `**(a)**b` would close nothing in CommonMark: the letter after it is written as a reference.
    const isGlued =
      /[*~]$/.test(this.#held) &&
      !this.#space &&
      this.#breaks === 0 &&
      PUNCTUATION.test(this.#last) &&
      WORD.test(text.charAt(0));
    this.#prepare(text.charAt(0));
    if (isGlued) {
      const letter = text.codePointAt(0) ?? 0;
      this.#sink.write(`&#x${letter.toString(16)};`);
      text = text.slice(letter > 0xffff ? 2 : 1);
      this.#last = 'x';
    }
    const before = this.#last;
    if (text !== '') this.#sink.write(this.#escape(text, before));
    this.#last = text === '' ? this.#last : text.charAt(text.length - 1);
    this.#space = endsBlank;
  }

  #escape(text: string, before: string): string {
    const escaped = this.#style.escape(text, before);
    // A bracket would end the label that contains it.
    const isLabel = escaped.includes(']') && this.#marks.some((mark) => mark.open === '[');
    return isLabel ? escaped.replaceAll(']', '\\]') : escaped;
  }

  /** Text that is written as it is, within the line. */
  raw(text: string): void {
    if (text === '') return;
    this.#prepare(text.charAt(0));
    this.#sink.write(text);
    this.#last = text.charAt(text.length - 1);
  }

  /** Preformatted text within the line: as it is, but for blanks at the line's end. */
  rawText(text: string): void {
    const shown = text.trimEnd();
    this.raw(shown);
    this.#blanks += text.slice(shown.length);
  }

  /** Whole lines as they are, each with its prefix. */
  rawLines(lines: readonly string[]): void {
    if (this.#style.joiner !== null) return this.raw(lines.join(' '));
    lines.forEach((line, i) => {
      if (i === 0) this.#openLine();
      else this.#sink.write(line === '' ? `\n${this.#linePrefix().trimEnd()}` : `\n${this.#linePrefix()}`);
      this.#sink.write(line);
    });
    this.#isOpen = true;
    this.endLine();
  }

  lineBreak(): void {
    if (!this.#isOpen) return;
    this.#space = false;
    if (this.#style.lineBreak === null) this.endLine();
    else this.#breaks += 1;
  }

  #writeBreaks(): void {
    const { lineBreak, joiner } = this.#style;
    const end = joiner === null ? `${lineBreak ?? ''}\n${this.#linePrefix()}` : (lineBreak ?? '');
    this.#release();
    this.#sink.write(end.repeat(this.#breaks));
    this.#breaks = 0;
    this.#last = '';
    this.#space = false;
  }

  open(open: string, close: string, again: boolean): void {
    // Emphasis within the same emphasis says nothing more.
    const isNested = again && this.#marks.some((mark) => mark.open === open && mark.state !== 'spent');
    this.#marks.push({ open, close, again, state: isNested ? 'spent' : 'waiting' });
  }

  /** Ends the innermost mark; false when nothing had been written in it. */
  close(): boolean {
    const mark = this.#marks.pop();
    if (mark?.state === 'open') this.#held += mark.close;
    return mark !== undefined && mark.state !== 'waiting';
  }

  push(first: string, rest: string): void {
    this.#containers.push({ first, rest });
  }

  pop(): void {
    if (this.#isOpen) this.endLine();
    this.#containers.pop();
  }

  /** A line that is written before the next text, if any comes. */
  head(line: string): void {
    this.block(2);
    this.#heads.push({ line, depth: this.#containers.length });
  }

  /** Ends what {@link head} began; false when nothing came, and so nothing was written. */
  tail(): boolean {
    this.block(2);
    return this.#heads.pop() === undefined;
  }

  get prefix(): string {
    return this.#linePrefix();
  }

  get started(): boolean {
    return this.#started;
  }

  /** Lines begun so far: equal at two moments when nothing was written between them. */
  get count(): number {
    return this.#count;
  }

  /** Within the brackets of a link or button. */
  get isInLabel(): boolean {
    return this.#marks.some((mark) => mark.open === '[');
  }

  get isLineOpen(): boolean {
    return this.#isOpen;
  }

  /** Others have written: what comes next is set off. */
  resume(): void {
    this.#started = true;
    this.#gap = 2;
  }

  #prepare(first: string): void {
    if (!this.#isOpen) this.#openLine();
    else if (this.#breaks > 0) this.#writeBreaks();
    const blank = this.#space && this.#last !== '' && this.#blanks === '';
    this.#space = false;
    if (this.#blanks !== '') {
      this.#release();
      this.#sink.write(this.#blanks);
      this.#last = ' ';
      this.#blanks = '';
    }
    const waiting = this.#marks.some((mark) => mark.state === 'waiting');
    if (blank) {
      this.#release();
      this.#sink.write(' ');
      this.#last = ' ';
    }
    if (waiting) this.#openMarks(first);
    else if (this.#held !== '') this.#release();
  }

  #openMarks(first: string): void {
    for (const mark of this.#marks) {
      if (mark.state !== 'waiting') continue;
      if (mark.again && this.#held !== '') {
        // The same emphasis continues: closing and opening cancel out. Another one right after it
        // would be misread, and is left out.
        if (this.#held === mark.open) {
          this.#held = '';
          mark.state = 'open';
        }
        continue;
      }
      // `a**(b)**` opens nothing in CommonMark: a mark before punctuation wants blank or punctuation before it.
      const isLoose = this.#last === '' || this.#last === ' ' || PUNCTUATION.test(this.#last);
      if (mark.again && !isLoose && PUNCTUATION.test(first)) continue;
      mark.state = 'open';
      if (mark.open === '') continue;
      this.#release();
      this.#sink.write(mark.open);
      this.#last = mark.open.charAt(mark.open.length - 1);
    }
    this.#release();
  }

  #release(): void {
    if (this.#held === '') return;
    this.#sink.write(this.#held);
    this.#last = this.#held.charAt(this.#held.length - 1);
    this.#held = '';
  }

  #openLine(): void {
    if (this.#style.joiner !== null) {
      if (this.#started) this.#sink.write(this.#style.joiner);
      this.#sink.write(this.#pendingMarkers());
    } else {
      this.#openHeads();
      if (this.#started) this.#breakLines();
      this.#sink.write(this.#firstPrefix());
    }
    this.#started = true;
    this.#count += 1;
    this.#gap = 0;
    this.#isOpen = true;
    this.#last = '';
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
      if (this.#started) this.#breakLines();
      this.#sink.write(this.#firstPrefix(head.depth) + head.line);
      this.#started = true;
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

  #linePrefix(): string {
    let prefix = this.#prefix;
    for (const container of this.#containers) prefix += container.rest;
    return prefix;
  }

  /** In a cell there are no further lines to indent, only markers. */
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
