import { z } from 'zod';
import { Caller } from '../core/policy/call-facts.ts';
import { TabInfo } from '../core/bridge/page.ts';

/** When a navigation counts as done. `networkidle`: no pending request for 500 ms. */
export const WaitUntil = z.enum(['load', 'domcontentloaded', 'networkidle']);
export type WaitUntil = z.infer<typeof WaitUntil>;

export const RedirectHop = z.object({ url: z.string(), status: z.int() });

const NavigateParams = z.object({
  /** Null opens a new tab in the background. */
  tab_id: z.int().nullable(),
  action: z.enum(['goto', 'back', 'forward', 'reload']),
  /** Required by `goto`. */
  url: z.string().optional(),
  wait_until: WaitUntil,
  timeout_ms: z.int().min(1),
  /** Owner of a new tab. A tab that another session acts on is refused. */
  caller: Caller.optional(),
});

const NavigateResult = z.object({
  tab: TabInfo,
  /** HTTP status of the main document; null if there is none (about:, file:, cache of back/forward). */
  status: z.int().nullable(),
  redirects: z.array(RedirectHop),
});

export const methods = {
  'page.navigate': {
    dialog: 'leaves',
    // Where it leads, redirects included.
    policy: { judged: 'handler', risks: ['navigate'] },
    params: NavigateParams,
    result: NavigateResult,
  },
} as const;
