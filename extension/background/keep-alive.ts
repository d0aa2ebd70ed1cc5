import browser from 'webextension-polyfill';

/** Name of the port that the offscreen document holds open. */
export const OFFSCREEN_PORT = 'offscreen';

const OFFSCREEN_PAGE = 'offscreen/offscreen.html';
const ALARM = 'wake';
/** The shortest period that a packed extension is given. */
const ALARM_MINUTES = 0.5;

let creating: Promise<void> | null = null;

/**
 * Opens the offscreen document unless there is one. Its port ends when the worker dies, and opening
 * it again is what starts the next worker.
 */
export async function ensureOffscreen(): Promise<void> {
  if (await chrome.offscreen.hasDocument()) return;
  creating ??= chrome.offscreen
    .createDocument({
      url: OFFSCREEN_PAGE,
      reasons: [chrome.offscreen.Reason.DOM_PARSER],
      justification:
        'Parses pages outside of tabs, and restarts the service worker when the browser stops it.',
    })
    .finally(() => (creating = null));
  await creating;
}

/**
 * Everything that starts or wakes this worker runs `wake`: browser start, installation, the alarm.
 * Has to be called synchronously while the worker starts.
 */
export function keepAlive(wake: () => void): void {
  browser.runtime.onStartup.addListener(wake);
  browser.runtime.onInstalled.addListener(wake);
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === ALARM) wake();
  });
  void ensureAlarm();
}

async function ensureAlarm(): Promise<void> {
  if ((await browser.alarms.get(ALARM)) === undefined)
    browser.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
}
