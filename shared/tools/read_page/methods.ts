import { z } from 'zod';
import { READS_TAB } from '../../policy/method-policy.ts';
import { Caller } from '../../act/caller.ts';
import { Coverage, PageFacts } from '../../bridge/page.ts';
import { StreamParams } from '../../bridge/streams.ts';
import { ReadPageOptions } from './options.ts';

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
    streams: false,
    policy: READS_TAB,
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
    streams: true,
    policy: READS_TAB,
    params: StreamParams.extend({ tab_id: z.int(), caller: Caller }).extend(ReadPageOptions.shape),
    result: ReadPageResult,
  },
} as const;
