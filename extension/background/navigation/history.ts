import browser from 'webextension-polyfill';
import { SpillwayError } from '../../../shared/errors.ts';
import { stepHistory } from '../../page/in-page/step-history.ts';
import type { NavigationWatch } from './watch.ts';

/** A way through the history begins within milliseconds, when there is an entry to go to. */
const BEGIN_MS = 1_000;

interface HistoryStep {
  readonly tabId: number;
  readonly action: 'back' | 'forward';
  readonly watch: NavigationWatch;
}

/**
 * Goes one entry back or forward. `tabs.goBack` alone is not enough: like the browser's button it
 * skips every page without a user gesture, which are all those that an agent loaded. The page's
 * own `history` does not, but is silent when there is no entry: then the button decides.
 *
 * @throws SpillwayError `no_history_entry`
 */
export async function stepTabHistory({ tabId, action, watch }: HistoryStep): Promise<void> {
  if ((await stepInPage(tabId, action)) && (await watch.begins(BEGIN_MS))) return;
  try {
    await (action === 'back' ? browser.tabs.goBack(tabId) : browser.tabs.goForward(tabId));
  } catch (error) {
    // Chrome has only a sentence for it: "Cannot find a next page in history."
    if (error instanceof Error && /in history/i.test(error.message))
      throw new SpillwayError('no_history_entry', `Tab ${tabId} has no history entry to go ${action} to.`);
    throw error;
  }
}

/** False when the page has a single entry, or is one that no script may enter. */
async function stepInPage(tabId: number, action: 'back' | 'forward'): Promise<boolean> {
  try {
    const [step] = await browser.scripting.executeScript({
      target: { tabId },
      injectImmediately: true,
      args: [action],
      func: stepHistory,
    });
    return step?.result === true;
  } catch {
    return false;
  }
}
