import { z } from 'zod';
import { READS_TAB } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { StreamParams } from '../core/bridge/streams.ts';

/** The browser cannot say how much it will record. */
export const TRACE_BYTES = 64 * 1024 * 1024;

/** After the browser's trace, a JSON text. Renderers are shared, so it may have other tabs. */
const Recorded = z.object({
  url: z.string(),
  /** Begins the addresses of the extension's own scripts. */
  own: z.string(),
  /** All that the tab has had. The main frame is the first. */
  frames: z.array(z.string()),
  /** The page was neither loaded nor quiet in time. */
  is_late: z.boolean(),
  /** The browser's buffer was too small for all events. */
  is_lossy: z.boolean(),
});
export type Recorded = z.infer<typeof Recorded>;

export const methods = {
  /** Reloads a tab, and records until it is quiet. */
  'trace.load': {
    needs: 'debugger',
    dialog: 'leaves',
    policy: { judged: 'tab', risks: ['navigate', 'read'] },
    params: StreamParams.extend({ tab_id: z.int(), caller: Caller, is_cold: z.boolean(), ms: z.int() }),
    result: Recorded,
  },
  /** Names nodes of the page, such as `div#banner`, by their ids in the trace; not those that are gone. */
  'trace.nodes': {
    needs: 'debugger',
    policy: READS_TAB,
    params: z.object({ tab_id: z.int(), ids: z.array(z.int()).max(20) }),
    result: z.object({ names: z.record(z.string(), z.string()) }),
  },
  'trace.start': {
    needs: 'debugger',
    policy: READS_TAB,
    params: z.object({ tab_id: z.int(), caller: Caller }),
    result: z.object({}),
  },
  'trace.stop': {
    needs: 'debugger',
    policy: READS_TAB,
    params: StreamParams.extend({ tab_id: z.int(), caller: Caller }),
    result: Recorded,
  },
} as const;
