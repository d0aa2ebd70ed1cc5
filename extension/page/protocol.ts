import type { ErrorCode } from '../../shared/errors.ts';
import type { Coverage, PageFacts } from '../../shared/bridge/page.ts';
import type { FindTarget } from '../../shared/tools/find/methods.ts';
import type { SkeletonOptions } from '../../shared/tools/html_skeleton/methods.ts';
import type { ActAsk, Witnessed } from './act/protocol.ts';
import type { ReadPageOptions } from '../../shared/tools/read_page/options.ts';

/**
 * What worker and content script say to each other over one port a document.
 *
 *     worker → page   read, pull, cancel, locate, announce, listen, pulse, survey, box, find, act
 *     page → worker   started, part, failed, located, heard, pulsed, surveyed, boxed, found, acted, witnessed
 *
 * The page walks at once when it is asked to `read`, sends the first part unasked and every further
 * one for a `pull`: the walk never waits for the reader, the sending always does.
 */
export const PAGE_PORT = 'spillway.page';

/** Text of one `part` in UTF-16 code units, at most. */
export const PART_UNITS = 256 * 1024;

/** The tree for those who write selectors, drawn like any reading. */
export type SkeletonRequest = SkeletonOptions & { readonly format: 'skeleton' };

/** What a document is read as. */
export type ReadRequest = ReadPageOptions | SkeletonRequest;

/** A frame that the walk could not enter from its parent: another process, another origin. */
export interface FrameMark {
  /** Positions in `window.frames` from the top document down; -1 for a frame in a shadow tree. */
  readonly path: readonly number[];
  /** Number of the frame element within its document: becomes the prefix of the frame's refs. */
  readonly number: number;
  /** What the frame's element asked for; empty when nothing. */
  readonly src: string;
  /** Its accessible name; empty when it has none. */
  readonly name: string;
  /** Inner size of the frame element in CSS pixels, to tell unindexed frames apart. */
  readonly width: number;
  readonly height: number;
  /** What each line of the frame's text begins with. */
  readonly prefix: string;
  /** Whether the page's text has begun before it. */
  readonly follows: boolean;
}

/** A piece of the page in order: text, or the place of a frame. */
export type Piece = string | FrameMark;

/**
 * What a request takes along that may show refs. Their numbers are unique in the browser: the worker lends each
 * request some, and takes back those that it did not use.
 */
export interface Showing {
  /** Who is shown the refs: `Caller.session`. */
  readonly viewer: string;
  /** Numbers for elements that have none yet, both included. */
  readonly numbers: { readonly from: number; readonly to: number };
}

/** What the last answer says to a request with a {@link Showing}. */
interface Used {
  /** The last number that the request used; one less than the first when it used none. */
  readonly last?: number | undefined;
}

/** The place of a document in the page that is read. */
export interface ReadContext {
  /** Prefix of refs: empty for the top document, `f2` for its second frame. */
  readonly refPrefix: string;
  readonly linePrefix: string;
  readonly isTop: boolean;
  /** {@link FrameMark.name}. */
  readonly frameName: string;
  /** Text precedes this document's: its first line is set off. */
  readonly follows: boolean;
  /** Page-side text kept, in bytes, before the walk has to yield. */
  readonly bufferBytes: number;
  /** Tokens of a snapshot that this document may take; null for any number. */
  readonly budget: number | null;
  /** The page around this frame says what changed, and so does the frame. */
  readonly isCompared: boolean;
  /** The last snapshot of that page stopped at its budget: a frame that was not in it is not new. */
  readonly isOpen: boolean;
}

/** What the budget of a snapshot did not hold. */
export interface SnapshotLeft {
  /** Where to read on, as `read_page` takes it: `e512..`; null where only what is gone was left out. */
  readonly ref: string | null;
  /** The share of the document's elements that comes from there on. */
  readonly share: number;
}

/** What a snapshot has come to with one part. */
export interface SnapshotReport {
  /** Tokens of this part, at most. */
  readonly tokens: number;
  /** It says what changed since the last one. */
  readonly isCompared: boolean;
  /** The last one stopped at its budget. */
  readonly isOpen: boolean;
}

