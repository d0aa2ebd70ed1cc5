import type * as z from 'zod/mini';
import type * as messages from '../ports/page-messages.ts';
import type { PageMessage, Sent } from '../ports/page-messages.ts';
import type { Coverage } from '../../../shared/core/bridge/page.ts';
import { cutUrl } from '../../../shared/base/cut.ts';
import type { FindTarget } from '../../../shared/find/find.methods.ts';
import type { SkeletonOptions } from '../../../shared/read/html_skeleton.methods.ts';
import type { ActAsk, Given, News } from '../../act/page/protocol.ts';
import type { Did, Found, Rest, Stage, Want } from '../ports/page-answers.ts';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';

/**
 * Messages between worker and content script, over one port per document.
 *
 *     worker → page   read, pull, cancel, locate, pulse, survey, box, find, act, given, news
 *     page → worker   started, part, failed, located, pulsed, surveyed, boxed, found, acted, sought, wants, busy, did, seen, rested, recorded
 *
 * On `read` the page walks at once, sends the first part unasked and each further one for a `pull`: the walk never waits
 * for the reader, but sending does.
 */
export const PAGE_PORT = 'spillway.page';

const URL_UNITS = 300;

/** A PDF in a frame of a page: browsers hide its text from extensions. */
export const pdfNote = (url: string): Coverage => ({
  kind: 'embedded_pdf',
  detail: `A PDF is embedded in the page. Call fetch with its url for its text: ${cutUrl(url, URL_UNITS)}`,
});

/** Longest `part`, in UTF-16 code units. */
export const PART_UNITS = 256 * 1024;

/** The page's structure for writing selectors, read like any format. */
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

/** A piece of the page: text, or the place of a frame. */
export type Piece = string | FrameMark;

/**
 * Sent with requests that may show refs. Their numbers are unique in the browser: the worker lends each request some,
 * and takes back the unused ones.
 */
export interface Showing {
  /** The session that sees the refs: `Caller.session`. */
  readonly viewer: string;
  /** Numbers for new elements, both ends included. */
  readonly numbers: { readonly from: number; readonly to: number };
}

/** The place of a document in the page. */
export interface ReadContext {
  /** Prefix of refs: empty for the top document, `f2` for its second frame. */
  readonly refPrefix: string;
  readonly linePrefix: string;
  readonly isTop: boolean;
  /** {@link FrameMark.name}. */
  readonly frameName: string;
  /** Text precedes this document's, which then starts on a new line. */
  readonly follows: boolean;
  /** Text buffered in the page, in bytes, before the walk has to yield. */
  readonly bufferBytes: number;
  /** Snapshot tokens for this document; null for any number. */
  readonly budget: number | null;
  /** The page around this frame reports changes, and so does the frame. */
  readonly isCompared: boolean;
  /** The page's last snapshot stopped at its budget: a frame that it lacked may not be new. */
  readonly isOpen: boolean;
}

/** The element that a `box` measures: a selector's first match, a ref, or a frame. */
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
      /** Null for a reading without refs. */
      readonly showing: Showing | null;
    }
  /**
   * Requests the next part: with more numbers, if the last part asked for them, and with the remaining snapshot budget.
   */
  | {
      readonly type: 'pull';
      readonly id: number;
      readonly showing?: Showing | undefined;
      readonly budget?: number | undefined;
    }
  | { readonly type: 'cancel' | 'locate' | 'pulse' | 'survey'; readonly id: number }
  /** Measures an element. `cancel` restores the scroll positions. */
  | {
      readonly type: 'box';
      readonly id: number;
      readonly target: BoxTarget;
      readonly isTop: boolean;
      /** For a ref: the asking session. */
      readonly showing: Showing | null;
    }
  /** Scrolls, and reports the progress. */
  | { readonly type: 'scroll'; readonly id: number; readonly move: ScrollMove }
  | {
      readonly type: 'find';
      readonly id: number;
      readonly target: FindTarget | AwaitedTarget;
      readonly limit: number;
      readonly prefix: string;
      readonly showing: Showing | null;
    }
  /** A question from a step. `cancel` ends whatever it began to watch. */
  | {
      readonly type: 'act';
      readonly id: number;
      readonly viewer: string;
      readonly ask: ActAsk;
      /** Null for a question whose answer names no elements. */
      readonly showing: Showing | null;
      /** Refs that the steps after the first name: with the call's first question to the document. */
      readonly later?: readonly string[];
    }
  /** Answers a step's `wants`. */
  | (Given & { readonly type: 'given'; readonly id: number })
  | (News & { readonly type: 'news'; readonly id: number });

/**
 * A move of the page's scroller, answered once the page has drawn it; `look` with the next frame, and so is `wait`, for
 * content that the page has requested.
 */
export type ScrollMove = 'begin' | 'step' | 'look' | 'wait' | 'away' | 'back' | 'skip' | 'restore';

/** The first two only have to be rendered, the last must have a size. */
export type AwaitedTarget =
  /** A literal text. */
  | { readonly said: string }
  | { readonly rendered: string }
  /** Controls that a press reaches, with their boxes: of an area of the document, or of the part in view. */
  | { readonly within: Box | null }
  | { readonly ref: string; readonly viewer: string };

export type FromPage =
  | Sent<PageMessage>
  /** A step wants input. */
  | { readonly type: 'wants'; readonly id: number; readonly want: Want }
  /** A step takes its time. */
  | { readonly type: 'busy'; readonly id: number }
  /** A step has filled one of its fields. */
  | { readonly type: 'did'; readonly id: number; readonly did: Did }
  /** Input of a step has arrived. */
  | { readonly type: 'seen'; readonly id: number; readonly at: Stage }
  /** A step has looked for its element. */
  | {
      readonly type: 'sought';
      readonly id: number;
      readonly found: Found;
      readonly scriptId: string;
      readonly last?: number | undefined;
    }
  /** The page after a step. */
  | { readonly type: 'rested'; readonly id: number; readonly rest: Rest };

/** The first line of a region of a snapshot that most pages of a site share. */
export const SHARED_REGION = /^@(?:banner|navigation|search|contentinfo)\b/;
