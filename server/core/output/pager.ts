import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import type { OutputPage } from '../../../shared/core/descriptor.ts';
import {
  cutItemPage,
  type ItemsRequest,
  type OpenOutput,
  type FetchedPage,
  type FetchRequest,
  type StoredFacts,
} from './index.ts';
import { vouch, vouchBytes } from '../../libraries/redaction/mark.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { boundaryAfter, boundaryBefore, sizeOfEscaped, unfit, wrongKind } from './format.ts';
import { withOutput } from './reader.ts';
import { MIME, type MimeType } from '../../../shared/base/mime.ts';
import { Json, parseJson } from '../../../shared/base/json-schema.ts';

interface BytesRequest {
  readonly offset: number;
  readonly limit: number;
  /** Bytes that `content` may take in the page's JSON, without its quotes. */
  readonly pageBytes: number;
}

/** Bytes read around a page, so that the nearest boundaries can be named. */
const MARGIN_BYTES = 3;

type PageFacts = Pick<OutputPage, 'offset' | 'limit' | 'returned' | 'total'>;

function pageOf(handle: string, facts: PageFacts, content: OutputPage['content']): OutputPage {
  const { offset, limit, returned, total } = facts;
  const next = Math.min(offset, total) + returned;
  const eof = next >= total;
  const next_offset = eof ? null : next;
  return { output_handle: handle, offset, limit, returned, total, next_offset, content, eof };
}

/**
 * One page of bytes. Following `next_offset` and joining `content` (base64 decoded page by page)
 * gives the stored bytes.
 * @throws `limit_too_small`, `invalid_offset`, `invalid_format_for_payload`
 */
async function fetchBytesPage(
  output: OpenOutput,
  encoding: 'utf8' | 'base64',
  request: BytesRequest,
): Promise<OutputPage> {
  const { offset, limit } = request;
  const { handle, size_bytes: total } = output.meta;
  if (encoding === 'utf8' && limit < LIMITS.outputFetchUtf8Min)
    throw new SpillwayError(
      'limit_too_small',
      `limit ${limit} of ${handle} is below ${LIMITS.outputFetchUtf8Min} bytes, the longest character.`,
    );
  if (offset >= total) return pageOf(handle, { offset, limit, returned: 0, total }, '');
  const bytes = await (encoding === 'utf8' ? cutText : cutBytes)(output, request);
  const content = encoding === 'utf8' ? decode(bytes, handle) : bytes.toString('base64');
  return pageOf(handle, { offset, limit, returned: bytes.length, total }, content);
}

/** The bytes whose base64 fits the page. */
function cutBytes(output: OpenOutput, { offset, limit, pageBytes }: BytesRequest): Promise<Buffer> {
  const fitting = Math.max(1, Math.floor(pageBytes / 4) * 3);
  return output.read(offset, Math.min(offset + Math.min(limit, fitting), output.meta.size_bytes));
}

/** Whole characters that fit the page. */
async function cutText(output: OpenOutput, { offset, limit, pageBytes }: BytesRequest): Promise<Buffer> {
  const { handle, size_bytes: total } = output.meta;
  const from = Math.max(0, offset - MARGIN_BYTES);
  const most = Math.min(limit, Math.max(pageBytes, LIMITS.outputFetchUtf8Min));
  const bytes = await output.read(from, Math.min(offset + most + MARGIN_BYTES, total));
  const start = offset - from;
  const [before, after] = [boundaryBefore(bytes, start), boundaryAfter(bytes, start)];
  if (before !== after)
    throw new SpillwayError(
      'invalid_offset',
      `offset ${offset} of ${handle} is inside a character; the nearest offsets are ${from + before} and ${from + after}.`,
    );
  const end = findEnd(bytes, { start, most: Math.min(most, total - offset), pageBytes });
  return bytes.subarray(start, end);
}

/** The last boundary that limit and page size allow, at least one character further. */
function findEnd(bytes: Buffer, cut: { start: number; most: number; pageBytes: number }): number {
  let end = cut.start;
  let escaped = 0;
  while (end < cut.start + cut.most) {
    escaped += sizeOfEscaped(bytes[end] ?? 0);
    if (escaped > cut.pageBytes) break;
    end += 1;
  }
  const boundary = boundaryBefore(bytes, end);
  return boundary > cut.start ? boundary : boundaryAfter(bytes, cut.start + 1);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array, handle: string): string {
  try {
    return decoder.decode(bytes);
  } catch (thrown) {
    throw unfit(`${handle} is not UTF-8 here.`, 'Use encoding "base64" for this handle.', thrown);
  }
}

async function fetchItemsPage(output: OpenOutput, request: ItemsRequest): Promise<OutputPage> {
  const { content, oversized, ...facts } = await cutItemPage(output, request);
  const page = pageOf(output.meta.handle, facts, [...content]);
  return oversized.length === 0 ? page : { ...page, oversized: [...oversized] };
}

export type OutputPager = ReturnType<typeof createOutputPager>;

/**
 * Redeems handles page by page. Both throw SpillwayError `output_handle_not_found`.
 * @param pageBytes `--output-page-bytes`: serialised content of one page
 */
