import browser from 'webextension-polyfill';
import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** The browser allows two captures a second, of all callers together. */
const TOO_OFTEN = /MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND/;
const PAUSE_MS = 500;
/** More than the captures of others explain. */
const MOST_PAUSES = 10;

/**
 * A PNG of the viewport of a window's front tab, in base64. No debugger is attached, so the browser shows no bar.
 *
 * @throws SpillwayError `screenshot_failed` when the window shows nothing
 */
export async function visibleTab(windowId: number | undefined, signal: AbortSignal): Promise<string> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      const url = await browser.tabs.captureVisibleTab(windowId, { format: 'png' });
      return url.slice(url.indexOf(',') + 1);
    } catch (thrown) {
      const reason = messageOf(thrown);
      if (!TOO_OFTEN.test(reason) || pauses === MOST_PAUSES)
        throw new SpillwayError('screenshot_failed', `The tab's window cannot be captured: ${reason}`);
    }
    await delay(PAUSE_MS, signal);
  }
}
