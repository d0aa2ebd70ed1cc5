import { invalidArgument } from '../../shared/base/errors.ts';
import { readBrowser } from '../core/bridge/browser-search.ts';
import { createLogFeed, systemClock as clock } from '../core/services.ts';
import { createRedactor } from '../libraries/redaction/index.ts';
import { createLogSink, type LOG_LEVELS } from '../core/logger.ts';

export interface WorkerCommandOptions {
  readonly queue: string;
  readonly queuePasswordFile?: string;
  readonly queueKeyFile?: string;
  readonly home?: string;
  readonly lanes: number;
  readonly browsers: number;
  readonly browser?: string;
  readonly jobSeconds: number;
  readonly jobMegabytes: number;
  readonly healthSocket?: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

const MIB = 1_024 * 1_024;
/** Also long before a page is too large, its scripts may fill a browser's memory. */
const SCRIPT_MEGABYTES = 16;
/** A tab's process has a document and buffers too, and what all processes of the browser share. */
const RENDERER_HEAPS = 2;

/** Reads pages for crawls of other machines until a signal arrives, and ends what it has begun. */
export async function runWorker(options: WorkerCommandOptions): Promise<number> {
  // Loaded here, each from its own chunk: no other command reads them.
  const { createBridge } = await import('../core/compose.ts');
  const { BrowserPool, inspectQueue, limitRenderers, serveHealth, startWorker } = await import('./index.ts');
  const redactor = createRedactor({ enabled: true });
  const { logger } = createLogFeed(createLogSink(options.logLevel), redactor);
  const ended = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
  const { browser: browserPath = null, browsers, jobMegabytes } = options;
  if (readBrowser(browserPath).family === 'firefox')
    throw invalidArgument('--browser: a worker limits the memory of pages, which only a Chromium does.');
  const heapMegabytes = Math.max(512, jobMegabytes * SCRIPT_MEGABYTES);
  const launch = { headless: true, browserPath, args: [`--js-flags=--max-old-space-size=${heapMegabytes}`] };
  const endLimit = limitRenderers(RENDERER_HEAPS * heapMegabytes, logger);
  const pool = new BrowserPool(browsers, () => createBridge({ launch, logger, clock }));
  try {
    await inspectQueue(options);
    // One that cannot start its browsers takes no page.
    await pool.ready();
    const worker = await startWorker({
      place: options,
      reader: pool.reader,
      redactor,
      logger,
      lanes: options.lanes,
      jobMs: options.jobSeconds * 1_000,
      jobBytes: jobMegabytes * MIB,
    });
    const endHealth =
      options.healthSocket === undefined ? () => undefined : await serveHealth(options.healthSocket, worker);
    logger.info({ lanes: options.lanes, browsers }, 'the worker takes pages');
    const reason = await ended;
    logger.info({ reason }, 'the worker takes no more pages');
    await worker.close();
    endHealth();
  } finally {
    await pool.close();
    endLimit();
  }
  return 0;
}
