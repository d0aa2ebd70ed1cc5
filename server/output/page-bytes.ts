import { LIMITS } from '../../shared/limits.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { OutputPage } from '../../shared/output/page.ts';
import type { StoredOutput } from './reader.ts';
import { boundaryAfter, boundaryBefore, escapedSize } from './utf8.ts';

/** What a page of bytes is cut by. */
export interface BytesRequest {
  readonly offset: number;
  readonly limit: number | undefined;
  readonly encoding: 'utf8' | 'base64';
  /** Bytes that `content` may take inside the JSON of the page, its quotes not counted. */
  readonly pageBytes: number;
}

/** Bytes read around a page, so that the nearest boundaries can be named. */
const MARGIN_BYTES = 3;

/**
 * One page of bytes. Following `next_offset` and joining `content` (base64 decoded page by page)
 * gives the stored bytes.
 * @throws `limit_too_small`, `invalid_offset`, `invalid_format_for_payload`
 */
export async function fetchBytesPage(output: StoredOutput, request: BytesRequest): Promise<OutputPage> {
  const { offset, encoding } = request;
  const { handle, size_bytes: total } = output.meta;
  const limit = Math.min(request.limit ?? LIMITS.outputFetchBytes, LIMITS.outputFetchBytesMax);
  if (encoding === 'utf8' && limit < LIMITS.outputFetchUtf8Min)
    throw new SpillwayError(
      'limit_too_small',
      `limit ${limit} of ${handle} is below ${LIMITS.outputFetchUtf8Min} bytes, the longest character.`,
    );
  const { content, returned } =
    offset >= total
      ? { content: '', returned: 0 }
      : encoding === 'utf8'
        ? await cutText(output, { ...request, limit })
        : await cutBase64(output, { ...request, limit });
  const next = Math.min(offset, total) + returned;
  const eof = next >= total;
  return {
    output_handle: handle,
    offset,
    limit,
    returned,
    total,
    next_offset: eof ? null : next,
    content,
    eof,
  };
}

interface Cut {
  readonly content: string;
  readonly returned: number;
}

async function cutBase64(output: StoredOutput, request: BytesRequest & { limit: number }): Promise<Cut> {
  const { offset, limit, pageBytes } = request;
  const fitting = Math.max(1, Math.floor(pageBytes / 4) * 3);
  const end = Math.min(offset + Math.min(limit, fitting), output.meta.size_bytes);
  const bytes = await output.read(offset, end);
  return { content: bytes.toString('base64'), returned: bytes.length };
}

async function cutText(output: StoredOutput, request: BytesRequest & { limit: number }): Promise<Cut> {
  const { offset, limit, pageBytes } = request;
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
  const part = bytes.subarray(start, end);
  return { content: decode(part, handle), returned: part.length };
}

/** The last boundary that limit and page size allow, at least one character on. */
function findEnd(bytes: Buffer, cut: { start: number; most: number; pageBytes: number }): number {
  let end = cut.start;
  let escaped = 0;
  while (end < cut.start + cut.most) {
    escaped += escapedSize(bytes[end] ?? 0);
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
    throw new SpillwayError('invalid_format_for_payload', `${handle} holds bytes that are not UTF-8 here.`, {
      hint: 'Use encoding "base64" for this handle.',
      cause: thrown,
    });
  }
}
