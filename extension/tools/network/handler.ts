import browser from 'webextension-polyfill';
import type { DebuggerSessions } from '../../background/chromium/debugger/sessions.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';
import type { CallPolicy } from '../../background/policy/call-policy.ts';
import { siteOf } from '../../../shared/policy/sites.ts';
import { Capture, notRunning } from './capture.ts';
import { Taps } from './tap.ts';

/** A blank page is nothing to ask a person about: of the site that follows they are asked when it is captured. */
async function permitCapture(tabId: number, policy: CallPolicy): Promise<void> {
  const { url = '' } = await browser.tabs.get(tabId).catch(() => ({ url: '' }));
  if (siteOf(url) !== null) return policy.expectTab(tabId, ['capture_network']);
  await policy.expect({ url, tabId, documentId: null }, ['capture_network'], { asks: false });
}

/** Tabs whose failed captures are remembered. */
const FAILURES = 100;

/** All servers share the taps of one worker. */
const tapsOf = new WeakMap<DebuggerSessions, Taps>();

/**
 * The methods of `network`, for one server. Several servers may capture one tab: each gets a stream
 * of its own. A server has one capture a tab: starting another takes over from the one before, which
 * ends `stopped` once the new one observes, so that no event falls between them.
 */
export function createHandlers({
  debuggers,
}: WorkerServices): Pick<Handlers, 'network.capture' | 'network.ready' | 'network.mark' | 'network.stop'> {
  const taps = tapsOf.get(debuggers) ?? new Taps(debuggers);
  tapsOf.set(debuggers, taps);
  const captures = new Map<number, Capture>();
  // Why a tab's capture ended: later requests about the tab fail with the same error.
  const failures = new Map<number, unknown>();
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
      const risks = ['capture_network'] as const;
      const capture = new Capture({
        taps,
        params,
        sink,
        signal,
        permit: () => permitCapture(tabId, policy),
        passes: (url) => policy.passes({ url, tabId, documentId: null }, risks),
        previous: before,
      });
      captures.set(tabId, capture);
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
    'network.ready': async ({ tab_id: tabId }) => ({ source: await find(tabId).ready() }),
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
