import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { toStoreError } from '../home/database.ts';
import { errnoOf } from '../machine/errno.ts';
import { HANDLE_PATTERN, type OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { ownProcess } from '../machine/process-identity.ts';
import { clean } from '../../libraries/redaction/clean.ts';
import type { ItemSpan } from './index.ts';
import { z } from 'zod';
import { MIME, type MimeType } from '../../../shared/base/mime.ts';
import { StoredText } from '../../libraries/redaction/mark.ts';

/** Names the operation on a handle that the disk refused. */
export function toReadError(thrown: unknown, handle: string): SpillwayError {
  // A link, a pipe or a folder has replaced one of our files.
  if (['EINVAL', 'ELOOP', 'EISDIR'].includes(errnoOf(thrown) ?? ''))
    return corrupt(handle, String(errnoOf(thrown)), thrown);
  return toStoreError(thrown, `output ${handle}`, 'store_read_failed');
}

/** `store_corrupt`: the store does not have the bytes that were written. */
export const corrupt = (handle: string, why: string, cause?: unknown): SpillwayError =>
  new SpillwayError('store_corrupt', `The stored output ${handle} is damaged: ${why}.`, { cause });

/** @param why the output does not fit: `not items` */
export const wrongKind = (
  { handle, mime_type: type }: Pick<Meta, 'handle' | 'mime_type'>,
  why: string,
  { field, hint }: { readonly field?: string; readonly hint?: string } = {},
): SpillwayError =>
  unfit(`${field === undefined ? '' : `${field}: `}${handle} contains ${type}, ${why}.`, hint);

export const unfit = (message: string, hint?: string, cause?: unknown): SpillwayError =>
  new SpillwayError('invalid_format_for_payload', message, { hint, cause });

/** `output_handle_not_found`, for unknown, malformed, expired or deleted handles alike. */
export function notFound(handle: string, why: 'unknown' | 'expired' | 'deleted'): SpillwayError {
  const shown = handle.length > 40 ? `${handle.slice(0, 40)}…` : handle;
  if (why === 'deleted')
    return new SpillwayError('output_handle_not_found', `A person deleted output ${shown}.`, {
      hint: 'Ask the person before you repeat the call that created it.',
    });
  return new SpillwayError(
    'output_handle_not_found',
    why === 'expired'
      ? `Output handle ${shown} has expired.`
      : `There is no output handle ${JSON.stringify(shown)}.`,
  );
}

export const buildKeptByPerson = (handle: string): SpillwayError =>
  invalidArgument(
    `keep: a person keeps ${handle}, and only a person can release it.`,
    'If it is in the way, ask the person to choose "Let it expire" for it in the side panel, under Outputs.',
  );

/*
 * Names in `<home>/output`; what is known of them is in the database of the home:
 *   <day>/<handle>.json            the payload, of JSON; `.bin` for all others
 *   <day>/<handle>.json.index      where items end, for items only
 *   <day>/<handle>.<pid>-<start>   empty: the process that writes it, until it has a record
 * The day is the one on which its writing began, in UTC. Earlier builds named payloads `<handle>.<pid>-<start>`, in no folder.
 */

const FILE_PATTERN =
  /^(?:(\d{4}-\d\d-\d\d)\/)?(oh_[A-Z2-7]{12})\.(?:(\d{1,10})-(\d{1,20})|json|bin)(?:\.index)?$/;

export const isHandle = (text: string): boolean => HANDLE_PATTERN.test(text);

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59);

/** UTC, whole seconds, `Z`; years outside four digits are clamped. */
function formatSeconds(timeMs: number): string {
  const held = Math.min(Math.max(Math.floor(timeMs / 1000) * 1000, 0), LAST_SECOND);
  return new Date(held).toISOString().replace('.000Z', 'Z');
}

/** The name of a new payload, without its ending. */
export const stemOf = (handle: string, createdAtMs: number): string =>
  `${formatSeconds(createdAtMs).slice(0, 10)}/${handle}`;

export const fileOf = (stem: string, mimeType: MimeType): string =>
  `${stem}.${mimeType === MIME.json ? 'json' : 'bin'}`;

/** The name that says that this process writes an output. */
export function markerOf(stem: string): string {
  const { pid, startTime } = ownProcess();
  return `${stem}.${pid}-${startTime}`;
}

export const indexOf = (payload: string): string => `${payload}.index`;

/** Undefined for a file that the store did not name. `owner` is in the names of markers, and of earlier builds. */
export function parseFileName(name: string) {
  const [, day, handle, pid, startTime] = FILE_PATTERN.exec(name) ?? [];
  if (handle === undefined) return undefined;
  const owner = pid === undefined || startTime === undefined ? null : { pid: Number(pid), startTime };
  const file = name.replace(/\.index$/, '');
  return { stem: `${day ?? ''}/${handle}`, file, owner, isMarker: day !== undefined && owner !== null };
}

/*
 * Items are stored as one valid JSON array with one item per line:
 *
 *     [\n<item>,\n<item>\n]          or [] when there is none
 *
 * Each item is preceded by two bytes, `[\n` or `,\n`. The index holds, for each item, the position
 * after its last byte as a 48-bit little-endian number; an item begins two bytes after the end of
 * the one before it.
 */