/** Which element a `box` is asked of: the first of a selector, one of a snapshot, or a frame's. */
export type BoxTarget =
  | { readonly selector: string }
  | { readonly ref: string }
  /** {@link FrameMark.number}. */
  | { readonly frame: number };

/** In CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where an element shows. */
export interface Boxed {
  /** What shows of it: in the top document's coordinates, or in a frame's viewport. */
  readonly box: Box;
  /** Something around it hides a part. */
  readonly isClipped: boolean;
  /** Elements that the selector names. */
  readonly matches: number;
  /** How the element of a ref was found again; null for the very element. */
  readonly note: string | null;
  /** Of a frame's element: how to find its document, and where its viewport begins. */
  readonly frame: (FrameMark & { readonly x: number; readonly y: number; readonly scale: number }) | null;
}

/** One address that a page names. */
export interface PageLink {
  readonly url: string;
  readonly text: string;
  /** Relations of the link, lower case: `nofollow`, `next`; `refresh` and `frame` for those elements. */
  readonly rel?: string | undefined;
}

/** What a crawler needs to know of a page besides its content. */
export interface DocumentSummary {
  readonly title: string;
  /** `<link rel=canonical>`, absolute. */
  readonly canonical: string | null;
  /** Directives of `<meta name=robots>`, lower case. */
  readonly robots: readonly string[];
  readonly links: readonly PageLink[];
}

export type ToPage =
  | {
      readonly type: 'read';
      readonly id: number;
      readonly options: ReadRequest;
      readonly context: ReadContext;
      /** Null for a reading that shows no refs. */
      readonly showing: Showing | null;
    }
  /**
   * The next part. With more numbers, when the part before said that it needs them, and with the budget that a
   * snapshot has left.
   */
  | {
      readonly type: 'pull';
      readonly id: number;
      readonly showing?: Showing;
      readonly budget?: number;
    }
  | { readonly type: 'cancel'; readonly id: number }
  /** Which of its parent's frames is this document? */
  | { readonly type: 'locate'; readonly id: number }
  /** Where does this element show? What had to be scrolled for it goes back with `cancel`. */
  | {
      readonly type: 'box';
      readonly id: number;
      readonly target: BoxTarget;
      readonly isTop: boolean;
      /** Of a ref: on whose behalf. */
      readonly showing: Showing | null;
    }
  /** Say `nonce` to the parent: the last resort for a frame inside a shadow tree. */
  | { readonly type: 'announce'; readonly id: number; readonly nonce: string }
  /** Parent: listen for announcements and answer which unindexed frame said which nonce. */
  | { readonly type: 'listen'; readonly id: number; readonly nonces: readonly string[] }
  /** How much has the document changed so far? */
  | { readonly type: 'pulse'; readonly id: number }
  /** What does the document say of itself and name? */
  | { readonly type: 'survey'; readonly id: number }
  /** Scroll, and say how far that has come. */
  | { readonly type: 'scroll'; readonly id: number; readonly move: ScrollMove }
  /** Which elements does a target name? */
  | {
      readonly type: 'find';
      readonly id: number;
      readonly target: FindTarget | AwaitedTarget;
      readonly limit: number;
      /** What refs begin with. */
      readonly prefix: string;
      readonly showing: Showing | null;
    }
  /** A question of a step. What it began to watch ends with `cancel`. */
  | {
      readonly type: 'act';
      readonly id: number;
      readonly viewer: string;
      readonly ask: ActAsk;
      /** Null for a question whose answer names no elements. */
      readonly showing: Showing | null;
    };

/** What one document has of what is sought. */
export interface FoundInDocument {
  /** A line each, best first; of all documents of a page those with the highest scores come first. */
  readonly hits: readonly { readonly line: string; readonly score: number }[];
  /** Further ones that can be seen. */
  readonly more: number;
  /** False where there may be more than that. */
  readonly isCounted: boolean;
  /** Those that cannot be seen. */
  readonly hidden: number;
  /** Lines of what has a part of what is sought, where nothing has it all. */
  readonly nearest: readonly string[];
  /** Frames whose documents have to be asked themselves. */
  readonly frames: readonly FrameMark[];
}

