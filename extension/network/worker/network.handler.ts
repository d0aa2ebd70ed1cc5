import browser from 'webextension-polyfill';
import type { DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import type { Handlers, HandlerServices } from '../../core/handler.ts';
import { BoundedMap, valueIn } from '../../../shared/base/maps.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { Capture, type CaptureOptions } from './capture.ts';
import { Taps } from '../../platform/chromium/network-tap.ts';

const RISKS = ['capture_network'] as const;
/** Calls that started one capture, each possibly allowed another site. */
const MAX_CALLS = 100;

/**
 * Asks the rules about the page that a tab shows. A blank page needs no question: its loads are judged as they come.
 * @throws SpillwayError `policy_denied`, `approval_required`, `ledger_unavailable`
 */
async function permitCapture(tabId: number, policy: CallPolicy, asks: boolean): Promise<void> {
  const { url = '' } = await browser.tabs.get(tabId).catch(() => ({ url: '' }));
  if (siteOf(url) !== null) return void (await policy.expectTab(tabId, RISKS, { asks }));
  try {
    await policy.expect({ url, tabId, documentId: null }, RISKS, { asks: false });
  } catch (thrown) {
    if (toSpillwayError(thrown).code !== 'approval_required') throw thrown;
  }
}

/**
 * The calls that permit a capture's requests: the one that began it, and those that started it again on another site.
 */
class Admissions {
  readonly #calls: Set<CallPolicy>;

  /** @param before of the capture that this one replaces */
  constructor(
    private readonly tabId: number,
    private readonly first: CallPolicy,
    before: Admissions | undefined,
  ) {
    this.#calls = new Set([first, ...(before === undefined ? [] : before.#calls)]);
  }

  add(call: CallPolicy): void {
    if (this.#calls.size < MAX_CALLS) this.#calls.add(call);
  }

  /** See {@link CaptureOptions.passes}. */
  passes(url: string): boolean {
    const place = { url, tabId: this.tabId, documentId: null };
    return [...this.#calls].some((call) => call.passes(place, RISKS));
  }

  /** See {@link CaptureOptions.leftOut}. */
  leftOut(url: string): ReturnType<CaptureOptions['leftOut']> {
    const effect = this.first.effect({ url, tabId: this.tabId, documentId: null }, RISKS);
    const site = siteOf(url);
    return site === null || effect === null || effect === 'allow' ? null : { origin: site.origin, effect };
  }
}

/** Tabs whose failed captures are remembered. */
const FAILURES = 100;

/** The wire version since which servers accept reports of omissions. */
const TOLD_SINCE = 2;
type NetworkHandlerServices = Pick<HandlerServices, 'debuggers' | 'personTabs' | 'server'> &
  Pick<CaptureOptions, 'requests'>;

/** All servers share the taps of one worker. */
const tapsOf = new WeakMap<DebuggerSessions, Taps>();

/**
 * The methods of `network`, for one server. Several servers may capture one tab: each gets a stream of its own. A
 * server has one capture per tab: starting another replaces the previous one, which ends with `stopped` once the new
 * one observes, so that no event is missed.
 */
export function createHandlers({
  debuggers,
  personTabs,
  requests,
  server,
}: NetworkHandlerServices): Pick<
  Handlers,
  'network.capture' | 'network.ready' | 'network.mark' | 'network.stop'
> {
  const taps = valueIn(tapsOf, debuggers, () => new Taps(debuggers));
  const captures = new Map<number, Capture>();
  // Why a tab's capture ended: later requests about the tab fail with the same error.
  const failures = new BoundedMap<number, unknown>(FAILURES);
  const admissions = new WeakMap<Capture, Admissions>();
  const find = (tabId: number): Capture => {
    const capture = captures.get(tabId);
    if (capture !== undefined) return capture;
    if (failures.has(tabId)) throw failures.get(tabId);
    throw new SpillwayError('capture_not_running', `Tab ${tabId} is not being captured.`);
  };
  return {
    'network.capture': async (params, { signal, policy }, sink) => {
      const tabId = params.tab_id;
      const before = captures.get(tabId);
      const admitted = new Admissions(tabId, policy, before && admissions.get(before));
      const capture = new Capture({
        personTabs,
        taps,
        requests,
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
      // One that could not begin replaces none.
      const refuse = (error: unknown): void => {
        replace(before);
        if (!captures.has(tabId)) failures.set(tabId, error);
      };
      const stopBefore = (): void => void before?.stop();
      capture.ready().then(stopBefore, () => undefined);
      try {
        return await capture.run();
      } finally {
        await capture.source().then(() => replace(undefined), refuse);
      }
    },
    'network.ready': async ({ tab_id: tabId, asks = true }, { policy }) => {
      await permitCapture(tabId, policy, asks);
      const capture = find(tabId);
      const source = await capture.ready();
      admissions.get(capture)?.add(policy);
      capture.tellAgain();
      const { failedBefore } = capture;
      return failedBefore === 0 ? { source } : { source, failed_before: failedBefore };
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
