import '../ports/zod-setup.ts';
import browser from 'webextension-polyfill';
import { serveJobs } from './jobs.ts';

/** The same name as in the worker, which is not imported so that this page stays small. */
const PORT_NAME = 'offscreen';

/**
 * Keeps a port to the worker open. It closes when the worker ends; reopening it starts the next one. If the worker
 * cannot be reached (the extension is being updated), this throws, and this page ends too.
 */
function hold(): void {
  browser.runtime.connect({ name: PORT_NAME }).onDisconnect.addListener(hold);
}

hold();
serveJobs();
