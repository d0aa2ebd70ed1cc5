import browser from 'webextension-polyfill';
import { toSpillwayError } from '../../../shared/errors.ts';
import { siteOf } from '../../../shared/policy/sites.ts';
import type { CallPolicy } from '../../background/policy/call-policy.ts';
import type { CaptureOptions } from './capture.ts';

const RISKS = ['capture_network'] as const;
/** Calls that started one capture, each of which may have been allowed another site. */
const MOST_CALLS = 100;

/**
 * Asks the rules about the page that a tab shows. A blank page is nothing to ask a person about: what loads in it
 * is judged as it comes.
 *
 * @throws SpillwayError `policy_denied`, `approval_required`, `ledger_unavailable`
 */
export async function permitCapture(tabId: number, policy: CallPolicy, asks: boolean): Promise<void> {
  const { url = '' } = await browser.tabs.get(tabId).catch(() => ({ url: '' }));
  if (siteOf(url) !== null) return policy.expectTab(tabId, RISKS, { asks });
  try {
    await policy.expect({ url, tabId, documentId: null }, RISKS, { asks: false });
  } catch (thrown) {
    if (toSpillwayError(thrown).code !== 'approval_required') throw thrown;
  }
}

/** By which calls a capture takes requests: the one that began it, and those that started it again on another site. */
export class Admissions {
  readonly #tabId: number;
  readonly #calls: Set<CallPolicy>;
  readonly #first: CallPolicy;

  /** @param before of the capture that this one takes over from */
  constructor(tabId: number, first: CallPolicy, before: Admissions | undefined) {
    this.#tabId = tabId;
    this.#first = first;
    this.#calls = new Set([first, ...(before === undefined ? [] : before.#calls)]);
  }

  add(call: CallPolicy): void {
    if (this.#calls.size < MOST_CALLS) this.#calls.add(call);
  }

  /** See {@link CaptureOptions.passes}. */
  passes(url: string): boolean {
    const place = { url, tabId: this.#tabId, documentId: null };
    return [...this.#calls].some((call) => call.passes(place, RISKS));
  }

  /** See {@link CaptureOptions.leftOut}. */
  leftOut(url: string): ReturnType<CaptureOptions['leftOut']> {
    const effect = this.#first.effect({ url, tabId: this.#tabId, documentId: null }, RISKS);
    const site = siteOf(url);
    return site === null || effect === null || effect === 'allow' ? null : { origin: site.origin, effect };
  }
}
