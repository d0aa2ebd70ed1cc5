import { z } from 'zod';
import { StreamParams } from '../core/bridge/streams.ts';

/** A redirect on the way to a file. */
const Hop = z.object({ url: z.string(), status: z.int() });

/** The first line of the stream of `fetch.file`, as JSON. The rest is the body in base64. */
export const FileHead = z.object({
  /** Without fragment. */
  final_url: z.string(),
  status: z.int(),
  redirects: z.array(Hop),
  /** Headers that describe the file, by lower-case name. */
  headers: z.record(z.string(), z.string()),
});
export type FileHead = z.infer<typeof FileHead>;

export const methods = {
  /**
   * GET with the cookies of this browser's person. Fails if no headers arrive, or the body breaks off; a body
   * beyond `max_bytes` is cut.
   */
  'fetch.file': {
    // The address, and those that it redirects to.
    policy: { judged: 'handler', risks: ['read', 'download'] },
    params: StreamParams.extend({
      url: z.string(),
      /** `page`: the text of the document that a tab shows, such as a PDF, or its source map; its bytes go to nobody. */
      what: z.literal('page').optional(),
      /** The page chose the address: refuses a redirect to another host, and opens no card. */
      stays: z.boolean().optional(),
      /** For the whole response. */
      timeout_ms: z.int().min(1),
      max_bytes: z.int().min(1),
    }),
    result: z.object({
      final_url: z.string(),
      /** Received, after content-encoding was undone. */
      size_bytes: z.int().min(0),
      /** There is more than `max_bytes`. */
      is_cut: z.boolean(),
    }),
  },
} as const;
