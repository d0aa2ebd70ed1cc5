import type { MethodParams, MethodResult } from '../../shared/core/bridge/methods.ts';
import { toSpillwayError } from '../../shared/base/errors.ts';
import type { WaitFor } from '../../shared/core/tools/manifest.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { Bridge } from '../core/services.ts';
import { askTab, type TabTarget } from '../core/targets.ts';

/** The browser answers by itself within `timeout_ms`; the bridge waits longer for its last look. */
const GRACE_MS = 30_000;

/** Waits in a tab, for all of the conditions unless it says otherwise. */
export function awaitIn(
  on: Parameters<typeof askTab>[0],
  wait: Pick<MethodParams<'page.await'>, 'conditions' | 'timeout_ms'> & { readonly mode?: 'all' | 'any' },
): Promise<MethodResult<'page.await'>> {
  const params = { tab_id: on.target.tabId, caller: callerOf(on.context), mode: 'all', ...wait } as const;
  return askTab(on, 'page.await', params, wait.timeout_ms + GRACE_MS);
}

export interface Waited extends Pick<MethodResult<'page.await'>, 'missing' | 'waited_ms' | 'under_way'> {
  /** A PDF has no content to wait for, though it can be read. */
  readonly isPdf: boolean;
}

/** Waits until all of `waitFor` is met in a tab, or its time is over, which is not a failure. */
export async function waitForPage(
  bridge: Bridge,
  { target, waitFor }: { readonly target: TabTarget; readonly waitFor: WaitFor },
  context: CallContext,
): Promise<Waited> {
  const { text, selector, network_idle: isIdle, timeout_ms } = waitFor;
  const conditions = { text, selector, network_idle: isIdle === true ? isIdle : undefined };
  try {
    return { ...(await awaitIn({ bridge, target, context }, { conditions, timeout_ms })), isPdf: false };
  } catch (thrown) {
    if (toSpillwayError(thrown).code !== 'page_is_pdf') throw thrown;
    return { missing: [], waited_ms: 0, under_way: [], isPdf: true };
  }
}

/** One sentence about unmet conditions; null without any. */
export function describeMissing(
  { text, selector }: WaitFor,
  { missing, waited_ms: waitedMs, under_way: inFlight, isPdf }: Waited,
): string | null {
  if (isPdf) return 'wait_for: the tab shows a PDF, in which nothing can be waited for.';
  if (missing.length === 0) return null;
  const reasons = missing.map((condition) => {
    if (condition === 'text') return `the text "${text ?? ''}" did not appear`;
    if (condition === 'selector') return `no visible element matched ${selector ?? ''}`;
    const [first] = inFlight;
    return `the network was not idle${first === undefined ? '' : ` (${first})`}`;
  });
  return `wait_for: after ${waitedMs} ms ${reasons.join(', and ')}.`;
}
