import { VERSION } from '../shared/version.ts';
import type { AppOptions } from './options.ts';
import { createBridge } from './bridge/index.ts';
import { systemClock as clock } from './core/clock.ts';
import type { ExecutorServices } from './core/executor.ts';
import type { Runs } from './core/runs.ts';
import type { ToolRuntime } from './core/runtime.ts';
import type { Bridge } from './core/services.ts';
import { createScratch } from './machine/scratch.ts';
import { createJournal } from './journal/index.ts';
import { createNetworkCaptures } from './network/index.ts';
import {
  createOutputPager,
  createOutputPolicy,
  createOutputStore,
  createSealer,
  createSweeper,
} from './output/index.ts';
import { createRedactor } from './redact/index.ts';
import { createRuns } from './runs/index.ts';
import { RUN_WORKERS, RUNTIMES, type ToolServices } from './tools/index.ts';

/** Everything behind the executor. */
export interface Services extends ExecutorServices {
  readonly bridge: Bridge;
  readonly runs: Runs;
  close(): Promise<void>;
}

/** Wires the rooms together; nothing touches disk or socket before it is used, but the sweeper. */
export function createServices(
  options: AppOptions,
  bridge: Bridge = createBridge({ launch: options.launch, logger: options.logger, clock }),
  workers: typeof RUN_WORKERS = RUN_WORKERS,
): Services {
  const { home, logger } = options;
  const redactor = createRedactor({ enabled: options.sanitizeContent });
  const journal = createJournal({ home, clock, logger, redactor });
  const store = createOutputStore({
    home,
    clock,
    logger,
    journal,
    ttlHours: options.handleTtlHours,
    maxBytes: options.maxBytes,
  });
  const sweeper = createSweeper({ store, logger, intervalSeconds: options.sweepIntervalSeconds });
  const pager = createOutputPager({ store, pageBytes: options.pageBytes });
  bridge.onChange((event, browser) => {
    journal.record({ event: `browser_${event}`, browser: browser.id, name: browser.facts.name });
  });
  sweeper.start();
  const scratch = createScratch({ home, logger });
  const runs = createRuns({
    home,
    clock,
    logger,
    journal,
    redactor,
    sealer: createSealer(store),
    pageBytes: options.pageBytes,
    worker: (tool) => workers[tool]?.(toolServices),
  });
  const network = createNetworkCaptures({
    bridge,
    redactor,
    scratch,
    clock,
    logger,
    maxBytes: options.networkBufferBytes,
    fromStart: options.networkCapture,
  });
  const toolServices: ToolServices = {
    bridge,
    pager,
    store,
    journal,
    clock,
    redactor,
    scratch,
    runs,
    network,
    syncWaitMs: options.syncWaitMs,
    version: VERSION,
  };
  const runtimes = new Map<string, Promise<ToolRuntime>>();
  return {
    policy: createOutputPolicy({ store }),
    redactor,
    journal,
    clock,
    logger,
    bridge,
    runs,
    runtime: (tool) => loadRuntime(runtimes, tool, toolServices),
    close: async () => {
      // Runs stop before their browser goes: a page that fails for that reason is none of their items.
      await runs.close().catch((thrown: unknown) => logger.warn({ err: thrown }, 'runs did not stop'));
      // The browser first: a sweep of a large store may take longer than a server has to leave.
      await Promise.allSettled([bridge.close(), sweeper.stop(), network.close()]);
      await scratch.close();
      await journal.close();
    },
  };
}

function loadRuntime(
  runtimes: Map<string, Promise<ToolRuntime>>,
  tool: string,
  services: ToolServices,
): Promise<ToolRuntime> {
  const known = runtimes.get(tool);
  if (known !== undefined) return known;
  const entry = Object.entries(RUNTIMES).find(([name]) => name === tool);
  if (entry === undefined) throw new Error(`The tool ${tool} has a manifest and no runtime.`);
  const loading = entry[1](services);
  runtimes.set(tool, loading);
  return loading;
}
