import type * as z from 'zod/mini';
import type * as messages from '../ports/page-messages.ts';
import type { PageMessage, Sent } from '../ports/page-messages.ts';
import type { FindTarget } from '../../shared/tools/find/methods.ts';
import type { SkeletonOptions } from '../../shared/tools/html_skeleton/methods.ts';
import type { ActAsk } from './act/protocol.ts';
import type { Witnessed } from '../../shared/act/page-answers.ts';
import type { ReadPageOptions } from '../../shared/tools/read_page/options.ts';

/**
 * Messages between worker and content script, over one port per document.
 *
 *     worker → page   read, pull, cancel, locate, pulse, survey, box, find, act
 *     page → worker   started, part, failed, located, pulsed, surveyed, boxed, found, acted, witnessed
 *
 * The page walks at once when it is asked to `read`, sends the first part unasked and every further
 * one for a `pull`: the walk never waits for the reader, the sending always does.
 */
export const PAGE_PORT = 'spillway.page';

/** Text of one `part` in UTF-16 code units, at most. */
export const PART_UNITS = 256 * 1024;

/** The tree for those who write selectors, drawn like any reading. */
export type SkeletonRequest = SkeletonOptions & { readonly format: 'skeleton' };

export type ReadRequest = ReadPageOptions | SkeletonRequest;

export type FrameMark = Sent<z.infer<typeof messages.FrameMark>>;
export type SnapshotLeft = Sent<z.infer<typeof messages.SnapshotLeft>>;
export type SnapshotReport = Sent<z.infer<typeof messages.SnapshotReport>>;
export type ReadDone = Sent<z.infer<typeof messages.ReadDone>>;
export type Box = Sent<z.infer<typeof messages.Box>>;
export type Boxed = Sent<z.infer<typeof messages.Boxed>>;
export type PageLink = Sent<z.infer<typeof messages.PageLink>>;
export type DocumentSummary = Sent<z.infer<typeof messages.DocumentSummary>>;
export type FoundInDocument = Sent<z.infer<typeof messages.FoundInDocument>>;
export type ScrollState = Sent<z.infer<typeof messages.ScrollState>>;
export type Failure = Sent<z.infer<typeof messages.Failed>>;

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

/** Which element a `box` is asked of: the first of a selector, one of a snapshot, or a frame's. */
export type BoxTarget =
  | { readonly selector: string }
  | { readonly ref: string }
  /** {@link FrameMark.number}. */
  | { readonly frame: number };

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
  | { readonly type: 'locate'; readonly id: number }
  /** Where does this element show? What had to be scrolled for it goes back with `cancel`. */
  | {
      readonly type: 'box';
      readonly id: number;
      readonly target: BoxTarget;
      readonly isTop: boolean;
      /** For a ref: on whose behalf. */
      readonly showing: Showing | null;
    }
  | { readonly type: 'pulse'; readonly id: number }
  | { readonly type: 'survey'; readonly id: number }
  /** Scroll, and say how far that has come. */
  | { readonly type: 'scroll'; readonly id: number; readonly move: ScrollMove }
  | {
      readonly type: 'find';
      readonly id: number;
      readonly target: FindTarget | AwaitedTarget;
      readonly limit: number;
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

/** A move of the page's scroller. It is answered when the page has drawn it; `look` with the next frame. */
export type ScrollMove = 'begin' | 'step' | 'look' | 'away' | 'back' | 'skip' | 'restore';

/** The first two only have to be rendered, the last has to have a size. */
export type AwaitedTarget =
  /** A text, literally. */
  | { readonly said: string }
  | { readonly rendered: string }
  | { readonly ref: string; readonly viewer: string };

export type FromPage =
  | Sent<PageMessage>
  /** Input that was aimed has arrived, or would have arrived elsewhere. */
  | { readonly type: 'witnessed'; readonly id: number; readonly witnessed: Witnessed };
