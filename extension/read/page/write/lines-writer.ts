import { isControlVisible, isValueSeen } from './seen.ts';
import { CONTROLS, controlText } from '../../../dom/controls.ts';
import type { FrameMark } from '../../../core/page/protocol.ts';
import { type Flow, FLOW } from '../../../dom/level.ts';
import { type CodePart, isCodeHead } from '../../../dom/code-blocks.ts';
import { PICTURES, PLAIN_KINDS, effectiveTag } from './kinds.ts';
import type { LineStyle, Mark } from './inline.ts';
import { Lines } from './lines.ts';
import { writeMath } from './formula.ts';
import { hasDrawnParts, pictureOf, type Picture } from '../../../dom/media.ts';
import { namedOf, type AddedLabel } from './named.ts';
import type { End, FramePlace, Writer, WriterTools } from './out.ts';

/** Parts of code that are not text. */
const UNREAD = /^(?:img|svg|button|input|textarea|select|canvas|video|audio)$/;
/** Browsers do not show white space directly inside these. */
const TABLE_PARTS = /^(?:table|t(?:head|body|foot|r)|[oud]l)$/;

interface Open {
  readonly tag: string;
  readonly isLine: boolean;
  readonly isRow: boolean;
  hasInnerLine: boolean;
}

/** Collects code as shown: line by line, without line numbers. */
class CodeLines {
  #text = '';
  readonly #open: Open[];
  readonly #tops: { readonly at: number; readonly top: number }[] = [];
  readonly #isRegion: boolean;
  /** Pending collapsible white space: written if more of the line follows. */
  #space = false;
  /** The text of a header above the code. */
  head = '';

  /** @param isRegion the element is code by style: white space between its blocks is not part of its text */
  constructor(
    private readonly root: Element,
    tag: string,
    isRegion: boolean,
  ) {
    this.#isRegion = isRegion;
    this.#open = [{ tag, isLine: false, isRow: isRegion && isRow(root, tag), hasInnerLine: false }];
  }

  /** False if the element contains no code. */
  enter(el: Element, tag: string, { flow, part }: { flow: Flow; part: CodePart | null }): End | false {
    if (UNREAD.test(tag)) return false;
    if (tag === 'br') {
      this.#text += '\n';
      return false;
    }
    const parent = this.#open.at(-1);
    const isLine = flow === FLOW.block && parent?.isRow !== true;
    if (isLine) this.#beginLine(el);
    const open: Open = { tag, isLine, isRow: flow !== FLOW.inline && isRow(el, tag), hasInnerLine: false };
    this.#open.push(open);
    const isHead = isLine && this.#text.trim() === '' && isCodeHead(el, this.root);
    const start = this.#text.length;
    return () => {
      this.#open.pop();
      if (isHead) {
        this.head = `${this.head} ${this.#text}`.trim().replace(/\s+/g, ' ');
        this.#text = '';
      }
      if (!isLine) return;
      for (const outer of this.#open) outer.hasInnerLine = true;
      if (this.#text.length > start || open.hasInnerLine) this.#endLine();
      else if (part === 'line') this.#text += '\n';
    };
  }

  #beginLine(el: Element): void {
    this.#endLine();
    const style = el.ownerDocument.defaultView === null ? null : getComputedStyle(el);
    if (style?.position === 'absolute')
      this.#tops.push({ at: this.#text.length, top: el.getBoundingClientRect().top });
  }

  #endLine(): void {
    this.#space = false;
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#text += '\n';
  }

