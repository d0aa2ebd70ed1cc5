import { z } from 'zod';

/** Where the tab arrived. */
export const NavigateFields = z.looseObject({
  tab: z.string(),
  /** The tab that was named, when its page hung: the browser gave it another number. */
  replaces: z.string().optional(),
  url: z.string(),
  title: z.string(),
  /** Null where the page came without HTTP. */
  status: z.number().int().nullable(),
  redirects: z.array(z.looseObject({ url: z.string(), status: z.number().int() })).optional(),
  redirects_in_all: z.number().int().optional(),
  /** With `wait_for`: how long it waited, and what did not hold at the end. */
  waited_ms: z.number().int().min(0).optional(),
  problem: z.string().optional(),
});
