import type { DebuggerSessions } from '../../background/debugger/sessions.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { Capture, notRunning } from './capture.ts';
import { Taps } from './tap.ts';

/** All servers share the taps of one worker. */
const tapsOf = new WeakMap<DebuggerSessions, Taps>();

/**
 * The methods of `network`, for one server. Several servers may capture one tab: each gets a stream
 * of its own. A server has one capture a tab: starting another takes over from the one before, which
 * ends `stopped` once the new one observes, so that no event falls between them.
 */
export function createNetworkHandlers({
  debuggers,
}: WorkerServices): Pick<Handlers, 'network.capture' | 'network.ready' | 'network.mark' | 'network.stop'> {
  const taps = tapsOf.get(debuggers) ?? new Taps(debuggers);
  tapsOf.set(debuggers, taps);
  const captures = new Map<number, Capture>();
  const find = (tabId: number): Capture => {
    const capture = captures.get(tabId);
    if (capture === undefined) throw notRunning(tabId);
    return capture;
  };
  return {
    'network.capture': async (params, { signal }, sink) => {
      const tabId = params.tab_id;
      const before = captures.get(tabId);
      const capture = new Capture({ taps, params, sink, signal });
      captures.set(tabId, capture);
      try {
        if (before !== undefined)
          void capture.source().then(
            () => before.stop(),
            () => undefined,
          );
        return await capture.run();
      } finally {
        if (captures.get(tabId) === capture) captures.delete(tabId);
      }
    },
    'network.ready': async ({ tab_id: tabId }) => ({ source: await find(tabId).source() }),
    'network.mark': async ({ tab_id: tabId, mark }) => {
      await find(tabId).mark(mark);
      return {};
    },
    'network.stop': async ({ tab_id: tabId }) => {
      await captures.get(tabId)?.stop();
      return {};
    },
  };
}
