import { withTimeout } from '../../../shared/async/wait.ts';
import { injectionError } from '../../background/pages/targets.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';

/** A document that a function is run in. */
export interface PagePlace {
  readonly tabId: number;
  readonly frameId: number;
  /** For messages. */
  readonly url: string;
}

interface Run<Args extends unknown[], Result> {
  readonly place: PagePlace;
  /** Runs in the page's isolated world: it sees its own arguments and nothing else of ours. */
  readonly func: (...args: Args) => Result | Promise<Result>;
  readonly args: Args;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Runs a function in a document and answers what it gives, which has to be JSON.
 *
 * @throws SpillwayError `page_unresponsive` when the page does not answer in time, what
 * {@link injectionError} makes of a refusal, or the signal's reason
 */
export async function runInPage<Args extends unknown[], Result>({
  place,
  func,
  args,
  signal,
  timeoutMs = LIMITS.pageResponseTimeoutMs,
}: Run<Args, Result>): Promise<Awaited<Result>> {
  const target = { tabId: place.tabId, frameIds: [place.frameId] };
  const injected = chrome.scripting
    .executeScript({ target, injectImmediately: true, func, args })
    .catch((thrown: unknown) => {
      throw injectionError(thrown, place.tabId, place.url);
    });
  const [answer] = await withTimeout(injected, timeoutMs, () => unresponsive(place, timeoutMs), signal);
  if (answer?.result === undefined || answer.result === null)
    throw new SpillwayError('page_changed', `Tab ${place.tabId} (${place.url}) gave no answer.`);
  return answer.result;
}

/** A busy page never answers: only the deadline ends the wait. */
export const unresponsive = ({ tabId, url }: PagePlace, timeoutMs: number): SpillwayError =>
  new SpillwayError('page_unresponsive', `Tab ${tabId} (${url}) did not answer within ${timeoutMs} ms.`);
