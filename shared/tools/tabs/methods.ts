import { z } from 'zod';
import { unjudged } from '../../policy/risks.ts';
import { Caller } from '../../policy/call-facts.ts';
import { TabInfo } from '../../bridge/page.ts';

export const methods = {
  /** Only the origin for a tab whose page may not be read. */
  'tabs.list': unjudged(z.object({}), z.object({ tabs: z.array(TabInfo) })),
  'tabs.get': {
    dialog: 'ignored',
    person: 'ignored',
    ...unjudged(z.object({ tab_id: z.int() }), z.object({ tab: TabInfo })),
  },
  /** The front tab of the last focused window. */
  'tabs.active': unjudged(z.object({}), z.object({ tab: TabInfo })),
  'tabs.open': {
    policy: { judged: 'handler', risks: ['navigate'] },
    params: z.object({
      url: z.string().optional(),
      active: z.boolean(),
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
    ...unjudged(z.object({ tab_id: z.int() }), z.object({ tab: TabInfo })),
  },
} as const;
