import type { FrameMark, Piece } from '../../../core/page/protocol.ts';
import type { ReadPageOptions } from '../../../../shared/read/read_page.methods.ts';
import type { CodePart } from '../../../dom/code-blocks.ts';
import type { Refs } from '../../../dom/refs.ts';
import type { Flow } from '../../../dom/level.ts';

/** Collects a writer's output in pieces that fit into a message. */
export class Out {
  #text = '';
  #pieces: Piece[] = [];
  #units = 0;

  /** @param pieceUnits UTF-16 code units after which a piece is closed. */
  constructor(private readonly pieceUnits: number) {}

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= this.pieceUnits) this.#close();
  }

  line(text: string): void {
    this.write(`${text}\n`);
  }

  mark(frame: FrameMark): void {
    this.#close();
    this.#pieces.push(frame);
  }

  /** UTF-16 code units written and not yet taken. */
  get units(): number {
    return this.#units + this.#text.length;
  }

  /** Takes about `units` of the output, oldest first. */
  take(units: number): Piece[] {
    if (this.#pieces.length === 0) this.#close();
    const taken: Piece[] = [];
    let count = 0;
    let used = 0;
    for (const piece of this.#pieces) {
      if (used > 0 && count >= units) break;
      used += 1;
      if (typeof piece === 'string') count += piece.length;
      taken.push(piece);
    }
    this.#pieces.splice(0, used);
    this.#units -= count;
    return taken;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#text === '';
  }

  /** Splits the text between code points. */
  #close(): void {
    let rest = this.#text;
    this.#text = '';
    while (rest.length > this.pieceUnits * 2) {
      const cut = cutBefore(rest, this.pieceUnits);
      this.#add(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    if (rest !== '') this.#add(rest);
  }

  #add(piece: string): void {
    this.#pieces.push(piece.toWellFormed());
    this.#units += piece.length;
  }
}

/** The last position at or before `at` that is not inside a surrogate pair. */
function cutBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at);
  const isInside = unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return isInside ? at - 1 : at;
}

export interface WalkView {
  /** Whether the element just entered has attributes; not for an `<area>`. */
  readonly isAttributed: boolean;
  /** Whether the element just entered has a shadow tree, open or closed, in place of its children. */
  readonly isHost: boolean;
  /** Whether a control or image without text is visible. */
  isAtomSeen(el: Element): boolean;
  isTextSeen(): boolean;
  /** The visible part of a text directly inside the current element. */
  seenText(node: Text): string;
  /** Text of the element just entered, as style shows it. */
  shownText(data: string): string;
  generatedText(pseudo: '::before' | '::after'): string;
  /** Whether the pointer becomes a hand over this element, but not over its parent. */
  isClickable(): boolean;
  /** Whether the element just entered is struck through. */
  isStruck(): boolean;
  /** The element's part in a code block that is recognised by style, not by `<pre>`. */
  codePart(): CodePart | null;
  /** Whether an element outside the walk, such as a label, is visible. Measures it: slower than the others. */
  isSeen(el: Element): boolean;
}

export interface WriterTools {
  readonly out: Out;
  readonly refs: Refs;
  readonly options: ReadPageOptions;
  readonly view: WalkView;
  /** The prefix of each line: set for a frame inside a quote or list. */
  readonly linePrefix: string;
  /** Text of the parent document precedes this one's. */
  readonly follows: boolean;
  readonly places?: LinePlaces | undefined;
}

/** The place of a frame in the text. */
export interface FramePlace {
  readonly prefix: string;
  readonly follows: boolean;
}

export type End = (() => void) | null;

/** Runs `after` when the element ends; at once if its content is skipped. */
export function endWith(end: End | false, after: () => void): End | false {
  if (end === false) {
    after();
    return false;
  }
  return () => {
    end?.();
    after();
  };
}

/** Writes one format during the walk: elements in document order, flattened. A format may ignore the ends and the texts. */
export interface Writer {
  /** An element is entered. False skips its children; then `leave` is not called. */
  enter(el: Element, tag: string, flow: Flow): boolean;
  leave?(el: Element, tag: string, flow: Flow): void;
  /** Visible text. `isRaw` preserves white space (`white-space: pre`). */
  text?(data: string, isRaw: boolean): void;
  /** White space between two nodes. */
  space?(): void;
  /** The walk enters and leaves the document of a frame. */
  enterFrame(origin: string, name: string): void;
  leaveFrame(origin: string): void;
  /** Marks the place of a frame that its own content script reads. */
  frame(make: (place: FramePlace) => FrameMark): void;
  /** The walk has ended: writes whatever was delayed. */
  finish?(): void;
}

/** Where a line of a snapshot begins: `lines` lines after an element was entered. */
export interface LinePlace {
  readonly el: Element;
  readonly lines: number;
}

/**
 * Follows the walk, so that it can resume where it stopped: a walk that enters `el` again writes the same lines from
 * there on.
 */
export class LinePlaces {
  #last: Element | null = null;
  #lines = 0;
  #contentBefore = 0;
  /** The element after which the current line begins, and how many lines after it. */
  #beginEl: Element | null = null;
  #beginLines = 0;
  line: LinePlace | null = null;

  /** @param content the current line's length */
  enter(el: Element, content: number): void {
    this.#last = el;
    this.#lines = 0;
    this.#contentBefore = content;
    if (content > 0) return;
    this.#beginEl = el;
    this.#beginLines = 0;
  }

  begin(): void {
    if (this.#last === null) return;
    this.#beginEl = this.#last;
    this.#beginLines = this.#lines;
  }

  /**
   * A line is written. A line begun before the last element was entered counts as a line after it if a part of it is:
   * that part becomes a line when the walk begins there.
   * @param content its length
   */
  written(content: number): void {
    const before = content === 0 ? 0 : this.#contentBefore;
    if (before === 0 || content > before) this.#lines += 1;
    if (content > 0) this.#contentBefore = 0;
    this.line = this.#beginEl === null ? null : { el: this.#beginEl, lines: this.#beginLines };
  }
}
