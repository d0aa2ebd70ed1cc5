import * as z from 'zod/mini';
import type { PageKind } from '../../../shared/core/page-headers.ts';
import type { Sent } from '../ports/page-messages.ts';
import { PageJob, ParsedFacts } from './protocol.ts';

/**
 * Messages between the offscreen document and the parser's frame over a message channel, one page per id.
 *
 *     offscreen → frame   open, next, close
 *     frame → offscreen   opened, part, unknown, failed
 *
 * Each `open` and `next` has one answer. The offscreen document waits for it before its next request for any page,
 * so a missing answer identifies the page at fault.
 */
export const PARSER_PORT = 'spillway.parser';

const Id = z.int();

/** A body to parse. */
const Source = z.object({
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
  kind: z.enum(['html', 'xml', 'text', 'none']) satisfies z.ZodMiniType<PageKind>,
  contentType: z.nullable(z.string()),
  /** The header `Refresh`. */
  refresh: z.nullable(z.string()),
  /** Final address, without fragment. */
  url: z.string(),
  what: PageJob,
});
export type Source = Readonly<z.infer<typeof Source>>;

export const ToParser = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), id: Id, source: Source }),
  z.object({ type: z.literal('next'), id: Id }),
  z.object({ type: z.literal('close'), id: Id }),
]);
export type ToParser = z.infer<typeof ToParser>;
/** Has an answer. */
export type Step = Exclude<ToParser, { type: 'close' }>;

const part = { text: z.string(), isLast: z.boolean() };
export const FromParser = z.discriminatedUnion('type', [
  /** With the first part: most pages have no other. */
  z.object({ type: z.literal('opened'), id: Id, facts: ParsedFacts, ...part }),
  z.object({ type: z.literal('part'), id: Id, ...part }),
  /** The page is not open: another frame had it. */
  z.object({ type: z.literal('unknown'), id: Id }),
  /** The page could not be read because of a fault of ours. */
  z.object({ type: z.literal('failed'), id: Id, message: z.string() }),
]);
export type FromParser = Sent<z.infer<typeof FromParser>>;
