import { z } from 'zod';
import { LIMITS } from '../base/limits.ts';
import { MIME } from '../base/mime.ts';
import { obvious } from './tools/manifest.ts';
import type { JsonValue } from '../base/json.ts';

export const OutputMode = z.enum(['inline', 'handle', 'auto']);
export type OutputMode = z.infer<typeof OutputMode>;

/**
 * The two fields that the augmentation at start adds to each manifest with `spills: true`. They have no Zod
 * default: the server's `--output-mode-default` decides, and is named here.
 */
export function outputFields(byDefault: OutputMode) {
  return {
    output_mode: OutputMode.optional().describe(`auto: handle if large; default ${byDefault}`),
    output_inline_limit_bytes: z
      .int()
      .min(1)
      .max(LIMITS.outputInlineMaxBytes)
      .optional()
      .meta(obvious(`Limit of auto (${LIMITS.outputInlineLimitBytes})`)),
  } as const;
}

/** An item too large for a page, which has an excerpt of it; `format: "bytes"` reads it. */
export const OversizedItem = z.strictObject({
  index: z.int().min(0),
  byte_offset: z.int().min(0),
  size_bytes: z.int().min(0),
});
export type OversizedItem = z.infer<typeof OversizedItem>;

/** One page of a handle, as `oc_output_fetch` and `run_output` return it. */
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

/** `oh_` and 12 characters of RFC 4648 base32: 60 random bits. */
export const HANDLE_PATTERN = /^oh_[A-Z2-7]{12}$/;

/** `Date` reads February 30 as March 2. */
const isTime = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text.replace('Z', '.000Z');

const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

/** The `content[0]` of a payload that was stored; `oc_output_fetch` reads it. Exactly these keys, in this order. */
export const OutputDescriptor = z.strictObject({
  /** `oh_` and 12 characters. It is a capability: any client that has it can read the output. */
  output_handle: z.string().regex(HANDLE_PATTERN),
  mime_type: z.enum(MIME),
  /** Size of the stored output in bytes. */
  size_bytes: z.int().min(0),
  /** Null unless the payload is items. */
  item_count: z.int().min(0).nullable(),
  /** The beginning of the payload, cut between code points; null for bytes. */
  preview: z
    .string()
    .refine((text) => utf8Bytes(text) <= LIMITS.outputPreviewBytes, {
      error: `It takes at most ${LIMITS.outputPreviewBytes} bytes`,
    })
    .nullable(),
  /** When it is removed: UTC, whole seconds, `Z`. */
  expires_at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    .refine(isTime, { error: 'It takes a valid time' }),
  fetch_with: z.literal('oc_output_fetch'),
});
export type OutputDescriptor = z.infer<typeof OutputDescriptor>;
