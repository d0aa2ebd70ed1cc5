import { z } from 'zod';
import { NOTHING_TO_JUDGE } from '../../policy/risks.ts';
import { Caller } from '../../policy/call-facts.ts';
import { TabInfo } from '../../bridge/page.ts';

export const methods = {
  /** Only the origin for a tab whose page may not be read. */
  'tabs.list': {
    streams: false,
    policy: NOTHING_TO_JUDGE,
    params: z.object({}),
    result: z.object({ tabs: z.array(TabInfo) }),
  },
  'tabs.get': {
    streams: false,
    dialog: 'ignored',
    person: 'ignored',
    policy: NOTHING_TO_JUDGE,
    params: z.object({ tab_id: z.int() }),
    result: z.object({ tab: TabInfo }),
  },
  /** The front tab of the last focused window. */
  'tabs.active': {
    streams: false,
    policy: NOTHING_TO_JUDGE,
    params: z.object({}),
    result: z.object({ tab: TabInfo }),
  },
  'tabs.open': {
    streams: false,
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
    streams: false,
    dialog: 'closes',
    policy: { judged: 'tab', risks: ['navigate'] },
    params: z.object({ tab_id: z.int() }),
    result: z.object({}),
  },
  'tabs.activate': {
    streams: false,
    dialog: 'ignored',
    policy: NOTHING_TO_JUDGE,
    params: z.object({ tab_id: z.int() }),
    result: z.object({ tab: TabInfo }),
  },
} as const;
