import { z } from 'zod';
import { unjudged } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { TabInfo } from '../core/bridge/page.ts';

const VisitedPage = z.object({
  url: z.string(),
  title: z.string(),
  /** ISO 8601; absent for a bookmark that was not visited lately. */
  visited_at: z.string().optional(),
  bookmark: z.literal(true).optional(),
});
export type VisitedPage = z.infer<typeof VisitedPage>;

export const methods = {
  /**
   * The tabs that the call may use, with only the origin for a page that it may not read. Others are counted, and listed
   * if the person allows that.
   */
  'tabs.list': unjudged(
    z.object({
      /** Asks the person for the others. */
      all: z.boolean().optional(),
    }),
    z.object({
      tabs: z.array(TabInfo),
      lent: z.array(z.int()).optional(),
      /** The person's, of which the call may use none. */
      others: z.array(TabInfo).optional(),
      others_count: z.int().optional(),
    }),
  ),
  /** Searches the person's history and bookmarks, once they allow that. */
  'tabs.visited': unjudged(
    z.object({ text: z.string().min(1).max(200) }),
    z.object({ pages: z.array(VisitedPage) }),
  ),
  /** Asks the person for a tab. Without a page, a person would not know what they lend. */
  'tabs.borrow': unjudged(z.object({ tab_id: z.int() }), z.object({ tab: TabInfo })),
  'tabs.get': {
    dialog: 'ignored',
    person: 'ignored',
    ...unjudged(z.object({ tab_id: z.int() }), z.object({ tab: TabInfo })),
  },
  /** The front tab of the last focused window, which is mostly a person's to lend. */
  'tabs.active': unjudged(z.object({}), z.object({ tab: TabInfo })),
  'tabs.open': {
    policy: { judged: 'handler', risks: ['navigate'] },
    params: z.object({
      url: z.string().optional(),
      active: z.boolean(),
      /** The name of one of Firefox's; the person is asked about it. */
      container: z.string().max(100).optional(),
      /** The tab's owner. */
      caller: Caller.optional(),
    }),
    result: z.object({ tab: TabInfo }),
  },
  'tabs.close': {
    dialog: 'closes',
    policy: { judged: 'tab', risks: ['navigate'] },
    params: z.object({ tab_id: z.int() }),
    result: z.object({}),
  },
  'tabs.activate': {
    dialog: 'ignored',
    policy: { judged: 'tab', risks: ['show_tab'] },
    params: z.object({ tab_id: z.int() }),
    result: z.object({ tab: TabInfo }),
  },
} as const;
