import { z } from 'zod';
import { MIME } from '../../shared/mime.ts';
import { StoredText } from '../redact/stored.ts';
import { INDEX_ENTRY_BYTES } from './item-format.ts';
import { corrupt } from './store-error.ts';

/** Blocks of this size are checked one by one when a page is read. */
export const BLOCK_BYTES = 128 * 1024;

const count = z.int().min(0);

const Meta = z.object({
  handle: z.string(),
  /** Name of the payload; that of the index begins with it. */
  file: z.string(),
  source_tool: z.string(),
  /** Where the page text in it comes from, null if none. */
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

/** The text of a meta, and a CRC-32 over it. */
export function formatMeta(meta: Meta): { readonly text: string; readonly sum: number } {
  const text = JSON.stringify(meta);
  return { text, sum: crc32(text) };
}

/** @throws `store_corrupt` when it is not what `formatMeta` made for this handle. */
export function parseMeta(text: unknown, sum: unknown, handle: string): Meta {
  if (typeof text !== 'string' || crc32(text) !== sum) throw corrupt(handle, 'its record was changed');
  const parsed = Meta.safeParse(JSON.parse(text));
  if (!parsed.success) throw corrupt(handle, 'its record has an unknown shape', parsed.error);
  if (parsed.data.handle !== handle) throw corrupt(handle, 'its record is of another output');
  return parsed.data;
}

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
 * CRC-32 after ISO 3309, as gzip has it. zlib takes milliseconds to load, which a server that has
 * not stored anything yet should not spend at its start.
 */
export function crc32(data: Uint8Array | string): number {
  return process.getBuiltinModule('node:zlib').crc32(data);
}
