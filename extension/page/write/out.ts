import type { FrameMark, Piece } from '../protocol.ts';
import type { ReadPageOptions } from '../../../shared/tools/read_page/options.ts';
import type { CodePart } from '../walk/code-blocks.ts';
import type { Refs } from '../refs.ts';
import type { Flow } from '../walk/level.ts';

/** Collects the output of a writer in pieces that fit in a message. */
export class Out {
  #text = '';
  #pieces: Piece[] = [];
  #units = 0;
  readonly #pieceUnits: number;

  /** @param pieceUnits UTF-16 code units after which a piece is closed. */
  constructor(pieceUnits: number) {
    this.#pieceUnits = pieceUnits;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= this.#pieceUnits) this.#close();
  }

  mark(frame: FrameMark): void {
    this.#close();
    this.#pieces.push(frame);
  }

  /** UTF-16 code units written and not yet taken. */
  get units(): number {
    return this.#units + this.#text.length;
  }

  /** Takes about `units` of what is there, oldest first. */
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

  /** Cuts the text into pieces between code points. */
  #close(): void {
    let rest = this.#text;
    this.#text = '';
    while (rest.length > this.#pieceUnits * 2) {
      const cut = cutBefore(rest, this.#pieceUnits);
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

/** The last place at or before `at` that is not inside a surrogate pair. */
function cutBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at);
  const isInside = unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return isInside ? at - 1 : at;
}

export interface WalkView {
  /** Whether a control or picture without text is seen. */
  isAtomSeen(el: Element): boolean;
  isTextSeen(): boolean;
  /** The visible part of a text directly inside the current element. */
  seenText(node: Text): string;
  /** Text of the element that was just entered, as style shows it. */
  shownText(data: string): string;
  generatedText(pseudo: '::before' | '::after'): string;
  /** The pointer turns into a hand over this element and did not over its parent. */
  isClickable(): boolean;
  /** A line strikes the content of the element that was just entered through. */
  isStruck(): boolean;
  /** The part of a code block (found by style, not by `<pre>`) that the element just entered is. */
  codePart(): CodePart | null;
  /** Whether an element outside of the walk is visible, such as a label. Measures it: slower than the others. */
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

/** Writes one format during the walk: elements in document order, flattened. */
export interface Writer {
  /** An element is entered. False leaves its children out; then `leave` is not called. */
  enter(el: Element, tag: string, flow: Flow): boolean;
  leave(el: Element, tag: string, flow: Flow): void;
  /** Text that is seen. `isRaw` keeps white space (`white-space: pre`). */
  text(data: string, isRaw: boolean): void;
  /** White space between two nodes. */
  space(): void;
  /** The walk enters and leaves the document of a frame. */
  enterFrame(origin: string, name: string): void;
  leaveFrame(origin: string): void;
  /** Marks the place of a frame that its own content script reads. */
  frame(make: (place: FramePlace) => FrameMark): void;
  /** The walk is over: writes what was held back. */
  finish(): void;
}

/** Where a line of a snapshot begins: as many lines after an element was entered as `lines` says. */
export interface LinePlace {
  readonly el: Element;
  readonly lines: number;
}

/**
 * Follows the walk, so that it can begin again where it stopped: a walk that enters `el` again writes the same
 * lines from there on.
 */
export class LinePlaces {
  #last: Element | null = null;
  #lines = 0;
  #contentBefore = 0;
  /** The element that the present line begins after, and how many lines after it. */
  #beginEl: Element | null = null;
  #beginLines = 0;
  line: LinePlace | null = null;

  /** @param content how much there is of the present line */
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
   * A line is written. One that was there before the last element was entered counts as a
   * line after it where a part of it is: that part is a line when the walk begins there.
   *
   * @param content how much there is of it
   */
  written(content: number): void {
    const before = content === 0 ? 0 : this.#contentBefore;
    if (before === 0 || content > before) this.#lines += 1;
    if (content > 0) this.#contentBefore = 0;
    this.line = this.#beginEl === null ? null : { el: this.#beginEl, lines: this.#beginLines };
  }
}
