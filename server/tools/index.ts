import type { ToolName } from '../../shared/tools/index.ts';
import type { NetworkCaptures } from '../core/network.ts';
import type { Runs, RunWorker } from '../core/runs.ts';
import type { ToolRuntime } from '../core/runtime.ts';
import type {
  Bridge,
  Clock,
  Journal,
  OutputPager,
  OutputStoreInfo,
  Redactor,
  Scratch,
} from '../core/services.ts';

/** What the runtimes may be given; each takes only what it uses. */
export interface ToolServices {
  readonly bridge: Bridge;
  readonly pager: OutputPager;
  readonly store: OutputStoreInfo;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly version: string;
  readonly redactor: Redactor;
  readonly scratch: Scratch;
  readonly network: NetworkCaptures;
  readonly runs: Runs;
  readonly syncWaitMs: number;
}

type RuntimeLoader = (services: ToolServices) => Promise<ToolRuntime>;

type WorkerLoader = (services: ToolServices) => Promise<RunWorker>;

/** One line a tool whose calls are runs: its worker is loaded with its first run, also after a restart. */
export const RUN_WORKERS: Readonly<Record<string, WorkerLoader>> = {
  crawl: async (services) => (await import('./crawl/work.ts')).createCrawlWorker(services),
  extract_data: async (services) =>
    (await import('./extract_data/run-work.ts')).createExtractWorker(services),
};

/** One line a tool: its runtime is loaded with its first call. */
export const RUNTIMES: Readonly<Record<ToolName, RuntimeLoader>> = {
  tabs: async (services) => (await import('./tabs/runtime.ts')).createTabs(services),
  navigate: async (services) => (await import('./navigate/runtime.ts')).createNavigate(services),
  read_page: async (services) => (await import('./read_page/runtime.ts')).createReadPage(services),
  network: async (services) => (await import('./network/runtime.ts')).createNetwork(services),
  crawl: async (services) => (await import('./crawl/runtime.ts')).createCrawl(services),
  extract_data: async (services) => (await import('./extract_data/runtime.ts')).createExtractData(services),
  oc_evidence_bundle: async (services) =>
    (await import('./oc_evidence_bundle/runtime.ts')).createEvidenceBundle(services),
  run_status: async (services) => (await import('./run_status/runtime.ts')).createRunStatus(services),
  run_output: async (services) => (await import('./run_output/runtime.ts')).createRunOutput(services),
  run_cancel: async (services) => (await import('./run_cancel/runtime.ts')).createRunCancel(services),
  run_resume: async (services) => (await import('./run_resume/runtime.ts')).createRunResume(services),
  console: async (services) => (await import('./console/runtime.ts')).createConsole(services),
  screenshot: async (services) => (await import('./screenshot/runtime.ts')).createScreenshot(services),
  oc_output_fetch: async (services) =>
    (await import('./oc_output_fetch/runtime.ts')).createOutputFetch(services),
  oc_journal: async (services) => (await import('./oc_journal/runtime.ts')).createOcJournal(services),
  oc_connection_health: async (services) =>
    (await import('./oc_connection_health/runtime.ts')).createConnectionHealth(services),
};
