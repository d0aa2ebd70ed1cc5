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
  const [answer] = await orLate(injected, { signal, timeoutMs, place });
  if (answer?.result === undefined || answer.result === null)
    throw new SpillwayError('page_changed', `Tab ${place.tabId} (${place.url}) did not answer.`);
  return answer.result;
}

interface Wait {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly place: PagePlace;
}

/** A page that is busy never answers: nothing else ends the wait for it. */
export function orLate<T>(work: Promise<T>, { signal, timeoutMs, place }: Wait): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => end(() => reject(signal.reason));
    const timer = setTimeout(() => {
      const message = `Tab ${place.tabId} (${place.url}) did not answer within ${timeoutMs} ms.`;
      end(() => reject(new SpillwayError('page_unresponsive', message)));
    }, timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then(
      (value) => end(() => resolve(value)),
      (thrown: unknown) => end(() => reject(thrown)),
    );
  });
}