export const ARRAY_OPEN = clean`[\n`;
export const ITEM_SEPARATOR = clean`,\n`;
export const ARRAY_CLOSE = clean`\n]`;
export const ARRAY_EMPTY = clean`[]`;
/** Bytes before each item. */
const ITEM_LEAD_BYTES = 2;
/** Bytes of one entry of the index. */
export const INDEX_ENTRY_BYTES = 6;

/** Entries of the index for the ends of items. */
export function toEntries(ends: readonly number[]): Buffer {
  const entries = Buffer.allocUnsafe(ends.length * INDEX_ENTRY_BYTES);
  ends.forEach((end, item) => entries.writeUIntLE(end, item * INDEX_ENTRY_BYTES, INDEX_ENTRY_BYTES));
  return entries;
}

/** Decodes entries `first - 1 …` of the index (`first …` if first is 0) to spans of items. */
export function toSpans(entries: Buffer, first: number): ItemSpan[] {
  const ends: number[] = first === 0 ? [0] : [];
  for (let at = 0; at < entries.length; at += INDEX_ENTRY_BYTES)
    ends.push(entries.readUIntLE(at, INDEX_ENTRY_BYTES));
  return ends.slice(1).map((end, item) => ({ start: (ends[item] ?? 0) + ITEM_LEAD_BYTES, end }));
}

/** True for the second to fourth byte of a character (`10xxxxxx`). */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * The largest boundary between code points at or before `at`. An encoded character has at most three
 * continuation bytes, so bytes that are not UTF-8 stop the search early.
 */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  let position = at;
  while (position > 0 && at - position < 3 && isContinuation(bytes[position])) position -= 1;
  return position;
}

/** The smallest boundary at or after `at`. */
export function boundaryAfter(bytes: Uint8Array, at: number): number {
  let position = at;
  while (position < bytes.length && position - at < 3 && isContinuation(bytes[position])) position += 1;
  return position;
}

/** Bytes that one byte of UTF-8 takes inside a JSON string, after JSON.stringify. */
export function sizeOfEscaped(byte: number): number {
  if (byte === 0x22 || byte === 0x5c) return 2;
  if (byte >= 0x20) return 1;
  return byte === 0x08 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d ? 2 : 6;
}

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Reading a page checks blocks of this size one by one. */
export const BLOCK_BYTES = 128 * 1024;

const count = z.int().min(0);

export const Meta = z.object({
  handle: z.string(),
  /** Name of the payload; the index's name begins with it. */
  file: z.string(),
  source_tool: z.string(),
  /** Where the page text in it comes from; null if none. */
  untrusted_from: StoredText.nullable(),
  kind: z.enum(['items', 'json', 'text', 'bytes']),
  mime_type: z.enum(Object.values(MIME)),
  size_bytes: count,
  item_count: count.nullable(),
  created_at_ms: count,
  expires_at_ms: count,
  boot: z.string(),
  monotonic_ms: z.int(),
  /** CRC-32 of each block of the payload and of the index, little-endian, base64. */
  payload_blocks: z.string(),
  index_blocks: z.string().nullable(),
});

export type Meta = z.infer<typeof Meta>;

/** @param sum CRC-32 of the text. @throws `store_corrupt` when it is not a meta of this handle, as JSON */
export function parseMeta(text: unknown, sum: unknown, handle: string): Meta {
  if (typeof text !== 'string' || crc32(text) !== sum) throw corrupt(handle, 'its record was changed');
  const parsed = Meta.safeParse(JSON.parse(text));
  if (!parsed.success) throw corrupt(handle, 'its record has an unknown shape', parsed.error);
  if (parsed.data.handle !== handle) throw corrupt(handle, 'its record is of another output');
  return parsed.data;
}

/** The descriptor of an output, without a preview. */
export const descriptorOf = (meta: Meta): OutputDescriptor => ({
  output_handle: meta.handle,
  mime_type: meta.mime_type,
  size_bytes: meta.size_bytes,
  item_count: meta.item_count,
  preview: null,
  expires_at: formatSeconds(meta.expires_at_ms),
  fetch_with: 'oc_output_fetch',
});

/** Bytes of payload and index. */
export const sizeOnDisk = ({ size_bytes: size, item_count: items }: Meta): number =>
  size + (items ?? 0) * INDEX_ENTRY_BYTES;

/** Little-endian 32-bit numbers as base64. */
export function packChecksums(checksums: readonly number[]): string {
  const bytes = Buffer.alloc(checksums.length * 4);
  checksums.forEach((checksum, block) => bytes.writeUInt32LE(checksum, block * 4));
  return bytes.toString('base64');
}

/**
 * CRC-32 after ISO 3309, as in gzip. zlib takes milliseconds to load, which a server that has stored nothing
 * yet should not spend at its start.
 */
export const crc32 = (data: Uint8Array | string): number => process.getBuiltinModule('node:zlib').crc32(data);
