import browser from 'webextension-polyfill';
import { delay, waitAtMost } from '../../../../shared/base/async.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { forbiddenPage, getReadableTab } from '../../../core/pages/targets.ts';
import type { MethodResult } from '../../../../shared/core/bridge/methods.ts';
import type { TAKEOVER_METHODS, TakeoverUntil } from '../../../../shared/people/takeover.ts';
import { siteOf } from '../../../../shared/core/policy/sites.ts';
import { untilOver } from '../../../core/link/interrupt.ts';
import type { Handlers, HandlerServices, WorkerServices } from '../../../core/handler.ts';
import type { CallPolicy } from '../../../core/policy/call-policy.ts';
import { topOf, documentsOfCall } from '../../../core/policy/documents.ts';
import { loaded } from '../../../core/tabs/tab-info.ts';
import type { Caller } from '../../../../shared/core/policy/call-facts.ts';
import { conditionsHold } from '../../../wait/worker/await-conditions.ts';
import { endOf, type Takeovers } from './takeovers.ts';

/** Interval between two looks at the page. */
const LOOK_MS = 500;
/** The next look asks again. */
const ANSWER_MS = 2_000;

export interface WatchUntil extends Pick<WorkerServices, 'channels' | 'refBook' | 'requests'> {
  readonly tabId: number;
  readonly caller: Caller;
  readonly until: TakeoverUntil;
  /** The address at the start. */
  readonly page: string;
  readonly policy: CallPolicy;
  readonly signal: AbortSignal;
}

/**
 * Resolves when the page shows what is waited for, through navigations. Only whether it does is learnt, and that only
 * of pages that the agent may read: of another page a condition would tell what is on it. No debugger is attached.
 *
 * @throws the signal's reason
 */
export async function untilShown(watch: WatchUntil, look = holds): Promise<void> {
  const { signal } = watch;
  for (;;) {
    if (await looked(watch, look)) return;
    await delay(LOOK_MS, signal);
  }
}

/** A page that is loading, does not answer or may not be read shows nothing yet. */
async function looked(watch: WatchUntil, look: typeof holds): Promise<boolean> {
  try {
    const answer = await untilOver(watch.signal, (signal) =>
      waitAtMost(look({ ...watch, signal }), ANSWER_MS, watch.signal),
    );
    return answer ?? false;
  } catch {
    return false;
  }
}

async function holds(watch: WatchUntil): Promise<boolean> {
  const { tabId, caller, policy, signal, channels, refBook, requests } = watch;
  const { mode = 'all', moved, ...conditions } = watch.until;
  const top = await topOf(tabId);
  if (top === null) return false;
  // The person is busy in the tab: they are not also asked whether it may be read.
  await policy.expect(top, ['read'], { asks: false });
  const hasMoved = moved === true && (await isElsewhere(tabId, watch.page));
  if (moved === true && (hasMoved === (mode === 'any') || Object.keys(conditions).length === 0))
    return hasMoved;
  return conditionsHold({
    tab_id: tabId,
    caller,
    conditions,
    mode,
    channels: documentsOfCall(channels, policy, { risks: ['read'], asks: false }),
    refs: refBook,
    requests,
    signal,
  });
}

/** Whether a tab shows another page, whole. A page that only changes its query or its place is the same one. */
async function isElsewhere(tabId: number, page: string): Promise<boolean> {
  const { url = '', status } = await browser.tabs.get(tabId);
  const pathOf = (address: string): string => address.replace(/[?#].*$/s, '');
  return status === 'complete' && pathOf(url) !== pathOf(page);
}

type TakeoverPorts = Pick<
  HandlerServices,
  'channels' | 'refBook' | 'requests' | 'leases' | 'openings' | 'closed' | 'server'
>;

const LOAD_MS = 30_000;
const GONE: MethodResult<'takeover.wait'> = { ...endOf('gone'), from: 0, to: 0, origin: null };

/** Methods about take-overs, for the server of one channel. */
export const takeoverHandlers = (
  takeovers: Takeovers,
  { server: { instance: server }, ...services }: TakeoverPorts,
): Pick<Handlers, keyof typeof TAKEOVER_METHODS> => ({
  'takeover.begin': async (params, { scope, signal, policy }) => {
    if (scope === null)
      throw new SpillwayError('policy_denied', 'The server did not say which agent asks a person.', {
        hint: 'Update the server: its version does not support take-overs.',
      });
    const { tab_id: tabId } = params;
    const { caller } = scope;
    const { leases, openings, closed } = services;
    await takeovers.loaded;
    const asked = takeovers.asked(params, { server, caller });
    if (asked !== null) return { id: asked.id, origin: asked.origin };
    // Waits for this session's work in the tab; other sessions' work is not interrupted.
    const lease = await leases.take(tabId, caller, { signal, closed, isAct: true });
    try {
      const { url = '', pendingUrl = '', status } = await getReadableTab(tabId);
      const what = forbiddenPage(pendingUrl);
      if (what !== null) throw new SpillwayError('page_forbidden', `Tab ${tabId} is about to show ${what}.`);
      if (status === 'loading' && siteOf(url) === null) await loaded(tabId, LOAD_MS, signal);
      // The tab may have shown nothing yet, or another page, when the call was judged.
      await policy.expectTab(tabId, ['read']);
      const { url: shown = '' } = await getReadableTab(tabId);
      signal.throwIfAborted();
      const { id, origin } = await takeovers.begin(params, { server, caller }, shown);
      openings.leave(tabId);
      return { id, origin };
    } finally {
      lease.release();
    }
  },
  'person.ask': async (params, { scope }) => {
    if (scope === null)
      throw new SpillwayError('policy_denied', 'The server did not say which agent asks a person.');
    const { id } = await takeovers.ask(params, { server, caller: scope.caller });
    return { id };
  },
  'takeover.wait': async ({ id }, { signal, policy, scope }) => {
    await takeovers.loaded;
    const takeover = takeovers.find(id);
    return untilOver(signal, async (limited) => {
      if (takeover?.tab_id != null && takeover.until !== null && scope !== null)
        void untilShown({
          ...services,
          tabId: takeover.tab_id,
          caller: takeover.caller,
          until: takeover.until,
          page: takeover.page ?? '',
          policy,
          signal: limited,
        }).then(
          () => takeovers.end(id, endOf('done', { by: 'page' })),
          () => undefined,
        );
      const ended = await takeovers.wait(id, server, signal);
      if (ended === null) return GONE;
      return { ...ended.ending, origin: await toldOrigin(ended.tab_id, policy) };
    });
  },
  'takeover.cancel': async ({ id }) => ({ was_open: await takeovers.cancel(id, server) }),
});

async function toldOrigin(tabId: number | null, policy: CallPolicy): Promise<string | null> {
  if (tabId === null) return null;
  const tab = await browser.tabs.get(tabId).catch(() => null);
  const top = tab === null ? null : await topOf(tabId).catch(() => null);
  if (top === null) return null;
  return policy.expect(top, ['read'], { asks: false }).then(
    () => siteOf(top.origin ?? top.url)?.origin ?? null,
    () => null,
  );
}
