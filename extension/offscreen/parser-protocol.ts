import * as z from 'zod/mini';
import type { ArticleFacts, Coverage } from '../../shared/bridge/page.ts';
import type { PageKind } from '../../shared/tools/crawl/headers.ts';
import { Article } from '../ports/article.ts';
import {
  CoverageNotes,
  PageErrorFacts,
  PageJob,
  type JobKind,
  type PageError,
  type TextPart,
} from './protocol.ts';

/**
 * What the offscreen document and the parser's frame say to each other over a message channel, one page an id.
 *
 *     offscreen → frame   open, next, close
 *     frame → offscreen   opened, part, unknown, failed
 *
 * Each `open` and `next` has one answer. The offscreen document waits for it before it asks again, for any page: what
 * does not answer is the page that it asked for last.
 */
export const PARSER_PORT = 'spillway.parser';

/** A body to parse. */
export interface Source {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kind: PageKind;
  readonly contentType: string | null;
  /** Final address, without fragment. */
  readonly url: string;
  readonly what: Extract<JobKind, { kind: 'page' }>;
}

export interface ParsedFacts {
  readonly title: string;
  readonly canonical: string | null;
  readonly robots: readonly string[];
  readonly isShell: boolean;
  readonly coverage: readonly Coverage[];
  readonly article?: ArticleFacts | undefined;
  readonly error: PageError | null;
}

export type Step =
  | { readonly type: 'open'; readonly id: number; readonly source: Source }
  | { readonly type: 'next'; readonly id: number };

export type ToParser = Step | { readonly type: 'close'; readonly id: number };

export type FromParser =
  /** With the first part: most pages have no other. */
  | ({ readonly type: 'opened'; readonly id: number; readonly facts: ParsedFacts } & TextPart)
  | ({ readonly type: 'part'; readonly id: number } & TextPart)
  /** The page is not open: another frame had it. */
  | { readonly type: 'unknown'; readonly id: number }
  /** The page could not be read by a fault of ours. */
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

const Id = z.int();

export const ToParser = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('open'),
    id: Id,
    source: z.object({
      bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
      kind: z.enum(['html', 'xml', 'text', 'none']),
      contentType: z.nullable(z.string()),
      url: z.string(),
      what: PageJob,
    }),
  }),
  z.object({ type: z.literal('next'), id: Id }),
  z.object({ type: z.literal('close'), id: Id }),
]) satisfies z.ZodMiniType<ToParser>;

export const FromParser = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opened'),
    id: Id,
    facts: z.object({
      title: z.string(),
      canonical: z.nullable(z.string()),
      robots: z.array(z.string()),
      isShell: z.boolean(),
      coverage: CoverageNotes,
      article: z.optional(Article),
      error: PageErrorFacts,
    }),
    text: z.string(),
    isLast: z.boolean(),
  }),
  z.object({ type: z.literal('part'), id: Id, text: z.string(), isLast: z.boolean() }),
  z.object({ type: z.literal('unknown'), id: Id }),
  z.object({ type: z.literal('failed'), id: Id, message: z.string() }),
]) satisfies z.ZodMiniType<FromParser>;
