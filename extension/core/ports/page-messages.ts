import * as z from 'zod/mini';
import { PageFacts, type Coverage } from '../../../shared/core/bridge/page.ts';
import { isErrorCode, type ErrorCode } from '../../../shared/base/errors.ts';
import { STRATEGIES } from '../../../shared/libraries/values/plan.ts';
import type { TriedStrategy } from '../../../shared/libraries/values/request.ts';
import { RecordedAct } from '../../point/recorded-port.ts';

/*
 * Messages from content scripts, parsed by the worker. The scripts import only the types, so that no page loads a
 * parser.
 */

export type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Sent<T[Name]> }
    : T;

const Id = z.int();
const Numbers = z.array(z.number());
/** The last ref number that a request used; one less than the first if it used none. */
const used = { last: z.optional(z.int()) };

/** An unknown code counts as ours. */
export const Code = z.pipe(
  z.string(),
  z.transform((code): ErrorCode => (isErrorCode(code) ? code : 'internal_error')),
);

/** Why a request failed. */
export const Failed = z.object({
  type: z.literal('failed'),
  id: Id,
  code: Code,
  message: z.string(),
  ...used,
});

const Notes = z.array(z.object({ kind: z.string(), detail: z.string() })) satisfies z.ZodMiniType<Coverage[]>;

/** A frame that the walk cannot enter from its parent: another process or origin. */
export const FrameMark = z.object({
  /** Positions in `window.frames` from the top document down; -1 for a frame in a shadow tree. */
  path: Numbers,
  /** Number of the frame element within its document: the prefix of the frame's refs. */
  number: z.int(),
  /** Empty without an address. */
  src: z.string(),
  /** The accessible name; empty without one. */
  name: z.string(),
  /** Inner size of the frame element in CSS pixels, to tell unindexed frames apart. */
  width: z.number(),
  height: z.number(),
  prefix: z.string(),
  follows: z.boolean(),
});

export const SnapshotLeft = z.object({
  /** Where to continue, in the syntax of `read_page`: `e512..`; null if only removed elements were omitted. */
  ref: z.nullable(z.string()),
  /** The share of the document's elements from there on. */
  share: z.number(),
});

export const ReadDone = z.object({
  page: PageFacts,
  coverage: Notes,
  hiddenElements: z.int(),
  mainContent: z.enum(['not_asked', 'found', 'whole_page']),
  left: z.optional(z.nullable(SnapshotLeft)),
});

export const SnapshotReport = z.object({
  /** Maximum tokens of this part. */
  tokens: z.number(),
  /** It reports only changes since the last one. */
  isCompared: z.boolean(),
  /** The last one stopped at its budget. */
  isOpen: z.boolean(),
});

export const PageLink = z.object({
  url: z.string(),
  text: z.string(),
  /** Relations of the link, lower case: `nofollow`, `next`; `refresh` and `frame` for those elements. */
  rel: z.optional(z.string()),
});

export const DocumentSummary = z.object({
  title: z.string(),
  /** `<link rel=canonical>`, absolute. */
  canonical: z.nullable(z.string()),
  /** Directives of `<meta name=robots>`, lower case. */
  robots: z.array(z.string()),
  links: z.array(PageLink),
});

/** In CSS pixels. */
export const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const Boxed = z.object({
  /** In the top document's coordinates, or in a frame's viewport. */
  box: Box,
  isClipped: z.boolean(),
  /** Number of matches of the selector. */
  matches: z.int(),
  /** How a ref's element was found again; null for the same element. */
  note: z.nullable(z.string()),
  /** For a frame element: how to find its document, and the origin of its viewport. */
  frame: z.nullable(z.extend(FrameMark, { x: z.number(), y: z.number(), scale: z.number() })),
});

export const ScrollState = z.object({
  /** A digest of the page or virtual list, to detect new content. */
  fingerprint: z.string(),
  /** The scrolled part's greatest height so far, in pixels. */
  height: z.number(),
  /** Growth since the last step, in pixels. */
  grownPx: z.number(),
  /** The part being scrolled is at its end. */
  isAtEnd: z.boolean(),
  /** `known`: at this end and height more was already waited for; `fitting`: nothing scrolls. */
  end: z.enum(['new', 'fitting', 'known']),
  /** The part being scrolled scrolls itself back. */
  isStuck: z.boolean(),
  /** Every scrollable part has been scrolled to its end. */
  isOver: z.boolean(),
  /** Earlier content is gone: only visible content exists. */
  isLossy: z.boolean(),
  /** How many looks without a change mean that the window is complete. */
  looksToRest: z.int(),
  /** Looks follow the page's frames, of which a hidden page has none. */
  isPaced: z.boolean(),
  /** For lists that declare more rows than were seen: rows seen, and rows in total. */
  missingRows: z.nullable(z.object({ seen: z.number(), total: z.number() })),
});

