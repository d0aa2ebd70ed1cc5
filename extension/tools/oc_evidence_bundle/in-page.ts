import browser from 'webextension-polyfill';
import { withTimeout } from '../../../shared/async.ts';
import { injectionError } from '../../background/pages/targets.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';

export interface PagePlace {
  readonly tabId: number;
  readonly frameId: number;
  /** For messages. */
  readonly url: string;
}

interface Run<Args extends unknown[]> {
  readonly place: PagePlace;
  /** Runs in the page's isolated world: it sees only its own arguments. */
  readonly func: (...args: Args) => string | Promise<string>;
  readonly args: Args;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Runs a function in a document and returns its text.
 * @throws SpillwayError `page_unresponsive` if the page does not answer in time, the {@link injectionError} of a
 * refusal, or the signal's reason
 */
export async function runInPage<Args extends unknown[]>({
  place,
  func,
  args,
  signal,
  timeoutMs = LIMITS.pageResponseTimeoutMs,
}: Run<Args>): Promise<string> {
  const target = { tabId: place.tabId, frameIds: [place.frameId] };
  const injected = browser.scripting
    .executeScript({ target, injectImmediately: true, func, args })
    .catch((thrown: unknown) => {
      throw injectionError(thrown, place.tabId, place.url);
    });
  const [answer] = await withTimeout(injected, timeoutMs, () => unresponsive(place, timeoutMs), signal);
  const result = answer?.result;
  if (typeof result !== 'string')
    throw new SpillwayError('page_changed', `Tab ${place.tabId} (${place.url}) did not answer.`);
  return result;
}

/** A busy page never answers: only the deadline ends the wait. */
export const unresponsive = ({ tabId, url }: PagePlace, timeoutMs: number): SpillwayError =>
  new SpillwayError('page_unresponsive', `Tab ${tabId} (${url}) did not answer within ${timeoutMs} ms.`);
