import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { inShort, parseStart } from '../../../shared/base/in-short.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { ServerMethodResult, ServerMethods } from '../../../shared/core/bridge/server-methods.ts';
import type { MimeType } from '../../../shared/base/mime.ts';
import type { OutputDescriptor, OutputPage, OversizedItem } from '../../../shared/core/descriptor.ts';
import type { Clean, CleanBytes, CleanText } from '../../libraries/redaction/clean.ts';
import type { OutputRequest, Outcome, RawPayload, ContentBlock } from '../result.ts';
import type { z } from 'zod';
import type { ocOutputFetch, ocOutputQuery } from '../../../shared/outputs/outputs.manifest.ts';
import { LIMITS } from '../../../shared/base/limits.ts';

export interface DeliverOptions extends OutputRequest {
  readonly tool: string;
  /** Bytes of the adapter's envelope around `content` (request id included), without escaping. */
  readonly envelopeBytes: number;
  readonly signal: AbortSignal;
  /** Answers `structured` too: always, only if the payload was stored, or only for inline JSON. */
  readonly structured: boolean | 'stored' | 'inline';
  /** The reader of a handle has `oc_output_query`: default false. */
  readonly canQuery?: boolean;
  /** Notes known only after consumption; called once, after `done`. */
  readonly notes: (outcome: Outcome) => readonly CleanText[];
}

export interface Delivered {
  readonly content: readonly [ContentBlock, ...ContentBlock[]];
  readonly outcome: Outcome;
  readonly descriptor?: OutputDescriptor;
  /** The payload as an object, a list as `{ items }`; the descriptor if it was stored. */
  readonly structured?: JsonObject;
}

/** Validated arguments of `oc_output_fetch`. */
export type FetchRequest = z.output<typeof ocOutputFetch.input>;

export interface StoredFacts {
  readonly mimeType: string;
  readonly kind: RawPayload['kind'];
  /** Null if it has no items. */
  readonly itemCount: number | null;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Where the page text in it comes from; null if none. */
  readonly untrustedFrom: CleanText | null;
}

/** A page, and the facts of its second block: unit, encoding, content type. */
export interface FetchedPage {
  readonly page: Clean<OutputPage>;
  readonly note: string;
  readonly stored: StoredFacts;
  /** The requested picture; `page` says where it belongs. */
  readonly picture?: { readonly mimeType: MimeType; readonly bytes: CleanBytes };
}

/**
 * Searches a stored output for a few seconds at most (`server/outputs/query/search.ts`).
 * @throws SpillwayError `output_handle_not_found`, `invalid_format_for_payload`
 */
export type OutputSearch = ServerMethods['outputs.search'];

export type FoundText = ServerMethodResult<'outputs.search'>['matches'][number];

/** A stored output, as people see it. */
export interface ListedOutput {
  readonly handle: string;
  readonly source_tool: string;
  readonly mime_type: MimeType;
  readonly kind: RawPayload['kind'];
  readonly size_bytes: number;
  readonly item_count: number | null;
  /** Where the page text in it comes from; null if none. */
  readonly page: CleanText | null;
  /** Milliseconds since the epoch. */
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  /** Why it does not expire, and since when; null if it does. */
  readonly kept: KeptFacts | null;
}

/** Why an output is kept. Unreadable members are null: it stays kept. */
export interface KeptFacts {
  readonly note: CleanText | null;
  /** Milliseconds since the epoch. */
  readonly since_ms: number | null;
  readonly by: KeptBy;
}

/** Who keeps an output. */
export type KeptBy = 'agent' | 'person';

export interface KeptUsage {
  readonly kept: KeptFacts | null;
  readonly expires_at_ms: number;
  readonly keptBytes: number;
  readonly keptMaxBytes: number;
}

/** Validated arguments of `oc_output_query`: one question. */
export type QueryRequest = z.output<typeof ocOutputQuery.input>;

/** `total`: items or bytes of the output; rows if all were counted. */
interface QueryPage extends Omit<OutputPage, 'content' | 'oversized'> {
  readonly content: readonly JsonValue[];
}

export interface QueriedPage {
  readonly page: Clean<QueryPage>;
  readonly notes: readonly string[];
  readonly stored: StoredFacts;
}

/** The place of one item in the stored array, without separators. */
export interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

export interface ItemsRequest {
  readonly offset: number;
  readonly limit: number | undefined;
  /** Bytes that `content` and `oversized` may take in the page's JSON, without their brackets. */
  readonly pageBytes: number;
}

/** A stored output, or the items of a run so far, open for reading. */
export interface OpenOutput {
  readonly meta: {
    /** Of a run, its id. */
    readonly handle: string;
    readonly kind: RawPayload['kind'];
    readonly mime_type: MimeType;
    readonly size_bytes: number;
    readonly item_count: number | null;
    readonly expires_at_ms: number;
    readonly untrusted_from: CleanText | null;
  };
  /** Bytes `start … end`, which must exist. */
  read(start: number, end: number): Promise<Buffer>;
  /** The places of items `first … first + count`, as far as they exist. */
  spans(first: number, count: number): Promise<readonly ItemSpan[]>;
  close(): Promise<void>;
}