export const FoundInDocument = z.object({
  /** One line per match, best first; the highest scores of all documents come first. */
  hits: z.array(z.object({ line: z.string(), score: z.number(), box: z.optional(Box) })),
  /** Further visible ones. */
  more: z.int(),
  /** False if there may be more. */
  isCounted: z.boolean(),
  /** Hidden ones. */
  hidden: z.int(),
  /** Partial matches, if there are no full ones. */
  nearest: z.array(z.string()),
  /** Frames whose documents must be asked separately. */
  frames: z.array(FrameMark),
});

/** Messages of the page-reading script, except those of acts. */
export const PAGE_MESSAGES = [
  z.object({
    type: z.literal('part'),
    id: Id,
    pieces: z.array(z.union([z.string(), FrameMark])),
    done: z.nullable(ReadDone),
    /** The walk waits for more numbers. */
    needsNumbers: z.boolean(),
    report: z.optional(SnapshotReport),
    ...used,
  }),
  z.object({ type: z.literal('started'), id: Id }),
  Failed,
  /** A person has done something that is being recorded. */
  z.object({ type: z.literal('recorded'), id: Id, act: RecordedAct }),
  z.object({
    type: z.literal('located'),
    id: Id,
    path: Numbers,
    url: z.string(),
    width: z.number(),
    height: z.number(),
  }),
  /** Changes of the document's tree since the first pulse, and whether its own scripts can no longer change it. */
  z.object({ type: z.literal('pulsed'), id: Id, changes: z.int(), isStatic: z.boolean() }),
  z.object({ type: z.literal('surveyed'), id: Id, survey: DocumentSummary }),
  z.object({ type: z.literal('boxed'), id: Id, boxed: Boxed, ...used }),
  z.object({ type: z.literal('scrolled'), id: Id, state: ScrollState }),
  z.object({ type: z.literal('found'), id: Id, found: FoundInDocument, ...used }),
  // The asker parses the answer: its form depends on the question.
  z.object({
    type: z.literal('acted'),
    id: Id,
    answer: z.unknown(),
    scriptId: z.string(),
    /** The page will tell how it has come to rest. */
    isResting: z.optional(z.boolean()),
    ...used,
  }),
] as const;

const PageMessage = z.discriminatedUnion('type', PAGE_MESSAGES);
export type PageMessage = z.infer<typeof PageMessage>;

export const FromAudit = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ran'),
    id: Id,
    /** JSON, for `finish`. */
    partial: z.string(),
    /** `mark` is null for a frame that is gone; `place` is the number of its element in findings. */
    frames: z.array(z.object({ mark: z.nullable(FrameMark), context: z.string(), place: z.string() })),
    /** Closed shadow roots, which were not checked. */
    closedRoots: z.int(),
    /** Rules that failed or that the time did not suffice for. */
    unfinished: z.array(z.string()),
  }),
  z.object({
    type: z.literal('finished'),
    id: Id,
    findings: z.array(
      z.object({
        rule: z.string(),
        impact: z.string(),
        tags: z.array(z.string()),
        message: z.string(),
        summary: z.string(),
        /** Its number in its document. */
        element: z.int(),
        /** The places of the frames that lead to its document, with commas. */
        frame: z.string(),
      }),
    ),
    undecided: z.int(),
    passed: z.int(),
  }),
  z.object({
    type: z.literal('shown'),
    id: Id,
    elements: z.array(
      z.nullable(z.object({ ref: z.string(), role: z.string(), name: z.string(), snippet: z.string() })),
    ),
    ...used,
  }),
  Failed,
]);

export const ExtractSummary = z.object({
  coverage: Notes,
  tried: z.array(
    z.object({ strategy: z.enum(STRATEGIES), records: z.int(), coverage: z.number() }),
  ) satisfies z.ZodMiniType<TriedStrategy[]>,
  /** Hidden records that were omitted. */
  hiddenRecords: z.int(),
  /** Documents that were searched. */
  frames: z.int(),
});

export const ExtractDone = z.object({
  page: PageFacts,
  summary: ExtractSummary,
  next: z.nullable(z.object({ url: z.nullable(z.string()), selector: z.string(), text: z.string() })),
});

export const FromExtract = z.discriminatedUnion('type', [
  z.object({ type: z.literal('part'), id: Id, text: z.string(), done: z.nullable(ExtractDone) }),
  z.object({ type: z.literal('started'), id: Id }),
  z.object({ type: z.literal('measured'), id: Id, state: z.string() }),
  Failed,
]);
