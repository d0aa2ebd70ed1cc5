import { z } from 'zod';
import { READS_TAB } from '../../policy/method-policy.ts';
import { Download, DOWNLOADS_NAMED } from '../../act/downloads.ts';
import { Caller } from '../../act/caller.ts';
import { AwaitedConditions } from './conditions.ts';

export const methods = {
  /** Waits until all conditions hold, or one of them, or the time is over: that is not a failure. */
  'page.await': {
    streams: false,
    policy: READS_TAB,
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      conditions: AwaitedConditions,
      mode: z.enum(['all', 'any']),
      timeout_ms: z.int().min(0),
    }),
    result: z.object({
      is_over: z.boolean(),
      /** Names of conditions that hold. */
      met: z.array(z.string()),
      missing: z.array(z.string()),
      waited_ms: z.int().min(0),
      url: z.string(),
      /** How many hidden elements a missing target names; null where it is not one. */
      hidden: z.int().nullable(),
      /** Lines of what was waited for; at the end of the time, of what comes nearest to a missing text. */
      nearest: z.array(z.string()),
      /** Those that the tab began since the session's last act in it, if a download was waited for. */
      downloads: z.array(Download).max(DOWNLOADS_NAMED),
      /** Addresses of pending requests, at most five. */
      under_way: z.array(z.string()),
    }),
  },
} as const;
