import browser from 'webextension-polyfill';
import { delay } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { createTabHolds, runningIn, startHold } from '../../platform/chromium/debugger/tab-holds.ts';
import type { StreamMethodParams } from '../../../shared/core/bridge/methods.ts';
import type { HandlerContext, Handlers, HandlerServices, StreamSink } from '../../core/handler.ts';
import type { TabRequests } from '../../core/navigation/tab-requests.ts';
import { navigateTab } from '../../tabs/worker/navigate-tab.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { TRACE_BYTES, type Recorded } from '../../../shared/trace/trace.methods.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { describeNode, endTracing, frameIdsOf, startTracing } from '../../platform/chromium/tracing.ts';

/** A running trace of a tab. */
export class Recording {
  /** All that the tab has had, by their ids in the trace. */
  readonly #frames = new Set<string>();

  private constructor(private readonly lease: DebuggerLease) {}

  /** @throws SpillwayError `tab_busy` if another debugger records */
  static async begin(lease: DebuggerLease): Promise<Recording> {
    const recording = new Recording(lease);
    await recording.noteFrames();
    await startTracing(lease);
    return recording;
  }

  async noteFrames(): Promise<void> {
    for (const id of await frameIdsOf(this.lease)) this.#frames.add(id);
  }

  /** Ends it and discards its events. */
  async drop(): Promise<void> {
    await (await endTracing(this.lease)).drop();
  }

  /**
   * Ends it and writes its events.
   * @throws SpillwayError `response_too_large`, and of the lost attachment
   */
  async write(sink: StreamSink, signal: AbortSignal): Promise<Pick<Recorded, 'frames' | 'is_lossy'>> {
    await this.noteFrames();
    const ended = await endTracing(this.lease);
    let sizeBytes = 0;
    for await (const { data, base64Encoded } of ended.pieces()) {
      sizeBytes += data.length;
      if (sizeBytes > TRACE_BYTES)
        throw new SpillwayError(
          'response_too_large',
          `The trace of tab ${this.lease.tabId} is larger than ${TRACE_BYTES} bytes.`,
          { hint: 'Record for a shorter time: pass a smaller ms, or stop earlier.' },
        );
      if (base64Encoded) throw new SpillwayError('internal_error', 'The browser recorded no text.');
      await sink.write(data.toWellFormed());
      signal.throwIfAborted();
    }
    return { frames: [...this.#frames], is_lossy: ended.isLossy };
  }
}

/** A part of a selector without escapes. */
const PLAIN = /^[A-Za-z][\w-]{0,40}$/;

/** A selector of the node, which others may match too; empty for a node that is gone. */
async function buildNodeSelector(lease: DebuggerLease, backendNodeId: number): Promise<string> {
  const node = await describeNode(lease, backendNodeId);
  if (node === null) return '';
  const { localName, attributes } = node;
  const partsOf = (name: string, mark: string): string => {
    const at = attributes.findIndex((each, index) => index % 2 === 0 && each === name);
    const values = at < 0 ? [] : (attributes[at + 1] ?? '').split(/\s+/);
    const plain = values.filter((each) => PLAIN.test(each)).slice(0, 2);
    return plain.map((each) => `${mark}${each}`).join('');
  };
  return `${PLAIN.test(localName) ? localName : '*'}${partsOf('id', '#')}${partsOf('class', '.')}`;
}

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

type TraceHandlerServices = Pick<
  HandlerServices,
  'debuggers' | 'requests' | 'leases' | 'closed' | 'sessionEnds' | 'personTabs'
>;

/** The methods of `trace`. */
export function createHandlers(
  services: TraceHandlerServices,
): Pick<Handlers, 'trace.load' | 'trace.nodes' | 'trace.start' | 'trace.stop'> {
  const holds = createHolds(services);
  const own = browser.runtime.getURL('');
  return {
    'trace.load': async (params, context, sink) => {
      const { tab_id: tabId, caller } = params;
      const { signal, policy } = context;
      await readable(tabId, policy);
      const { debuggers, leases, closed } = services;
      const turn = await leases.take(tabId, caller, { signal, closed, isAct: false });
      try {
        const free = claim(tabId, caller.session);
        return await debuggers
          .use(tabId, signal, async (lease) => {
            const recording = await Recording.begin(lease);
            return orDrop(recording, async () => {
              const isLate = await load(recording, services.requests, params, context);
              // The page may have navigated meanwhile.
              const url = await readable(tabId, policy);
              return { is_late: isLate, url, own, ...(await recording.write(sink, signal)) };
            });
          })
          .finally(free);
      } finally {
        turn.release();
      }
    },
    'trace.nodes': async ({ tab_id: tabId, ids }, { signal, policy }) => {
      await readable(tabId, policy);
      const named = await services.debuggers.use(tabId, signal, (lease) =>
        Promise.all(
          ids.map(async (id): Promise<[string, string]> => [String(id), await buildNodeSelector(lease, id)]),
        ),
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
      runningIn(holds, 'recording', { tabId, session });
      // A person may be asked first: tracing continues until the call that may read it.
      const url = await readable(tabId, policy);
      const { hold, recording } = runningIn(holds, 'recording', { tabId, session });
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

/** Reloads the tab, and waits until it is loaded and quiet. Returns whether it was not in time. */
async function load(
  recording: Recording,
  requests: TabRequests,
  { tab_id: tabId, is_cold: isCold, ms }: StreamMethodParams<'trace.load'>,
  { policy, signal }: HandlerContext,
): Promise<boolean> {
  const endAt = performance.now() + ms;
  const release = requests.hold();
  try {
    await navigateTab({ tab_id: tabId, action: 'reload', wait_until: 'load', timeout_ms: ms }, signal, {
      isCold,
      permit: async (url) => void (await policy.expect({ url, tabId, documentId: null }, ['navigate'])),
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
    if (toSpillwayError(thrown).code === 'navigation_timeout') return true;
    throw thrown;
  } finally {
    release();
  }
}