  add(data: string): void {
    const isBlank = data.trim() === '';
    if (isBlank && TABLE_PARTS.test(this.#open.at(-1)?.tag ?? '')) return;
    if (this.#space && this.#text !== '' && !this.#text.endsWith('\n')) this.#text += ' ';
    this.#space = false;
    this.#text += data;
  }

  /** Collapsible white space. */
  space(): void {
    if (this.#isRegion) this.#space = true;
    else if (this.#text !== '') this.#text += ' ';
  }

  /** The text without a leading line break and trailing spaces. */
  get block(): string {
    return this.text.replace(/^\n|\s+$/g, '');
  }

  get text(): string {
    const ordered = this.#ordered();
    if (!this.#isRegion) return ordered;
    // Editors write spaces as no-break spaces; a zero-width space keeps an empty line open.
    return ordered.replaceAll('\u00a0', ' ').replace(/^[\u200b\ufeff]+$/gm, '');
  }

  /** Editors position lines by style: they are sorted by their position. */
  #ordered(): string {
    const tops = this.#tops;
    if (tops.every(({ top }, at) => at === 0 || top >= (tops[at - 1]?.top ?? top))) return this.#text;
    const parts = tops.map(({ at, top }, i) => ({ top, text: this.#text.slice(at, tops[i + 1]?.at) }));
    parts.sort((a, b) => a.top - b.top);
    return this.#text.slice(0, tops[0]?.at) + parts.map(({ text }) => text).join('');
  }
}

function isRow(el: Element, tag: string): boolean {
  if (tag === 'tr') return true;
  if (el.ownerDocument.defaultView === null) return false;
  const { display, flexDirection } = getComputedStyle(el);
  return display === 'table-row' || (/flex$/.test(display) && flexDirection.startsWith('row'));
}

/** The common part of the plain text and Markdown writers. */
export abstract class LinesWriter implements Writer {
  protected lines: Lines;
  readonly #ends: End[] = [];
  /** Code being collected. */
  #code: CodeLines | null = null;

  constructor(
    protected readonly tools: WriterTools,
    style: LineStyle,
  ) {
    this.lines = new Lines(tools.out, style, tools.linePrefix, tools.follows);
  }

  /**
   * Begins an element. False: the element is already written, and its children are skipped.
   * @param kind the HTML element that it acts as
   */
  protected abstract begin(el: Element, kind: string, flow: Flow): End | false;

  /** Collects output until the returned function is called. */
  protected collect(style: LineStyle): () => string {
    let text = '';
    const outer = this.lines;
    const inner = new Lines({ write: (more) => void (text += more) }, style);
    this.lines = inner;
    return () => {
      inner.endLine();
      this.lines = outer;
      return text;
    };
  }

  /** Wraps the content of an element in a mark. */
  protected mark(mark: Mark): End {
    this.lines.open(mark);
    return () => void this.lines.close();
  }

  /** Surrounds an element with spaces. */
  protected spaced(): End {
    this.lines.space();
    return () => this.lines.space();
  }

  /** Puts an element on lines of its own. */
  protected block(gap: number): End {
    this.lines.block(gap);
    return () => this.lines.block(gap);
  }

  /** Prefixes the lines of an element. */
  protected container(first: string, rest: string, gap: number): End {
    this.lines.block(gap);
    this.lines.push(first, rest);
    return () => {
      this.lines.pop();
      this.lines.block(gap);
    };
  }

  /** Whether people see the element being left, or what overflows it. */
  protected isShown(el: Element): boolean {
    return this.tools.view.isAtomSeen(el) || this.tools.view.isTextSeen();
  }

  /** Begins a picture, control, formula or the like. Undefined for anything else. */
  protected beginPart(el: Element, kind: string): End | false | undefined {
    if (CONTROLS.has(kind)) return this.#control(el);
    if (PICTURES.has(kind)) return this.#picture(el);
    switch (kind) {
      case 'svg':
        this.#picture(el);
        return hasDrawnParts(el) ? null : false;
      case 'math':
        if (this.tools.view.isTextSeen()) writeMath(this.lines, el);
        return false;
      case 'rt':
        return this.mark({ kind: 'plain', open: '(', close: ')' });
      case 'rp':
        return false;
      case 'sup':
      case 'sub':
        // A linked one is a footnote reference.
        if (el.querySelector('a[href]') !== null) return null;
        return this.mark({ kind: 'script', open: kind === 'sup' ? '^' : '_', close: '' });
      default:
        return undefined;
    }
  }

  #picture(el: Element): false {
    const picture = this.tools.view.isAtomSeen(el) ? pictureOf(el) : null;
    if (picture !== null) this.picture(picture);
    return false;
  }

  #control(el: Element): false {
    const text = controlText(el, isValueSeen(el, this.tools.view));
    if (text === null || !isControlVisible(el, this.tools)) return false;
    this.lines.space();
    this.control(text);
    this.lines.space();
    return false;
  }

  /** Writes a picture that people see. */
  protected abstract picture(picture: Picture): void;

  /** Writes the state of a control that people see. @param text in brackets */
  protected abstract control(text: string): void;

  protected collectCode(el: Element, tag: string, isRegion: boolean, use: (code: CodeLines) => void): End {
    const code = new CodeLines(el, tag, isRegion);
    this.#code = code;
    return () => {
      this.#code = null;
      use(code);
    };
  }

  /** Begins a code block. Null if the format has none here: the content is written as text. */
  protected abstract beginCode(el: Element, tag: string): End;

  enter(el: Element, tag: string, flow: Flow): boolean {
    const part = this.tools.view.codePart();
    if (part === 'gutter') return false;
    const end =
      this.#code !== null
        ? this.#code.enter(el, tag, { flow, part })
        : ((part === 'block' ? this.beginCode(el, tag) : null) ?? this.#begin(el, tag, flow));
    if (end === false) return false;
    if (this.#code !== null) return this.#ends.push(end) > 0;
    const named = namedOf(el, tag, this.tools);
    if (named !== null) this.writeNamed(named);
    if (named?.isWhole === true) {
      end?.();
      return false;
    }
    this.#ends.push(end);
    return true;
  }

  #begin(el: Element, tag: string, flow: Flow): End | false {
    const kind = effectiveTag(el, tag);
    const isStruck = PLAIN_KINDS.has(kind) && this.tools.view.isStruck();
    return this.begin(el, isStruck ? 'del' : kind, flow);
  }

  text(data: string, isRaw: boolean): void {
    if (this.#code !== null) this.#code.add(data);
    else this.writeText(data, isRaw);
  }

  protected abstract writeText(data: string, isRaw: boolean): void;

  protected writeNamed({ kind, text, value }: AddedLabel): void {
    this.lines.space();
    this.lines.text(kind === 'state' ? `(${text})` : text);
    if (value !== '') {
      this.lines.space();
      this.lines.text(`[${value}]`);
    }
    this.lines.space();
  }

  leave(): void {
    this.#ends.pop()?.();
  }

  space(): void {
    if (this.#code !== null) this.#code.space();
    else this.lines.space();
  }

  enterFrame(origin: string): void {
    this.lines.head(`[frame ${origin}]`);
  }

  leaveFrame(origin: string): void {
    if (this.lines.tail()) this.lines.rawLines([`[end of frame ${origin}]`]);
    this.lines.block(2);
  }

  frame(make: (place: FramePlace) => FrameMark): void {
    this.lines.block(2);
    this.tools.out.mark(make({ prefix: this.lines.linePrefix(), follows: this.lines.started }));
    this.lines.resume();
  }

  finish(): void {
    this.lines.endLine();
  }
}
