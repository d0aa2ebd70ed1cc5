export { createPageQueue } from './page-queue.ts';
export { inspectQueue } from './connection.ts';
export { readInBrowsers } from './browsers.ts';
export { serveHealth } from './health.ts';
export { startWorker } from './worker.ts';
