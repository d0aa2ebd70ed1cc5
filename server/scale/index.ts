export { createPageQueue } from './page-queue.ts';
export { inspectQueue } from './connection.ts';
export { readInBrowsers } from './worker.ts';
export { serveHealth } from './worker.ts';
export { startWorker } from './worker.ts';
