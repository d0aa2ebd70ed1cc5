import browser from 'webextension-polyfill';
import { withTimeout } from '../../../shared/async/wait.ts';
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
  const isLoaded = new Promise<void>((resolve) => (done = resolve));
  const late = (): SpillwayError =>
    new SpillwayError('response_timeout', `Tab ${tabId} did not finish a navigation that the page started.`);
  browser.tabs.onUpdated.addListener(onUpdated);
  // It may have loaded before the listener was added; a closed tab sends no event.
  browser.tabs.get(tabId).then((tab) => onUpdated(tabId, tab), done);
  try {
    await withTimeout(isLoaded, Math.max(0, timeoutMs), late, signal);
  } finally {
    browser.tabs.onUpdated.removeListener(onUpdated);
  }
}
