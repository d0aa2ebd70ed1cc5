import { z } from 'zod';

/** `nodes` are items, the rest is text. */
export const ReadFormat = z.enum(['markdown', 'text', 'html', 'snapshot', 'nodes']);
export type ReadFormat = z.infer<typeof ReadFormat>;

/** How to read, without the tab: the same object from the tool's arguments to the walker. */
export const ReadPageOptions = z.object({
  format: ReadFormat,
  /** Null reads the whole document. */
  selector: z.string().max(2_000).nullable(),
  main_content_only: z.boolean(),
  include_links: z.boolean(),
  include_hidden: z.boolean(),
  /** HTML of the top document begins with its doctype and its head. */
  include_head: z.boolean().optional(),
  /** For a snapshot: the element to read (`e13`, `f2e13`), or the one from which to read to the end (`e13..`). */
  ref: z.string().max(64).nullable().optional(),
  /** For a snapshot: only elements that can be acted on. */
  interactive_only: z.boolean().optional(),
  /** For a snapshot: only changes since the last one that the caller was shown. */
  diff: z.boolean().optional(),
  /**
   * For a diff: taken before an act for a later comparison by a session that has not been shown a snapshot,
   * and not written; or written into the act's receipt.
   */
  purpose: z.enum(['baseline', 'receipt']).optional(),
  /** For a snapshot: most tokens of its text. */
  budget: z.int().min(0).optional(),
});
export type ReadPageOptions = z.infer<typeof ReadPageOptions>;
