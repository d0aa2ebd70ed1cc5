import * as z from 'zod/mini';
import type { CrawlFormat } from '../../../shared/crawl/crawl.methods.ts';
import { Article } from '../../read/article-port.ts';
import type { Sent } from '../ports/page-messages.ts';
import { ExtractRequest } from '../../../shared/libraries/values/plan.ts';

/**
 * Messages between worker and offscreen document over the port `spillway.pages`, one job per id.
 *
 *     worker → offscreen   fetch, film, pull, cancel, clipboard
 *     offscreen → worker   part, filmed, clipboard
 *
 * The offscreen document fetches on its own, and its parser's frame parses: a page's HTML never passes through the
 * worker. The first part is sent unasked, each further one for a `pull`, so that a slow reader pauses the walk.
 */
export const PAGES_PORT = 'spillway.pages';

/** Approximate text of one `part`, in UTF-16 code units. */
export const PART_UNITS = 256 * 1024;

const Id = z.int();

/** Lines of `crawl.page`. */
export const PageJob = z.object({
  kind: z.literal('page'),
  format: z.enum(['markdown', 'text', 'html', 'nodes']) satisfies z.ZodMiniType<CrawlFormat>,
  mainContentOnly: z.boolean(),
  extract: z.nullable(ExtractRequest),
});
export type PageJob = Readonly<z.infer<typeof PageJob>>;

const FetchJob = z.object({
  url: z.string(),
  timeoutMs: z.number(),
  maxBytes: z.number(),
  /** A page that is empty without its scripts is not written before a `pull`. */
  holdsShell: z.boolean(),
  what: z.discriminatedUnion('kind', [
    PageJob,
    /** The bare text (robots.txt, a sitemap), ungzipped; or the raw bytes in base64. */
    z.object({ kind: z.enum(['resource', 'file']) }),
  ]),
});
export type FetchJob = Readonly<z.infer<typeof FetchJob>>;

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const At = z.number();

/** A step of a video, in order. Times are in milliseconds since the epoch, lengths in CSS pixels of the view. */
export const FilmStep = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('begin'),
    at: At,
    format: z.enum(['webm', 'gif']),
    width: z.int(),
    maxBytes: z.int(),
  }),
  z.object({
    is: z.literal('picture'),
    at: At,
    /** A JPEG in base64. */
    data: z.string(),
    view: z.object({ width: z.number(), height: z.number() }),
    /** Painted over. */
    covers: z.array(Box),
  }),
  z.object({
    is: z.literal('act'),
    at: At,
    text: z.string(),
    box: z.nullable(Box),
    point: z.nullable(z.object({ x: z.number(), y: z.number() })),
  }),
  /** In place of a picture. */
  z.object({ is: z.literal('card'), at: At, text: z.string() }),
  z.object({ is: z.literal('end'), at: At }),
]);
export type FilmStep = Readonly<z.infer<typeof FilmStep>>;

const FilmFacts = z.object({
  width: z.int(),
  height: z.int(),
  frames: z.int(),
  videoMs: z.int(),
  sizeBytes: z.int(),
  isFull: z.boolean(),
});
export type FilmFacts = Sent<z.infer<typeof FilmFacts>>;

export const ToOffscreen = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fetch'), id: Id, job: FetchJob }),
  z.object({ type: z.literal('film'), id: Id, step: FilmStep }),
  z.object({ type: z.enum(['pull', 'cancel']), id: Id }),
  /** Null reads it. */
  z.object({ type: z.literal('clipboard'), id: Id, text: z.nullable(z.string()) }),
]);
export type ToOffscreen = z.infer<typeof ToOffscreen>;

export interface TextPart {
  readonly text: string;
  readonly isLast: boolean;
}

/** Returns a text part by part; not called again after the last one. */
export interface Parts {
  next(): TextPart | Promise<TextPart>;
}

const FileHead = z.object({
  /** Without fragment. */
  finalUrl: z.string(),
  isRedirected: z.boolean(),
  status: z.int(),
  /** Names in lower case. */
  headers: z.record(z.string(), z.string()),
});
export type FileHead = Sent<z.infer<typeof FileHead>>;

const PageError = z.object({ code: z.string(), message: z.string() });
export type PageError = Sent<z.infer<typeof PageError>>;

/** The facts that a page states itself. */
export const ParsedFacts = z.object({
  title: z.string(),
  canonical: z.nullable(z.string()),
  robots: z.array(z.string()),
  /** Empty without its scripts. */
  isShell: z.boolean(),
  /** Content that could not be read. */
  coverage: z.array(z.object({ kind: z.string(), detail: z.string() })),
  /** Facts of its main content, if only that was requested. */
  article: z.optional(Article),
  error: z.nullable(PageError),
});
export type ParsedFacts = Sent<z.infer<typeof ParsedFacts>>;

const FetchedPage = z.extend(ParsedFacts, {
  /** Without fragment. */
  finalUrl: z.string(),
  /** The address redirects, and the redirect was not followed. */
  isMoved: z.boolean(),
  isRedirected: z.boolean(),
  status: z.nullable(z.int()),
  contentType: z.nullable(z.string()),
  retryAfterMs: z.nullable(z.number()),
  fetchMs: z.number(),
  parseMs: z.number(),
  sizeBytes: z.number(),
  /** The network failed, before or during the body: only `webRequest` knows how. */
  isBroken: z.boolean(),
});
export type FetchedPage = Sent<z.infer<typeof FetchedPage>>;

export const FromOffscreen = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('part'),
    id: Id,
    /** Whole lines of `crawl.page`, or a part of a resource's text or of a file's base64. */
    text: z.string(),
    /** With the last part. */
    done: z.nullable(FetchedPage),
    /** An empty page is held back, `done` is already known: `pull` writes it anyway. */
    isHeld: z.optional(z.boolean()),
    /** With the first part of a file. */
    head: z.optional(FileHead),
  }),
  /** A part of a video in base64; its facts come with the last. */
  z.object({ type: z.literal('filmed'), id: Id, text: z.string(), facts: z.nullable(FilmFacts) }),
  /** Null if the browser refused. */
  z.object({ type: z.literal('clipboard'), id: Id, text: z.nullable(z.string()) }),
  /** The page could not be read because of a fault of ours. */
  z.object({ type: z.literal('failed'), id: Id, message: z.string() }),
]);
export type FromOffscreen = Sent<z.infer<typeof FromOffscreen>>;

/**
 * The address to fetch: its fragment, which no server ever sees, identifies the job to code that watches `webRequest`.
 * A redirect keeps it unless it has one of its own.
 */
export function taggedUrl(url: string, id: number): string {
  const tagged = new URL(url);
  tagged.hash = `${TAG}${id}`;
  return tagged.href;
}

const TAG = 'spillway-job-';

const TAGGED = new RegExp(`#${TAG}(\\d+)$`);

/** The job in a tagged address, or null. */
export function jobOfUrl(url: string): number | null {
  const id = TAGGED.exec(url)?.[1];
  return id === undefined ? null : Number(id);
}
