import type { RunWorker } from '../core/runs.ts';
import type { ToolRuntimes } from '../core/registry/definition.ts';
import type { RuntimeLoader, ToolServices, WorkerLoader } from './index.ts';

/** What `runtime.ts` of a tool exports; it may take fewer services, or none. */
interface RuntimeModule {
  readonly createRuntimes: (services: ToolServices) => ToolRuntimes;
}

/** What `work.ts` of a tool exports. */
interface WorkModule {
  readonly createWorker: (services: ToolServices) => RunWorker;
}

export const loadRuntimes =
  (load: () => Promise<RuntimeModule>): RuntimeLoader =>
  async (services) =>
    (await load()).createRuntimes(services);

export const loadWorker =
  (load: () => Promise<WorkModule>): WorkerLoader =>
  async (services) =>
    (await load()).createWorker(services);
