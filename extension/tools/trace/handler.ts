import browser from 'webextension-polyfill';
import { delay } from '../../../shared/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { createTabHolds, startHold } from '../../background/chromium/debugger/tab-holds.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { navigateTab } from '../../background/navigation/navigate-tab.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import type { CallPolicy } from '../../background/policy/call-policy.ts';
import { nameOf, Recording } from './recording.ts';

/** A page that neither asks for anything nor works for so long has loaded. */
const QUIET_MS = 2_000;
const POLL_MS = 250;
/** An answer later than this waited for a long task. */
const BUSY_MS = 100;

interface State {
  recording: Recording | null;
  free: () => void;
}

/** A browser makes one trace at a time. */
let running: { readonly tabId: number; readonly session: string } | null = null;

/** Returns the function that lets others trace. @throws SpillwayError `tab_busy` */
function claim(tabId: number, session: string): () => void {
  if (running !== null)
    throw new SpillwayError('tab_busy', `Tab ${running.tabId} is traced for session ${running.session}.`, {
      hint: 'A browser makes one trace at a time. Call trace with action "stop" in that session, or wait.',
    });
  const own = { tabId, session };
  running = own;
  return () => {
    if (running === own) running = null;
  };
}

const createHolds = createTabHolds<State>({
  tool: 'trace',
  does: 'is traced',
  begin: () => ({ recording: null, free: () => undefined }),
  show: () => [],
  undo: async ({ state }) => {
    const { recording } = state;
    state.recording = null;
    try {
      await recording?.drop();
    } finally {
      state.free();
    }
  },
});

type Services = Pick<HandlerServices, 'debuggers' | 'requests' | 'closed' | 'sessionEnds' | 'personTabs'>;

/** The methods of `trace`. */
export function createHandlers(
  services: Services,
): Pick<Handlers, 'trace.load' | 'trace.nodes' | 'trace.start' | 'trace.stop'> {
  const holds = createHolds(services);
  const own = browser.runtime.getURL('');
  const running = (tabId: number, session: string) => {
    const hold = holds.get(tabId);
    const recording = hold?.session === session ? hold.state.recording : null;
    if (hold === undefined || recording === null) throw holds.lossOf(tabId, session);
    return { hold, recording };
  };
  return {
    'trace.load': async ({ tab_id: tabId, caller, ...how }, { signal, policy }, sink) => {
      await readable(tabId, policy);
      const free = claim(tabId, caller.session);
      return services.debuggers
        .use(tabId, signal, async (lease) => {
          const recording = await Recording.begin(lease);
          return orDrop(recording, async () => {
            const isLate = await load(recording, { tabId, ...how, services, policy, signal });
            // The page may have navigated meanwhile.
            const url = await readable(tabId, policy);
            return { is_late: isLate, url, own, ...(await recording.write(sink, signal)) };
          });
        })
        .finally(free);
    },
    'trace.nodes': async ({ tab_id: tabId, ids }, { signal, policy }) => {
      await readable(tabId, policy);
      const named = await services.debuggers.use(tabId, signal, (lease) =>
        Promise.all(ids.map(async (id): Promise<[string, string]> => [String(id), await nameOf(lease, id)])),
      );
      return { names: Object.fromEntries<string>(named.filter(([, name]) => name !== '')) };
    },
    'trace.start': async ({ tab_id: tabId, caller }, { signal, policy }) => {
      await readable(tabId, policy);
      const free = claim(tabId, caller.session);
      try {
        await startHold(holds, { tabId, agent: caller, signal }, async ({ lease, state }) => {
          state.free = free;
          state.recording = await Recording.begin(lease);
        });
      } catch (thrown) {
        free();
        throw thrown;
      }
      return {};
    },
    'trace.stop': async ({ tab_id: tabId, caller: { session } }, { signal, policy }, sink) => {
      running(tabId, session);
      // A person may be asked first: tracing continues until the call that may read it.
      const url = await readable(tabId, policy);
      const { hold, recording } = running(tabId, session);
      hold.state.recording = null;
      try {
        const written = await orDrop(recording, () => recording.write(sink, signal));
        return { is_late: false, url, own, ...written };
      } finally {
        await holds.end(tabId, hold);
      }
    },
  };
}

/** The address of the tab, of which all may be read. */
async function readable(tabId: number, policy: CallPolicy): Promise<string> {
  const { url = '' } = await getReadableTab(tabId);
  await policy.expectFrames(tabId, ['read']);
  return url;
}

async function orDrop<T>(recording: Recording, does: () => Promise<T>): Promise<T> {
  try {
    return await does();
  } catch (thrown) {
    await recording.drop().catch(() => undefined);
    throw thrown;
  }
}

interface Load {
  readonly tabId: number;
  readonly is_cold: boolean;
  readonly ms: number;
  readonly services: Services;
  readonly policy: CallPolicy;
  readonly signal: AbortSignal;
}

/** Reloads the tab, and waits until it is loaded and quiet. Returns whether it was not in time. */
async function load(
  recording: Recording,
  { tabId, is_cold: isCold, ms, services: { requests }, policy, signal }: Load,
): Promise<boolean> {
  const endAt = performance.now() + ms;
  const release = requests.hold();
  try {
    await navigateTab({ tab_id: tabId, action: 'reload', wait_until: 'load', timeout_ms: ms }, signal, {
      isCold,
      permit: (url) => policy.expect({ url, tabId, documentId: null }, ['navigate']),
    });
    for (let quietSince = performance.now(); ;) {
      const askedAt = performance.now();
      await recording.noteFrames();
      const now = performance.now();
      if (now - askedAt > BUSY_MS) quietSince = now;
      const { ids, quietMs } = requests.of(tabId);
      if (ids.length === 0 && Math.min(quietMs, now - quietSince) >= QUIET_MS) return false;
      if (now >= endAt) return true;
      await delay(Math.min(POLL_MS, endAt - now), signal);
    }
  } catch (thrown) {
    const error = toSpillwayError(thrown);
    if (error.code === 'navigation_timeout') return true;
    throw error;
  } finally {
    release();
  }
}
