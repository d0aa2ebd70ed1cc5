import browser from 'webextension-polyfill';
import { delay } from '../../../shared/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Recorded } from '../../../shared/tools/trace/methods.ts';
import type { DebuggerLease } from '../../background/chromium/debugger/sessions.ts';
import { createTabHolds } from '../../background/chromium/debugger/tab-holds.ts';
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
  return {
    'trace.load': async ({ tab_id: tabId, caller, ...how }, { signal, policy }, sink) => {
      await getReadableTab(tabId);
      await policy.expectFrames(tabId, ['read']);
      const free = claim(tabId, caller.session);
      let lease: DebuggerLease | undefined;
      try {
        lease = await services.debuggers.acquire(tabId, signal);
        const recording = await Recording.begin(lease);
        const isLate = await load(recording, { tabId, ...how, services, policy, signal }).catch(
          async (thrown: unknown) => {
            await recording.drop().catch(() => undefined);
            throw thrown;
          },
        );
        return { is_late: isLate, ...(await deliver(recording, { tabId, policy, sink, signal })) };
      } finally {
        free();
        await lease?.release();
      }
    },
    'trace.nodes': async ({ tab_id: tabId, ids }, { signal, policy }) => {
      await getReadableTab(tabId);
      await policy.expectFrames(tabId, ['read']);
      const lease = await services.debuggers.acquire(tabId, signal);
      try {
        const named = await Promise.all(
          ids.map(async (id): Promise<[string, string]> => [String(id), await nameOf(lease, id)]),
        );
        return { names: Object.fromEntries<string>(named.filter(([, name]) => name !== '')) };
      } finally {
        await lease.release();
      }
    },
    'trace.start': async ({ tab_id: tabId, caller }, { signal, policy }) => {
      await getReadableTab(tabId);
      await policy.expectFrames(tabId, ['read']);
      const free = claim(tabId, caller.session);
      try {
        const { lease, state } = await holds.begin(tabId, caller, signal);
        state.free = free;
        state.recording = await Recording.begin(lease);
      } catch (thrown) {
        free();
        await holds.end(tabId);
        throw thrown;
      }
      return {};
    },
    'trace.stop': async ({ tab_id: tabId, caller: { session } }, { signal, policy }, sink) => {
      const hold = holds.get(tabId);
      const recording = hold?.session === session ? hold.state.recording : null;
      if (hold === undefined || recording === null)
        throw (
          holds.lossOf(tabId, session) ??
          new SpillwayError('capture_not_running', `Tab ${tabId} is not traced for this session.`, {
            hint: 'Call trace with action "start" first.',
          })
        );
      hold.state.recording = null;
      try {
        return { is_late: false, ...(await deliver(recording, { tabId, policy, sink, signal })) };
      } finally {
        await holds.end(tabId);
      }
    },
  };
}

async function deliver(
  recording: Recording,
  {
    tabId,
    policy,
    sink,
    signal,
  }: {
    readonly tabId: number;
    readonly policy: CallPolicy;
    readonly sink: Parameters<Handlers['trace.load']>[2];
    readonly signal: AbortSignal;
  },
): Promise<Omit<Recorded, 'is_late'>> {
  try {
    const { url = '' } = await getReadableTab(tabId);
    // The page may have navigated meanwhile.
    await policy.expectFrames(tabId, ['read']);
    return { url, own: browser.runtime.getURL(''), ...(await recording.write(sink, signal)) };
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
