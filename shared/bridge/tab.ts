import { z } from 'zod';

/** A tab as the worker sees it. Its number becomes `b1:42` in the server. */
export const TabInfo = z.object({
  id: z.int(),
  window_id: z.int(),
  url: z.string(),
  title: z.string(),
  active: z.boolean(),
  status: z.enum(['loading', 'complete', 'unloaded']),
  discarded: z.boolean(),
});
export type TabInfo = z.infer<typeof TabInfo>;