export function createOutputPager(store: { open(handle: string): Promise<OpenOutput> }, pageBytes: number) {
  return {
    fetch: async (request: FetchRequest, signal: AbortSignal): Promise<FetchedPage> => {
      signal.throwIfAborted();
      return await withOutput(store, request.output_handle, async (output) => {
        signal.throwIfAborted();
        return await fetchPage(output, request, pageBytes);
      });
    },
    facts: (handle: string) => withOutput(store, handle, async ({ meta }) => factsOf(meta)),
  };
}

export const factsOf = ({
  mime_type,
  kind,
  item_count,
  expires_at_ms,
  untrusted_from,
}: OpenOutput['meta']): StoredFacts => ({
  mimeType: mime_type,
  kind,
  itemCount: item_count,
  expiresAtMs: expires_at_ms,
  untrustedFrom: untrusted_from,
});

async function fetchPage(output: OpenOutput, request: FetchRequest, pageBytes: number): Promise<FetchedPage> {
  const { meta } = output;
  const { offset, limit, format } = request;
  const stored = factsOf(meta);
  if (format === 'image') {
    const { page, mimeType, bytes } = await fetchPicture(output, offset);
    const note = `Picture ${offset} of ${page.total}, counted from 0: ${JSON.stringify(page.content)}. ${nextNote(page)}`;
    return { page: vouch(page), note, stored, picture: { mimeType, bytes: vouchBytes(bytes) } };
  }
  const isItems = meta.kind === 'items';
  if (format === 'items' && !isItems) throw wrongKind(meta, 'not items');
  if (isItems && format !== 'bytes') {
    const page = await fetchItemsPage(output, { offset, limit, pageBytes });
    const unit = page.oversized ? CUT_UNIT : 'items';
    return { page: vouch(page), note: noteOf(meta, unit), stored };
  }
  const encoding = request.encoding === 'auto' ? naturalEncoding(meta) : request.encoding;
  const most = Math.min(limit ?? LIMITS.outputFetchBytes, LIMITS.outputFetchBytesMax);
  const page = await fetchBytesPage(output, encoding, { offset, limit: most, pageBytes });
  const unit = encoding === 'utf8' ? 'bytes of UTF-8' : 'bytes in base64';
  return { page: vouch(page), note: noteOf(meta, unit), stored };
}

const CUT_UNIT =
  'items. Those with oversized_bytes are cut: read_with is the call that reads one, whose next_offset continues';

/** Text or JSON was stored as UTF-8; nothing is known about other bytes. */
const naturalEncoding = (meta: OpenOutput['meta']): 'utf8' | 'base64' =>
  meta.kind === 'bytes' ? 'base64' : 'utf8';

const nextNote = ({ next_offset: next }: OutputPage): string =>
  next === null ? 'It is the last.' : `The next: offset ${next}.`;

const noteOf = (meta: OpenOutput['meta'], unit: string): string => `Unit: ${unit}. Type: ${meta.mime_type}.`;

export const PICTURES: readonly MimeType[] = [MIME.png, MIME.jpeg, MIME.webp, MIME.gif];

/** An item with a picture, as `screenshot` stores its tiles. */
const PictureItem = z
  .object({ mime_type: z.enum([MIME.png, MIME.jpeg, MIME.webp, MIME.gif]), base64: z.base64() })
  .catchall(Json);

const NO_PICTURE = 'and no picture there';

/**
 * The picture at `offset` of a handle of pictures, or the handle's only one.
 * @throws SpillwayError `invalid_format_for_payload` for any other handle, `invalid_argument` beyond the last
 *   picture
 */
async function fetchPicture(output: OpenOutput, offset: number) {
  const { meta } = output;
  const { handle, kind, mime_type: mimeType, size_bytes: sizeBytes, item_count: count } = meta;
  const total = kind === 'items' ? (count ?? 0) : 1;
  const isPicture = kind === 'bytes' && PICTURES.includes(mimeType);
  if (!isPicture && kind !== 'items') throw wrongKind(meta, NO_PICTURE);
  if (offset >= total) throw invalidArgument(`offset: ${handle} has ${total} items, counted from 0.`);
  const [span] = isPicture ? [{ start: 0, end: sizeBytes }] : await output.spans(offset, 1);
  const { start, end } = span ?? { start: 0, end: 0 };
  if (end - start > 2 * LIMITS.outputInlineMaxBytes)
    throw unfit(`${handle}: the picture is too large for an answer.`, 'Read it with format: "bytes".');
  const stored = await output.read(start, end);
  const place = { offset, limit: 1, returned: 1, total };
  if (isPicture) return { page: pageOf(handle, place, [{ mime_type: mimeType }]), mimeType, bytes: stored };
  const item = PictureItem.safeParse(parseJson(stored.toString('utf8')));
  if (!item.success) throw wrongKind(meta, NO_PICTURE);
  const { base64, ...facts } = item.data;
  const bytes = Buffer.from(base64, 'base64');
  return { page: pageOf(handle, place, [facts]), mimeType: facts.mime_type, bytes };
}
