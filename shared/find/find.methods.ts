import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { Coverage } from '../core/bridge/page.ts';

/** Words, a selector with engines, or engines with their arguments. */
export const FindTarget = z.union([
  z.object({ query: z.string() }),
  z.object({ selector: z.string() }),
  z.object({ parts: z.array(z.object({ engine: z.string(), body: z.string() })).min(1) }),
]);
export type FindTarget = z.infer<typeof FindTarget>;

export const methods = {
  /** Finds elements in a tab, through its frames, and shows their refs. */
  'page.find': {
    policy: READS_PAGE,
    params: z.object({ tab_id: z.int(), caller: Caller, target: FindTarget, limit: z.int().min(1) }),
    result: z.object({
      url: z.string(),
      title: z.string(),
      /** A line each, best first. */
      lines: z.array(z.string()),
      /** Further visible ones. */
      more: z.int().min(0),
      /** There may be more than that. */
      is_more_counted: z.boolean(),
      /** Invisible ones. */
      hidden: z.int().min(0),
      /** Lines of the nearest elements if nothing was found. */
      nearest: z.array(z.string()),
      coverage: z.array(Coverage),
    }),
  },
} as const;
