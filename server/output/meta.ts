import { z } from 'zod';
import type { CleanText } from '../redact/clean.ts';
import { StoredText } from '../redact/stored.ts';
import { MIME } from '../../shared/mime.ts';
import { crc32 } from './checksum.ts';
import { corrupt } from './store-error.ts';

/** Blocks of this size are checked one by one when a page is read. */
export const BLOCK_BYTES = 128 * 1024;

const count = z.int().min(0);

/** `<handle>.meta.json`, without its last key. */
const StoredMeta = z.strictObject({
  version: z.literal(1),
  handle: z.string(),
  /**
   * The tool and, if the payload has page text, a line break and the address that the text comes from.
   * It is not a separate key, since servers of earlier builds share the store, and take a meta
   * with a key that they do not know for damaged. They write the tool alone.
   */
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

/** What is known of a stored payload. */
export interface Meta extends z.infer<typeof StoredMeta> {
  /** The tool alone. */
  readonly source_tool: string;
  /** Where the page text in it comes from, null if none. */
  readonly untrusted_from: CleanText | null;
}

const MetaFile = StoredMeta.extend({ check: count });

/** Begins the last member of a meta file: a CRC-32 of everything before it. */
const CHECK_KEY = ',"check":';

/** Between a tool and the source of its text. No name of a tool holds one. */
const SOURCE_MARK = '\n';

/** The text of a meta file, with a check over itself. */
export function formatMeta({ untrusted_from: source, ...meta }: Meta): string {
  const stored = { ...meta, source_tool: `${meta.source_tool}${SOURCE_MARK}${source ?? ''}` };
  const body = JSON.stringify(stored).slice(0, -1);
  return `${body}${CHECK_KEY}${crc32(body)}}\n`;
}

/** @throws `store_corrupt` when the bytes are not what `formatMeta` wrote for this handle. */
export function parseMeta(bytes: Buffer, handle: string): Meta {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (thrown) {
    throw corrupt(handle, 'its meta file is not JSON', thrown);
  }
  const parsed = MetaFile.safeParse(value);
  if (!parsed.success) throw corrupt(handle, 'its meta file has an unknown shape', parsed.error);
  const { check, ...meta } = parsed.data;
  const body = bytes.subarray(0, Math.max(0, bytes.lastIndexOf(CHECK_KEY)));
  if (meta.handle !== handle || check !== crc32(body)) throw corrupt(handle, 'its meta file was changed');
  const [tool = '', ...source] = meta.source_tool.split(SOURCE_MARK);
  return { ...meta, source_tool: tool, untrusted_from: sourceOf(tool, source) };
}

/** An earlier build did not say whether there is page text in it: it counts as such. */
function sourceOf(tool: string, source: readonly string[]): CleanText | null {
  const text = source.length === 0 ? tool : source.join(SOURCE_MARK);
  return text === '' ? null : StoredText.parse(text);
}

/** Little-endian 32-bit numbers as base64. */
export function packChecksums(checksums: readonly number[]): string {
  const bytes = Buffer.alloc(checksums.length * 4);
  checksums.forEach((checksum, block) => bytes.writeUInt32LE(checksum, block * 4));
  return bytes.toString('base64');
}
