import browser from 'webextension-polyfill';
import { messageOf } from '../../../shared/base/message-of.ts';

/** Name of the port that the offscreen document keeps open. */
export const OFFSCREEN_PORT = 'offscreen';

const ALARM = 'wake';
/** The shortest period that Chrome allows a packed extension. */
const ALARM_MINUTES = 0.5;

/**
 * Runs `wake` whenever the worker starts or wakes: browser start, installation, the alarm. Call synchronously while the
 * worker starts.
 */
export function keepAlive(wake: () => void): void {
  browser.runtime.onStartup.addListener(wake);
  browser.runtime.onInstalled.addListener(wake);
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === ALARM) wake();
  });
  ensureAlarm().catch((thrown: unknown) => {
    // The browser still starts this worker for its other events.
    console.warn(`The alarm that wakes this worker could not be set: ${messageOf(thrown)}`);
  });
}

async function ensureAlarm(): Promise<void> {
  if ((await browser.alarms.get(ALARM)) === undefined)
    await browser.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
}

export const OFFSCREEN_PAGE = 'core/offscreen/offscreen.html';

let creating: Promise<void> | null = null;

/**
 * Opens the offscreen document unless it exists. Its port ends when the worker dies, and reopening it starts
 * the next worker.
 */
export function ensureOffscreen(): Promise<void> {
  // A document that still loads already counts as there: every caller waits until it has loaded.
  const { offscreen } = chrome;
  creating ??= offscreen
    .hasDocument()
    .then((isThere) =>
      isThere
        ? undefined
        : offscreen.createDocument({
            url: OFFSCREEN_PAGE,
            reasons: [offscreen.Reason.DOM_PARSER, offscreen.Reason.CLIPBOARD],
            justification:
              'Parses pages outside the tabs, uses the clipboard, and restarts the worker when the browser stops it.',
          }),
    )
    .finally(() => (creating = null));
  return creating;
}

/**
 * How many side panels show this extension page. Zero if it is also shown elsewhere without a tab, such as in a popup,
 * whose port could be mistaken for a panel's.
 */
export async function countSidePanels(page: string): Promise<number> {
  const url = chrome.runtime.getURL(page);
  const documents = await chrome.runtime.getContexts({ documentUrls: [url] });
  const withoutTab = documents.filter(({ tabId }) => tabId === -1);
  const isPanel = ({ contextType, frameId, documentUrl }: chrome.runtime.ExtensionContext): boolean =>
    contextType === 'SIDE_PANEL' && frameId === 0 && documentUrl === url;
  return withoutTab.every(isPanel) ? withoutTab.length : 0;
}