/** How far the scrolling of a page has come. */
export interface ScrollState {
  /** What the page looks like, or the list that holds only the rows in view: to tell whether more came. */
  readonly fingerprint: string;
  /** The greatest height in pixels that the part that is scrolled now has had. */
  readonly height: number;
  /** By how many pixels that is more than before the last step. */
  readonly grownPx: number;
  /** The part that is scrolled now is at its end. */
  readonly isAtEnd: boolean;
  /** More was waited for at this end before, and the part is as high as it was then; or it does not scroll at all. */
  readonly end: 'new' | 'fitting' | 'known';
  /** The part that is scrolled now scrolls itself back. */
  readonly isStuck: boolean;
  /** Every part that scrolls has been scrolled to its end. */
  readonly isOver: boolean;
  /** Content that was seen earlier is gone: only what is in view exists. */
  readonly isLossy: boolean;
  /** How many looks without a change mean that the window is complete. */
  readonly looksToRest: number;
  /** Looks come with the frames of the page, which has no frames while it is hidden. */
  readonly isPaced: boolean;
  /** Of the lists that count their rows and miss some: rows that were seen, and rows that there are. */
  readonly missingRows: { readonly seen: number; readonly total: number } | null;
}

/** A move of the page's scroller. It is answered when the page has drawn it; `look` with the next frame. */
export type ScrollMove = 'begin' | 'step' | 'look' | 'away' | 'back' | 'skip' | 'restore';

/** What is waited for besides what `find` finds. The first two only have to be rendered, the last has to have a size. */
export type AwaitedTarget =
  /** A text, literally. */
  | { readonly said: string }
  | { readonly rendered: string }
  | { readonly ref: string; readonly viewer: string };

/** What is known when a document has been walked to its end. */
export interface ReadDone {
  readonly page: PageFacts;
  readonly coverage: readonly Coverage[];
  readonly hiddenElements: number;
  readonly mainContent: 'not_asked' | 'found' | 'whole_page';
  /** Of a snapshot with a budget. */
  readonly left?: SnapshotLeft | null | undefined;
}

/** Why a request failed. */
export interface Failure extends Used {
  readonly type: 'failed';
  readonly id: number;
  readonly code: ErrorCode;
  readonly message: string;
}

export type FromPage =
  | { readonly type: 'started'; readonly id: number }
  | (Used & {
      readonly type: 'part';
      readonly id: number;
      readonly pieces: readonly Piece[];
      readonly done: ReadDone | null;
      /** The walk waits until it is lent more numbers. */
      readonly needsNumbers: boolean;
      /** Of a snapshot. */
      readonly report?: SnapshotReport | undefined;
    })
  | Failure
  | {
      readonly type: 'located';
      readonly id: number;
      readonly path: readonly number[];
      readonly url: string;
      readonly width: number;
      readonly height: number;
    }
  | { readonly type: 'heard'; readonly id: number; readonly nonce: string; readonly number: number }
  | {
      readonly type: 'pulsed';
      readonly id: number;
      /** Changes of the document's tree since the first pulse. */
      readonly changes: number;
      /** Its own scripts can no longer change it. */
      readonly isStatic: boolean;
    }
  | { readonly type: 'surveyed'; readonly id: number; readonly survey: DocumentSummary }
  | (Used & { readonly type: 'boxed'; readonly id: number; readonly boxed: Boxed })
  | { readonly type: 'scrolled'; readonly id: number; readonly state: ScrollState }
  | (Used & { readonly type: 'found'; readonly id: number; readonly found: FoundInDocument })
  | (Used & { readonly type: 'acted'; readonly id: number; readonly answer: unknown })
  /** Input that was aimed has arrived, or would have arrived elsewhere. */
  | { readonly type: 'witnessed'; readonly id: number; readonly witnessed: Witnessed };
