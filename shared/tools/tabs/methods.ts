import { z } from 'zod';
import { Caller } from '../../act/caller.ts';
import { TabInfo } from '../../bridge/tab.ts';

export const methods = {
  'tabs.list': { streams: false, params: z.object({}), result: z.object({ tabs: z.array(TabInfo) }) },
  'tabs.get': {
    streams: false,
    dialog: 'ignored',
    params: z.object({ tab_id: z.int() }),
    result: z.object({ tab: TabInfo }),
  },
  /** The front tab of the last focused window. */
  'tabs.active': { streams: false, params: z.object({}), result: z.object({ tab: TabInfo }) },
  'tabs.open': {
    streams: false,
    params: z.object({
      url: z.string().optional(),
      active: z.boolean(),
      /** Whose tab it becomes. */
      caller: Caller.optional(),
    }),
    result: z.object({ tab: TabInfo }),
  },
  'tabs.close': {
    streams: false,
    dialog: 'closes',
    params: z.object({ tab_id: z.int() }),
    result: z.object({}),
  },
  'tabs.activate': {
    streams: false,
    dialog: 'ignored',
    params: z.object({ tab_id: z.int() }),
    result: z.object({ tab: TabInfo }),
  },
} as const;
