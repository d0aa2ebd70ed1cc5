import { writeInline, type Atom, type LineStyle, type Mark } from './inline.ts';

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
 * One line while it is collected: parts with their marks, white space collapsed across nodes. It is written as a whole,
 * since its signs depend on both neighbours.
 */
export class Line {
  protected readonly style: LineStyle;
  protected atoms: Atom[] = [];
  readonly #marks: OpenMark[] = [];
  /** The marks around the next part. */
  #inside: readonly Mark[] = NO_MARKS;
  protected hasSpace = false;
  /** Spaces of preformatted text, written only if the line continues. */
  protected blanks = '';
  /** Line breaks, written only if the block continues. */
  protected breaks = 0;

  constructor(style: LineStyle) {
    this.style = style;
  }

  /** Ends the line, and returns it as text. @param lineBreak stands for each break in it */
  protected take(lineBreak = ''): string {
    const text = this.atoms.length === 0 ? '' : writeInline(this.atoms, this.style, lineBreak);
    if (text !== '') this.#spendMarks();
    this.atoms = [];
    this.hasSpace = false;
    this.blanks = '';
    this.breaks = 0;
    return text;
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
    this.hasSpace = true;
  }

  /** Text of the page: collapsed and escaped. */
  text(data: string): void {
    const isAtLineStart = this.atoms.length === 0 || this.breaks > 0;
    const indent = this.style.indents && isAtLineStart ? INDENT.exec(data)?.[1] : undefined;
    if (indent !== undefined) this.blanks = indent.replaceAll(' ', '\u00a0');
    let text = HAS_BLANKS.test(data) ? data.replace(BLANKS, ' ') : data;
    if (text.charCodeAt(0) === 32) {
      this.hasSpace = true;
      text = text.slice(1);
    }
    if (text === '') return;
    const endsBlank = text.charCodeAt(text.length - 1) === 32;
    if (endsBlank) text = text.slice(0, -1);
    if (text === '') return;
    this.add('text', text);
    this.hasSpace = endsBlank;
  }

  /** Text within the line, not escaped. */
  raw(text: string): void {
    if (text !== '') this.add('raw', text);
  }

  code(text: string): void {
    if (text !== '') this.add('code', text);
  }

  protected add(kind: Atom['kind'], data: string): void {
    const last = this.atoms.at(-1);
    const isBlank = this.hasSpace && last !== undefined && this.breaks === 0;
    const before = this.blanks !== '' ? this.blanks : isBlank ? ' ' : '';
    this.hasSpace = false;
    this.blanks = '';
    if (
      last !== undefined &&
      last.kind === kind &&
      last.marks === this.#inside &&
      this.breaks === 0 &&
      isJoined(kind, before)
    ) {
      last.data += before + data;
      return;
    }
    this.atoms.push({ kind, data, marks: this.#inside, before, breaks: this.breaks });
    this.breaks = 0;
    for (const open of this.#marks) open.isUsed = true;
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

  /** Within the brackets of a link or button. */
  get isInLabel(): boolean {
    return this.#inside.some(({ open }) => open === '[');
  }
}

/** Adjacent parts that are one: text, and code without a space between. */
const isJoined = (kind: Atom['kind'], before: string): boolean =>
  kind === 'text' ? before.length < 2 : kind === 'code' && before === '';
