import type { ReadPageOptions } from '../../../shared/tools/read_page/options.ts';
import type { CodePart } from '../walk/code-blocks.ts';
import type { Refs } from '../refs.ts';
import type { Flow } from '../walk/level.ts';
import type { FrameMark } from '../protocol.ts';
import type { Out } from './out.ts';
import type { LinePlaces } from './snapshot-places.ts';

/** What a writer may ask about the current element of the walk. */
export interface WalkView {
  /** Whether a control or picture without text is seen. */
  isAtomSeen(el: Element): boolean;
  /** Whether text straight inside the element that was just entered is seen. */
  isTextSeen(): boolean;
  /** The visible part of a text directly inside the current element. */
  seenText(node: Text): string;
  /** Text of the element that was just entered, as style shows it. */
  shownText(data: string): string;
  /** What style puts before or after the content of the element that was just entered. */
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

/** What every writer works with. */
export interface WriterTools {
  readonly out: Out;
  readonly refs: Refs;
  readonly options: ReadPageOptions;
  readonly view: WalkView;
  /** The prefix of each line: set for a frame inside a quote or list. */
  readonly linePrefix: string;
  /** Text of the parent document precedes this one's. */
  readonly follows: boolean;
  /** Follows where the lines of a snapshot begin. */
  readonly places?: LinePlaces | undefined;
}

/** The place of a frame in the text. */
export interface FramePlace {
  /** What each of its lines begins with. */
  readonly prefix: string;
  /** Whether text precedes it. */
  readonly follows: boolean;
}

/** What is done when an element is left. */
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
  /** A document inside a frame that the walk enters itself begins and ends. */
  enterFrame(origin: string, name: string): void;
  leaveFrame(origin: string): void;
  /** A frame that answers for itself: marks its place. */
  frame(make: (place: FramePlace) => FrameMark): void;
  /** The walk is over: what is still held back is written. */
  finish(): void;
}
