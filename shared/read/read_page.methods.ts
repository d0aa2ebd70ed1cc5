import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { Coverage, PageFacts } from '../core/bridge/page.ts';
import { StreamParams } from '../core/bridge/streams.ts';

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

const ReadPageResult = z.object({
  page: PageFacts,
  coverage: z.array(Coverage),
  /** Elements left out because a person cannot see them. */
  hidden_elements: z.int().min(0),
  /** How `main_content_only` ended. */
  main_content: z.enum(['not_asked', 'found', 'whole_page']),
  /** Where to continue after a snapshot's budget, one per document; null for documents that are gone. */
  left: z.array(z.object({ ref: z.string().nullable(), share: z.number() })).optional(),
  /** The text lists the changes since the last snapshot. */
  is_compared: z.boolean().optional(),
});

export const methods = {
  /** Scrolls the page: to its start, on by one window, or back to its position before `begin`. */
  'page.scroll': {
    policy: READS_PAGE,
    params: z.object({
      tab_id: z.int(),
      action: z.enum(['begin', 'step', 'end']),
      /** Identifies the call from its `begin` to its `end`: calls that scroll a tab take turns. */
      call: z.string().max(64),
      /** How long to wait in milliseconds for another call that scrolls the tab; `tab_busy` after that. */
      wait_ms: z.int().min(0),
    }),
    result: z.object({
      /** Every scrollable part has been scrolled to its end. */
      is_over: z.boolean(),
      /** Earlier content is gone: the page keeps only what is in view. */
      is_lossy: z.boolean(),
      /** The scrolled part scrolled itself back, and was left there. */
      is_stuck: z.boolean(),
      /** The scrolled part is higher than before: it has loaded more. */
      has_grown: z.boolean(),
      missing_rows: z.object({ seen: z.number(), total: z.number() }).nullable(),
      /** Why the tab could not be given focus, an error code; null if it was. */
      unfocused: z.string().max(64).nullable(),
    }),
  },
  'page.read': {
    policy: READS_PAGE,
    params: StreamParams.extend({ tab_id: z.int(), caller: Caller }).extend(ReadPageOptions.shape),
    result: ReadPageResult,
  },
} as const;
