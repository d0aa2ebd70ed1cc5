import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { isErrorCode, type ErrorCode } from '../../shared/base/errors.ts';
import { cut } from '../../shared/base/cut.ts';
import { ExtractRequest } from '../../shared/libraries/values/plan.ts';
import { Json } from '../../shared/base/json-schema.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { CrawlFormat, methods, RenderMode } from '../../shared/crawl/crawl.methods.ts';
import type { CleanRecord } from '../libraries/redaction/clean.ts';
import { UNPACKED_BYTES } from './bounds.ts';
import type { QueueKey } from './key.ts';

/** Raised with every change that an older worker or home would misread. Each version has a queue of its own, and each key. */
export const QUEUE_WIRE = 5;
export const queueName = ({ name }: QueueKey): string => `spillway-${QUEUE_WIRE}-${name}`;

/** Of each request in the queue. */
export const JOB = {
  backoff: { type: 'exponential', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: { age: 3_600 },
} as const;

/** Of an address, as long as browsers request. */
const HREF_UNITS = 2_097_152;
/** The longest that `crawl` takes, and that robots.txt is granted. */
export const MAX_DELAY_MS = 600_000;

const asked = {
  /** The run: what sites store in a browser for one crawl is never sent in another. */
  crawl: z.string().max(64),
  /** Without secrets. */
  href: z.string().max(HREF_UNITS),
  /** Frames and redirects of private addresses are followed. */
  allow_private: z.boolean(),
  /** The answer of a private address is kept. */
  keep_private: z.boolean(),
  max_bytes: z.int().min(1).max(LIMITS.sitemapBytes),
};

/** One request of a crawl. */
export const Asked = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    ...asked,
    /** After each page of a host, across all workers; the strictest of the homes that ask counts. */
    delay_ms: z.int().min(0).max(MAX_DELAY_MS),
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

/** A worker's sign of life, every few seconds. It is not signed: a forged one makes a home wait, and no more. */
export const Beat = z.object({
  wire: z.int(),
  version: z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]{1,20})?$/),
  lanes: z.int().min(1).max(256),
  active: z.int(),
  /** Of its key. Versions before 4 have none. */
  key: z.string().exactOptional(),
});
export type Beat = z.infer<typeof Beat>;

/** How long an answer waits for a home that is away. */
export const ANSWER_SECONDS = 3_600;
/** How long a job can be replayed to a worker that has forgotten it. No clock differs by more. */
const JOB_MS = 86_400_000;
/** A worker that has not said anything for so long is gone. */
export const BEAT_SECONDS = 30;

export const KEYS = {
  answer: (id: string): string => `spillway:answer:${id}`,
  /** The ids of the requests of a home that were answered. */
  answered: (home: string): string => `spillway:answered:${home}`,
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

/** @throws Error for more than the other side reads */
export async function pack(value: CleanRecord): Promise<Buffer> {
  const text = Buffer.from(JSON.stringify(value));
  if (text.length <= UNPACKED_BYTES) return compress(text, { level: LEVEL });
  throw new Error(`An answer has ${text.length} bytes; the queue passes on at most ${UNPACKED_BYTES}.`);
}

/** Of a packed answer: gzip shrinks JSON, and links and facts come on top. */
export const answerBytes = ({ max_bytes: maxBytes }: Asked): number => 2 * maxBytes + 65_536;

/** The value in a packed message; null for any that the other side does not write. */
export async function unpackAs<T>(schema: z.ZodType<T>, packed: Buffer | null): Promise<T | null> {
  if (packed === null) return null;
  try {
    const text = await expand(packed, { maxOutputLength: UNPACKED_BYTES });
    return schema.parse(JSON.parse(text.toString()));
  } catch {
    return null;
  }
}

/** A request, as the data of a job has it: packed, sealed, and in base64. */
const Signed = z.object({
  /** When the home asked, on its clock. The answer repeats it. */
  at: z.int(),
  /** Hears of the answer. */
  home: z.string().max(64),
  asked: z.unknown(),
});
export type Signed = z.infer<typeof Signed>;

/** The data of a job, which workers with this key take. */
export async function signJob(key: QueueKey, id: string, signed: Signed): Promise<string> {
  const packed = await compress(JSON.stringify(signed), { level: LEVEL });
  return (await key.seal(['job', id], packed)).toString('base64');
}

/** A job that a home with this key has signed for this id within a day; null for any other. */
export async function openJob(
  key: QueueKey,
  { id = '', data }: { readonly id?: string | undefined; readonly data: unknown },
): Promise<Signed | null> {
  const sealed = Buffer.from(typeof data === 'string' ? data : '', 'base64');
  const signed = await unpackAs(Signed, await key.unseal(['job', id], sealed));
  return signed === null || Math.abs(Date.now() - signed.at) > JOB_MS ? null : signed;
}

/** An answer, with the time of the request that it is for. */
export const Answered = z.object({ at: z.int(), answer: Answer });

const MESSAGE_UNITS = 2_000;

/** A failure that a worker reports: its code is one of ours, and its message is the text of someone else. */
export const failureOf = ({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): { readonly code: ErrorCode; readonly message: string } => ({
  code: isErrorCode(code) ? code : 'page_crashed',
  message: cut(message, MESSAGE_UNITS),
});
