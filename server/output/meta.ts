import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { MIME } from '../../shared/mime.ts';
import { corrupt } from './store-error.ts';

/** Blocks of this size are checked one by one when a page is read. */
export const BLOCK_BYTES = 128 * 1024;

const count = z.int().min(0);

/** `<handle>.meta.json`. The order of the keys is the order in which they are checked. */
const Meta = z.strictObject({
  version: z.literal(1),
  handle: z.string(),
  source_tool: z.string(),
  kind: z.enum(['items', 'json', 'text', 'bytes']),
  mime_type: z.enum(Object.values(MIME)),
  size_bytes: count,
  item_count: count.nullable(),
  sha256: z.string().length(64),
  created_at_ms: count,
  expires_at_ms: count,
  boot: z.string(),
  monotonic_ms: z.int(),
  /** CRC-32 of each block of the payload and of the index, little-endian, base64. */
  payload_blocks: z.string(),
  index_blocks: z.string().nullable(),
});
export type Meta = z.infer<typeof Meta>;

const MetaFile = Meta.extend({ check: count });

const checkOf = (meta: Meta): number => crc32(JSON.stringify(Meta.parse(meta)));

/** The text of a meta file, with a check over itself. */
export function formatMeta(meta: Meta): string {
  return `${JSON.stringify({ ...Meta.parse(meta), check: checkOf(meta) })}\n`;
}

/** @throws `store_corrupt` when the text is not what `formatMeta` wrote for this handle. */
export function parseMeta(text: string, handle: string): Meta {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw corrupt(handle, 'its meta file is no JSON', thrown);
  }
  const parsed = MetaFile.safeParse(value);
  if (!parsed.success) throw corrupt(handle, 'its meta file has another shape', parsed.error);
  const { check, ...meta } = parsed.data;
  if (meta.handle !== handle || check !== checkOf(meta)) throw corrupt(handle, 'its meta file was changed');
  return meta;
}

/** Little-endian 32-bit numbers as base64. */
export function packChecksums(checksums: readonly number[]): string {
  const bytes = Buffer.alloc(checksums.length * 4);
  checksums.forEach((checksum, block) => bytes.writeUInt32LE(checksum, block * 4));
  return bytes.toString('base64');
}
