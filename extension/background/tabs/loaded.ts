import { SpillwayError } from '../../../shared/errors.ts';

/**
 * Waits until a tab has loaded what it went to by itself.
 *
 * @throws SpillwayError `response_timeout`, `tab_not_found`, or the signal's reason
 */
export async function loaded(tabId: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let done: () => void = () => undefined;
  const onUpdated = (id: number, { status }: { readonly status?: string | undefined }): void => {
    if (id === tabId && status === 'complete') done();
  };
  const isOver = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(true), Math.max(0, timeoutMs));
    done = () => {
      clearTimeout(timer);
      resolve(false);
    };
    chrome.tabs.onUpdated.addListener(onUpdated);
    signal.addEventListener('abort', done, { once: true });
    // It may have arrived before anyone listened; a tab that has gone will not.
    chrome.tabs.get(tabId).then((tab) => onUpdated(tabId, tab), done);
  });
  chrome.tabs.onUpdated.removeListener(onUpdated);
  signal.removeEventListener('abort', done);
  signal.throwIfAborted();
  if (isOver)
    throw new SpillwayError(
      'response_timeout',
      `Tab ${tabId} did not finish a navigation that the page started.`,
    );
}
