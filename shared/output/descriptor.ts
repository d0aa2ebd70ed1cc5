import { z } from 'zod';

/** `oh_` and 12 characters of RFC 4648 base32: 60 random bits. */
export const HANDLE_PATTERN = /^oh_[A-Z2-7]{12}$/;

/** What stands in `content[0]` for a payload that was stored. Exactly these keys, in this order. */
export const OutputDescriptor = z.strictObject({
  output_handle: z.string().regex(HANDLE_PATTERN),
  mime_type: z.string(),
  size_bytes: z.int().min(0),
  /** Null unless the payload is items. */
  item_count: z.int().min(0).nullable(),
  /** The beginning of the payload, cut between code points; null for bytes. */
  preview: z.string().nullable(),
  /** UTC, whole seconds, `Z`. */
  expires_at: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  fetch_with: z.literal('oc_output_fetch'),
});
export type OutputDescriptor = z.infer<typeof OutputDescriptor>;
