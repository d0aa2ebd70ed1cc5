import type { DebuggerSessions } from '../../background/chromium/debugger/sessions.ts';
import type { Handlers, HandlerServices } from '../../background/handler.ts';
import { Admissions, permitCapture } from './admissions.ts';
import { Capture, notRunning } from './capture.ts';
import { Taps } from './tap.ts';

/** Tabs whose failed captures are remembered. */
const FAILURES = 100;

/** The wire version since which servers take what a capture leaves out. */
const TOLD_SINCE = 2;
/** All servers share the taps of one worker. */
const tapsOf = new WeakMap<DebuggerSessions, Taps>();

/**
 * The methods of `network`, for one server. Several servers may capture one tab: each gets a stream
 * of its own. A server has one capture a tab: starting another takes over from the one before, which
 * ends `stopped` once the new one observes, so that no event falls between them.
 */
export function createHandlers({
  debuggers,
  personTabs,
  server,
}: Pick<HandlerServices, 'debuggers' | 'personTabs' | 'server'>): Pick<
  Handlers,
  'network.capture' | 'network.ready' | 'network.mark' | 'network.stop'
> {
  const taps = tapsOf.get(debuggers) ?? new Taps(debuggers);
  tapsOf.set(debuggers, taps);
  const captures = new Map<number, Capture>();
  // Why a tab's capture ended: later requests about the tab fail with the same error.
  const failures = new Map<number, unknown>();
  const admissions = new WeakMap<Capture, Admissions>();
  const find = (tabId: number): Capture => {
    const capture = captures.get(tabId);
    if (capture !== undefined) return capture;
    if (failures.has(tabId)) throw failures.get(tabId);
    throw notRunning(tabId);
  };
  const fail = (tabId: number, error: unknown): void => {
    const [oldest] = failures.keys();
    if (oldest !== undefined && failures.size >= FAILURES) failures.delete(oldest);
    failures.set(tabId, error);
  };
  return {
    'network.capture': async (params, { signal, policy }, sink) => {
      const tabId = params.tab_id;
      const before = captures.get(tabId);
      const admitted = new Admissions(tabId, policy, before && admissions.get(before));
      const capture = new Capture({
        personTabs,
        taps,
        params,
        sink,
        signal,
        permit: () => permitCapture(tabId, policy, params.asks ?? true),
        passes: (url) => admitted.passes(url),
        leftOut: (url) => (server.wire < TOLD_SINCE ? null : admitted.leftOut(url)),
        previous: before,
      });
      captures.set(tabId, capture);
      admissions.set(capture, admitted);
      failures.delete(tabId);
      const replace = (to: Capture | undefined): void => {
        if (captures.get(tabId) !== capture) return;
        if (to === undefined || to.isOver) captures.delete(tabId);
        else captures.set(tabId, to);
      };
      // One that could not begin takes over from none.
      capture.ready().then(
        () => void before?.stop(),
        (error: unknown) => {
          replace(before);
          fail(tabId, error);
        },
      );
      try {
        return await capture.run();
      } finally {
        replace(undefined);
      }
    },
    'network.ready': async ({ tab_id: tabId, asks = true }, { policy }) => {
      await permitCapture(tabId, policy, asks);
      const capture = find(tabId);
      const source = await capture.ready();
      admissions.get(capture)?.add(policy);
      capture.tellAgain();
      return { source };
    },
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
