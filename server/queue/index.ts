export { createPageQueue } from './page-queue.ts';
export { inspectQueue } from './connection.ts';
export { QueueKey } from './key.ts';
export { BrowserPool } from './browsers.ts';
export { limitRenderers } from './memory.ts';
export { serveHealth, startWorker } from './worker.ts';
