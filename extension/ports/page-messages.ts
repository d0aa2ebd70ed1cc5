import * as z from 'zod/mini';
import type { Coverage, PageFacts } from '../../shared/bridge/page.ts';
import { isErrorCode, type ErrorCode } from '../../shared/errors.ts';
import { STRATEGIES } from '../../shared/extract/plan.ts';
import type { TriedStrategy } from '../../shared/extract/request.ts';
import { Article } from './article.ts';

/*
 * What content scripts say to the worker, which parses it with these. The scripts take the types alone, so that no
 * page loads a parser.
 */

export type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Sent<T[Name]> }
    : T;

const Id = z.int();
const Numbers = z.array(z.number());
/** The last number for refs that a request used; one less than the first when it used none. */
const used = { last: z.optional(z.int()) };

/** Why a request failed. A code that this version does not know counts as ours. */
export const Failed = z.object({
  type: z.literal('failed'),
  id: Id,
  code: z.pipe(
    z.string(),
    z.transform((code): ErrorCode => (isErrorCode(code) ? code : 'internal_error')),
  ),
  message: z.string(),
  ...used,
});

const Facts = z.object({
  url: z.string(),
  title: z.string(),
  lang: z.nullable(z.string()),
  content_type: z.string(),
  ready_state: z.enum(['loading', 'interactive', 'complete']),
  frames: z.int(),
  article: z.optional(Article),
}) satisfies z.ZodMiniType<PageFacts>;

const Notes = z.array(z.object({ kind: z.string(), detail: z.string() })) satisfies z.ZodMiniType<Coverage[]>;

/** A frame that the walk could not enter from its parent: another process, another origin. */
export const FrameMark = z.object({
  /** Positions in `window.frames` from the top document down; -1 for a frame in a shadow tree. */
  path: Numbers,
  /** Number of the frame element within its document: becomes the prefix of the frame's refs. */
  number: z.int(),
  /** Empty when nothing. */
  src: z.string(),
  /** Its accessible name; empty when it has none. */
  name: z.string(),
  /** Inner size of the frame element in CSS pixels, to tell unindexed frames apart. */
  width: z.number(),
  height: z.number(),
  prefix: z.string(),
  follows: z.boolean(),
});

export const SnapshotLeft = z.object({
  /** Where to read on, as `read_page` takes it: `e512..`; null where only what is gone was left out. */
  ref: z.nullable(z.string()),
  /** The share of the document's elements that comes from there on. */
  share: z.number(),
});

export const ReadDone = z.object({
  page: Facts,
  coverage: Notes,
  hiddenElements: z.int(),
  mainContent: z.enum(['not_asked', 'found', 'whole_page']),
  left: z.optional(z.nullable(SnapshotLeft)),
});

export const SnapshotReport = z.object({
  /** Tokens of this part, at most. */
  tokens: z.number(),
  /** It says what changed since the last one. */
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
  /** Elements that the selector names. */
  matches: z.int(),
  /** How the element of a ref was found again; null for the very element. */
  note: z.nullable(z.string()),
  /** For a frame's element: how to find its document, and where its viewport begins. */
  frame: z.nullable(z.extend(FrameMark, { x: z.number(), y: z.number(), scale: z.number() })),
});

export const ScrollState = z.object({
  /** A digest of the page, or of a list that holds only the rows in view, to tell whether more came. */
  fingerprint: z.string(),
  /** The greatest height so far of the scrolled part, in pixels. */
  height: z.number(),
  /** By how many pixels that is more than before the last step. */
  grownPx: z.number(),
  /** The part that is scrolled now is at its end. */
  isAtEnd: z.boolean(),
  /** More was waited for at this end before, and the part is as high as it was then; or it does not scroll at all. */
  end: z.enum(['new', 'fitting', 'known']),
  /** The part that is scrolled now scrolls itself back. */
  isStuck: z.boolean(),
  /** Every part that scrolls has been scrolled to its end. */
  isOver: z.boolean(),
  /** Content that was seen earlier is gone: only what is in view exists. */
  isLossy: z.boolean(),
  /** How many looks without a change mean that the window is complete. */
  looksToRest: z.int(),
  /** Looks come with the frames of the page, which has no frames while it is hidden. */
  isPaced: z.boolean(),
  /** For the lists that count their rows and miss some: rows that were seen, and rows that there are. */
  missingRows: z.nullable(z.object({ seen: z.number(), total: z.number() })),
});

export const FoundInDocument = z.object({
  /** A line each, best first; of all documents of a page those with the highest scores come first. */
  hits: z.array(z.object({ line: z.string(), score: z.number() })),
  /** Further ones that can be seen. */
  more: z.int(),
  /** False where there may be more than that. */
  isCounted: z.boolean(),
  /** Those that cannot be seen. */
  hidden: z.int(),
  /** Lines of what has a part of what is sought, where nothing has it all. */
  nearest: z.array(z.string()),
  /** Frames whose documents have to be asked themselves. */
  frames: z.array(FrameMark),
});

/** The messages of the script that reads pages, but for what it witnesses of input. */
export const PAGE_MESSAGES = [
  z.object({
    type: z.literal('part'),
    id: Id,
    pieces: z.array(z.union([z.string(), FrameMark])),
    done: z.nullable(ReadDone),
    /** The walk waits until it is lent more numbers. */
    needsNumbers: z.boolean(),
    report: z.optional(SnapshotReport),
    ...used,
  }),
  z.object({ type: z.literal('started'), id: Id }),
  Failed,
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
  z.object({ type: z.literal('acted'), id: Id, answer: z.unknown(), ...used }),
] as const;

const PageMessage = z.discriminatedUnion('type', PAGE_MESSAGES);
export type PageMessage = z.infer<typeof PageMessage>;

export const ExtractSummary = z.object({
  coverage: Notes,
  tried: z.array(
    z.object({ strategy: z.enum(STRATEGIES), records: z.int(), coverage: z.number() }),
  ) satisfies z.ZodMiniType<TriedStrategy[]>,
  /** Invisible records that were omitted. */
  hiddenRecords: z.int(),
  /** Documents that were searched. */
  frames: z.int(),
});

export const ExtractDone = z.object({
  page: Facts,
  summary: ExtractSummary,
  next: z.nullable(z.object({ url: z.nullable(z.string()), selector: z.string(), text: z.string() })),
});

/** The messages of the extraction script. */
export const FromExtract = z.discriminatedUnion('type', [
  z.object({ type: z.literal('part'), id: Id, text: z.string(), done: z.nullable(ExtractDone) }),
  z.object({ type: z.literal('started'), id: Id }),
  z.object({ type: z.literal('measured'), id: Id, state: z.string() }),
  Failed,
]);
