import '../ports/zod-setup.ts';
import browser from 'webextension-polyfill';
import { serveJobs } from './jobs.ts';

/** Same name as in the worker, which is not imported so that this page stays small. */
const PORT_NAME = 'offscreen';

/**
 * Holds a port to the worker. It closes when the worker ends; opening it again starts the next one.
 * A worker that cannot be reached (the extension is being updated) throws, and this page ends too.
 */
function hold(): void {
  browser.runtime.connect({ name: PORT_NAME }).onDisconnect.addListener(hold);
}

hold();
serveJobs();