/** A page of items of any owner. */
export interface ItemPage {
  readonly offset: number;
  /** The limit that was applied. */
  readonly limit: number;
  readonly returned: number;
  readonly total: number;
  /** Where the next page begins, even if it does not exist yet. */
  readonly next: number;
  /** As stored, so that it is clean: the mark is the caller's. */
  readonly content: readonly JsonValue[];
  readonly oversized: readonly OversizedItem[];
}

/** Bytes of an item that is cut because it is too large for a page. */
const EXCERPT_BYTES = 4_096;
/** Of a larger item, this much is read. */
const READ_BYTES = 4 * 1024 * 1024;

/** Bytes of an excerpt that fits a page several times. */
export const excerptBytes = (pageBytes: number): number => Math.min(EXCERPT_BYTES, Math.floor(pageBytes / 4));

/** The call that reads the JSON of an item, or a whole output; its `next_offset` continues. */
export function readWith(handle: string, span?: ItemSpan): JsonObject {
  const place = span && {
    offset: span.start,
    limit: Math.min(span.end - span.start, LIMITS.outputFetchBytesMax),
  };
  return { tool: 'oc_output_fetch', arguments: { output_handle: handle, format: 'bytes', ...place } };
}

/** A value with its long parts cut to fit `maxBytes`, and `marks`, which always come. */
export function excerptOf(value: JsonValue, marks: JsonObject, maxBytes: number): JsonObject {
  for (let units = maxBytes; units > 0; units >>>= 1) {
    const short = inShort(value, { units });
    const shown = isObject(short) ? { ...short, ...marks } : { begins: short, ...marks };
    if (Buffer.byteLength(JSON.stringify(shown)) <= maxBytes) return shown;
  }
  return marks;
}

/** Neighbouring items to read at once, or one that is too large for any page. */
interface Run {
  readonly spans: ItemSpan[];
  readonly oversized: OversizedItem | null;
}

/**
 * One page of items: one look at the index, and one read of the items unless a too large one lies between
 * others, of which an excerpt comes.
 * @throws SpillwayError `store_corrupt` for items that are not JSON
 */
export async function cutItemPage(output: OpenOutput, request: ItemsRequest): Promise<ItemPage> {
  const { offset, pageBytes } = request;
  const total = output.meta.item_count ?? 0;
  const limit = Math.min(request.limit ?? LIMITS.outputFetchItems, LIMITS.outputFetchItemsMax);
  const wanted = Math.min(limit, Math.max(0, total - offset));
  const spans = wanted === 0 ? [] : await output.spans(offset, wanted);
  const runs = cutRuns(spans, { offset, pageBytes }, output.meta.handle);
  const content: JsonValue[] = [];
  // One after the other: an excerpt reads much more than it takes.
  for (const run of runs)
    content.push(
      ...(run.oversized === null
        ? await readItems(output, run.spans)
        : [await readExcerpt(output, run.oversized, pageBytes)]),
    );
  const oversized = runs.flatMap((run) => run.oversized ?? []);
  const next = Math.min(offset, total) + content.length;
  return { offset, limit, returned: content.length, total, next, content, oversized };
}

/** The lines of neighbouring items form an array, apart from the brackets. */
async function readItems(output: OpenOutput, spans: readonly ItemSpan[]): Promise<readonly JsonValue[]> {
  const [start, end] = [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0];
  const items = jsonIn(`[${(await output.read(start, end)).toString('utf8')}]`);
  if (isJsonList(items) && items.length === spans.length) return items;
  throw new SpillwayError(
    'store_corrupt',
    `${output.meta.handle} is damaged: its items from byte ${start} are not JSON.`,
  );
}

async function readExcerpt(output: OpenOutput, item: OversizedItem, pageBytes: number): Promise<JsonValue> {
  const { byte_offset: start, size_bytes: size } = item;
  const text = (await output.read(start, start + Math.min(size, READ_BYTES))).toString('utf8');
  return excerptOf(parseStart(text), marksOf(output.meta.handle, item), excerptBytes(pageBytes));
}

const marksOf = (handle: string, { byte_offset: start, size_bytes: size }: OversizedItem): JsonObject => ({
  oversized_bytes: size,
  read_with: readWith(handle, { start, end: start + size }),
});

/** Takes items while they fit; always takes the first, so that each page advances. */
function cutRuns(
  spans: readonly ItemSpan[],
  page: { offset: number; pageBytes: number },
  handle: string,
): Run[] {
  const runs: Run[] = [];
  let used = 0;
  for (const [position, span] of spans.entries()) {
    const sizeBytes = span.end - span.start;
    const item = { index: page.offset + position, byte_offset: span.start, size_bytes: sizeBytes };
    const oversized = sizeBytes > page.pageBytes ? item : null;
    const marks = JSON.stringify(marksOf(handle, item)).length;
    const excerpt = Math.max(excerptBytes(page.pageBytes), marks) + 1 + JSON.stringify(item).length;
    const size = (oversized === null ? sizeBytes : excerpt) + (position === 0 ? 0 : 1);
    if (position > 0 && used + size > page.pageBytes) break;
    used += size;
    const run = runs.at(-1);
    if (run && oversized === null && run.oversized === null) run.spans.push(span);
    else runs.push({ spans: [span], oversized });
  }
  return runs;
}
