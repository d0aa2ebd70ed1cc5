import type { WaitFor, WaitOutcome } from '../../shared/wait-for.ts';
import type { CallContext } from '../core/context.ts';
import type { Bridge } from '../core/services.ts';
import { onTab, type TabTarget } from '../core/targets.ts';

/** The browser answers by itself within `timeout_ms`; the bridge waits a little longer. */
const GRACE_MS = 5_000;

/** Waits until everything in `waitFor` holds in a tab, or its time is over, which is not a failure. */
export function waitForPage(
  bridge: Bridge,
  { target, waitFor }: { readonly target: TabTarget; readonly waitFor: WaitFor },
  context: CallContext,
): Promise<WaitOutcome> {
  const params = { tab_id: target.tabId, wait_for: waitFor };
  return onTab(target, context, () =>
    bridge.request(target.browser, 'page.wait', params, {
      signal: context.signal,
      idleTimeoutMs: waitFor.timeout_ms + GRACE_MS,
    }),
  );
}

/** One sentence about what did not hold; null when everything did. */
export function describeMissing(
  { text, selector }: WaitFor,
  { missing, waited_ms: waitedMs, under_way: inFlight }: WaitOutcome,
): string | null {
  if (missing.length === 0) return null;
  const reasons = missing.map((condition) => {
    if (condition === 'text') return `the text "${text ?? ''}" did not appear`;
    if (condition === 'selector') return `no visible element matched ${selector ?? ''}`;
    const [first] = inFlight;
    return `the network was not idle${first === undefined ? '' : ` (${first})`}`;
  });
  return `wait_for: after ${waitedMs} ms ${reasons.join(', and ')}.`;
}
