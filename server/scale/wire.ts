import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { ExtractRequest } from '../../shared/extract/plan.ts';
import { Json } from '../../shared/json-schema.ts';
import { LIMITS } from '../../shared/limits.ts';
import { CrawlFormat, methods, RenderMode } from '../../shared/tools/crawl/methods.ts';
import type { CleanRecord } from '../redact/clean.ts';

/** Raised with every change that an older worker or home would misread. Each version has a queue of its own. */
export const QUEUE_WIRE = 3;
export const QUEUE_NAME = `spillway-${QUEUE_WIRE}`;

/** Of each request in the queue. */
export const JOB = {
  backoff: { type: 'exponential', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: { age: 3_600 },
} as const;

const asked = {
  /** The run: what sites store in a browser for one crawl is never sent in another. */
  crawl: z.string().max(64),
  /** Without secrets. */
  href: z.string(),
  /** Frames and redirects of private addresses are followed. */
  allow_private: z.boolean(),
  /** The answer of a private address is kept. */
  keep_private: z.boolean(),
  max_bytes: z.int().min(1),
};

/** One request of a crawl. */
export const Asked = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    ...asked,
    /** After each page of a host, across all workers; the strictest of the homes that ask counts. */
    delay_ms: z.int().min(0),
    render: RenderMode,
    format: CrawlFormat,
    main_content_only: z.boolean(),
    extract: z.nullable(ExtractRequest),
  }),
  z.object({ kind: z.literal('resource'), ...asked }),
]);
export type Asked = z.infer<typeof Asked>;

/** The result of a request: `PageRead` of a crawl, the text of a resource, or why there is neither. */
export const Answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    facts: methods['crawl.page'].result,
    links: z
      .array(z.object({ href: z.string(), text: z.string().optional(), isNofollow: z.boolean() }))
      .readonly(),
    content: z.union([z.string(), z.array(Json).readonly()]),
    contentHash: z.string().nullable(),
    found: z.array(Json).readonly().exactOptional(),
  }),
  z.object({ kind: z.literal('resource'), facts: methods['crawl.resource'].result, text: z.string() }),
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string() }),
]);
export type Answer = z.infer<typeof Answer>;

/** A worker's sign of life, every few seconds. */
export const Beat = z.object({ wire: z.int(), version: z.string(), lanes: z.int(), active: z.int() });
export type Beat = z.infer<typeof Beat>;

/** How long an answer waits for a home that is away. */
export const ANSWER_SECONDS = 3_600;
/** A worker that has not said anything for so long is gone. */
export const BEAT_SECONDS = 30;

export const KEYS = {
  answer: (id: string): string => `spillway:answer:${id}`,
  /** How politely a host is asked, and when it was asked last. */
  host: (origin: string): string => `spillway:host:${origin}`,
  workers: 'spillway:workers',
  worker: (id: string): string => `spillway:worker:${id}`,
};

/** The same for the same request of a crawl: a home that returns finds the answer, instead of asking twice. */
export const idOf = (given: Asked): string => `p${hash('sha256', JSON.stringify(given), 'hex').slice(0, 40)}`;

const compress = promisify(gzip);
const expand = promisify(gunzip);
/** Fast: pages shrink to a quarter, at a millisecond for 100 KB. */
const LEVEL = 1;
/** Of one message, as JSON. */
const UNPACKED_BYTES = 2 * LIMITS.sitemapBytes;

/** @throws SpillwayError `program_limit` for more than the other side reads, or than `mostBytes` */
export async function pack(value: CleanRecord, mostBytes = UNPACKED_BYTES): Promise<Buffer> {
  const text = Buffer.from(JSON.stringify(value));
  const most = Math.min(mostBytes, UNPACKED_BYTES);
  if (text.length <= most) return compress(text, { level: LEVEL });
  throw new SpillwayError(
    'program_limit',
    `A step of the program, or its record, has ${text.length} bytes; the queue passes on at most ${most}.`,
  );
}

/** Redis is as untrusted as a wire: null for what neither side wrote. */
export async function unpackAs<T>(schema: z.ZodType<T>, packed: Buffer): Promise<T | null> {
  try {
    const text = await expand(packed, { maxOutputLength: UNPACKED_BYTES });
    return schema.parse(JSON.parse(text.toString()));
  } catch {
    return null;
  }
}

/** An answer that no worker wrote is a failed page. */
export const unpack = async (packed: Buffer): Promise<Answer> =>
  (await unpackAs(Answer, packed)) ?? {
    kind: 'failed',
    code: 'page_crashed',
    message: 'The answer of a worker is unreadable.',
  };
