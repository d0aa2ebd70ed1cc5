import browser from 'webextension-polyfill';
import { messageOf } from '../../shared/message-of.ts';

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
