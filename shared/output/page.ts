import { z } from 'zod';
import type { JsonValue } from '../json.ts';

/** An item too large for a page: it is `null` and is read with `format: "bytes"`. */
export const OversizedItem = z.strictObject({
  index: z.int().min(0),
  byte_offset: z.int().min(0),
  size_bytes: z.int().min(0),
});
export type OversizedItem = z.infer<typeof OversizedItem>;

/** One page of a handle, as `oc_output_fetch` and `run_output` answer it. */
export const OutputPage = z.strictObject({
  output_handle: z.string(),
  offset: z.int().min(0),
  /** The limit that was applied. */
  limit: z.int().min(1),
  returned: z.int().min(0),
  total: z.int().min(0),
  /** Null exactly when `eof`. */
  next_offset: z.int().nullable(),
  content: z.union([z.string(), z.array(z.custom<JsonValue>())]),
  eof: z.boolean(),
  oversized: z.array(OversizedItem).optional(),
});
export type OutputPage = z.infer<typeof OutputPage>;
