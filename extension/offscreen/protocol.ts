import * as z from 'zod/mini';
import type { ArticleFacts, Coverage } from '../../shared/bridge/page.ts';
import type { CrawlFormat } from '../../shared/tools/crawl/options.ts';
import { Article } from '../ports/article.ts';
import { ExtractRequest } from '../../shared/extract/plan.ts';

/**
 * What worker and offscreen document say to each other over the port `spillway.pages`, one job an
 * id.
 *
 *     worker → offscreen   fetch, pull, cancel
 *     offscreen → worker   part
 *
 * The offscreen document fetches by itself, and its parser's frame parses: a page's HTML never passes through the worker. The first
 * part is sent unasked, every further one for a `pull`, so that a slow reader stops the walk.
 */
export const PAGES_PORT = 'spillway.pages';

/** Text of one `part` in UTF-16 code units, about. */
export const PART_UNITS = 256 * 1024;

export type JobKind =
  /** Lines of `crawl.page`. */
  | {
      readonly kind: 'page';
      readonly format: CrawlFormat;
      readonly mainContentOnly: boolean;
      readonly extract: ExtractRequest | null;
    }
  /** The bare text (robots.txt, a sitemap), gzip undone. */
  | { readonly kind: 'resource' }
  /** The bytes in base64, as they come. */
  | { readonly kind: 'file' };

export interface FetchJob {
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** A page that is empty without its scripts is not written before a `pull`. */
  readonly holdsShell: boolean;
  readonly what: JobKind;
}

export type ToOffscreen =
  | { readonly type: 'fetch'; readonly id: number; readonly job: FetchJob }
  | { readonly type: 'pull'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number };

export interface TextPart {
  readonly text: string;
  readonly isLast: boolean;
}

/** Hands out a text part by part; not asked again after the last one. */
export interface Parts {
  next(): TextPart | Promise<TextPart>;
}

export interface FileHead {
  /** Without fragment. */
  readonly finalUrl: string;
  readonly isRedirected: boolean;
  readonly status: number;
  /** Keyed by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface PageError {
  readonly code: string;
  readonly message: string;
}

export interface FetchedPage {
  /** Without fragment. */
  readonly finalUrl: string;
  /** The address redirects, and the redirect was not followed. */
  readonly isMoved: boolean;
  readonly isRedirected: boolean;
  readonly status: number | null;
  readonly contentType: string | null;
  readonly title: string;
  readonly canonical: string | null;
  readonly robots: readonly string[];
  readonly retryAfterMs: number | null;
  readonly fetchMs: number;
  readonly parseMs: number;
  readonly sizeBytes: number;
  readonly coverage: readonly Coverage[];
  /** Of its main content, when only that was asked for. */
  readonly article?: ArticleFacts | undefined;
  readonly error: PageError | null;
  /** The network failed, now or while the body came: `webRequest` alone knows how. */
  readonly isBroken: boolean;
  /** Empty without its scripts. */
  readonly isShell: boolean;
}

export type FromOffscreen =
  | {
      readonly type: 'part';
      readonly id: number;
      /** Whole lines of `crawl.page`, or a part of a resource's text or of a file's base64. */
      readonly text: string;
      /** With the last part. */
      readonly done: FetchedPage | null;
      /** A shell is held back, `done` is known already: `pull` writes it anyway. */
      readonly isHeld?: boolean | undefined;
      /** With the first part of a file. */
      readonly head?: FileHead | undefined;
    }
  /** The page could not be read by a fault of ours. */
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

/**
 * The address that is fetched: its fragment, which no server ever sees, identifies the job to code that
 * watches `webRequest`. A redirect keeps it unless it has one of its own.
 */
export function taggedUrl(url: string, id: number): string {
  const tagged = new URL(url);
  tagged.hash = `${TAG}${id}`;
  return tagged.href;
}

const TAG = 'spillway-job-';

const TAGGED = new RegExp(`#${TAG}(\\d+)$`);

/** The job that an address was tagged for, or null. */
export function jobOfUrl(url: string): number | null {
  const id = TAGGED.exec(url)?.[1];
  return id === undefined ? null : Number(id);
}

// ---- the same as schemas, which the receiving end of the port parses with ---------------------------

const Id = z.int();

export const PageJob = z.object({
  kind: z.literal('page'),
  format: z.enum(['markdown', 'text', 'html', 'nodes']),
  mainContentOnly: z.boolean(),
  extract: z.nullable(ExtractRequest),
});

export const CoverageNotes = z.array(z.object({ kind: z.string(), detail: z.string() }));

export const PageErrorFacts = z.nullable(z.object({ code: z.string(), message: z.string() }));

const Job = z.object({
  url: z.string(),
  timeoutMs: z.number(),
  maxBytes: z.number(),
  holdsShell: z.boolean(),
  what: z.discriminatedUnion('kind', [PageJob, z.object({ kind: z.enum(['resource', 'file']) })]),
}) satisfies z.ZodMiniType<FetchJob>;

export const ToOffscreen = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fetch'), id: Id, job: Job }),
  z.object({ type: z.enum(['pull', 'cancel']), id: Id }),
]) satisfies z.ZodMiniType<ToOffscreen>;

const Fetched = z.object({
  finalUrl: z.string(),
  isMoved: z.boolean(),
  isRedirected: z.boolean(),
  status: z.nullable(z.int()),
  contentType: z.nullable(z.string()),
  title: z.string(),
  canonical: z.nullable(z.string()),
  robots: z.array(z.string()),
  retryAfterMs: z.nullable(z.number()),
  fetchMs: z.number(),
  parseMs: z.number(),
  sizeBytes: z.number(),
  coverage: CoverageNotes,
  article: z.optional(Article),
  error: PageErrorFacts,
  isBroken: z.boolean(),
  isShell: z.boolean(),
}) satisfies z.ZodMiniType<FetchedPage>;

const Head = z.object({
  finalUrl: z.string(),
  isRedirected: z.boolean(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
}) satisfies z.ZodMiniType<FileHead>;

export const FromOffscreen = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('part'),
    id: Id,
    text: z.string(),
    done: z.nullable(Fetched),
    isHeld: z.optional(z.boolean()),
    head: z.optional(Head),
  }),
  z.object({ type: z.literal('failed'), id: Id, message: z.string() }),
]) satisfies z.ZodMiniType<FromOffscreen>;
