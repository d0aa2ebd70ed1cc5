import type { NetworkCaptures } from '../core/network.ts';
import type { Runs, RunWorker } from '../core/runs.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import type { ToolRuntimes } from '../core/registry/runtime.ts';
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
  /** Every tool of the server. */
  readonly registry: ToolRegistry;
}

/** The runtimes of one identifier, loaded with the first call of one of them. */
export type RuntimeLoader = (services: ToolServices) => Promise<ToolRuntimes>;

export type WorkerLoader = (services: ToolServices) => Promise<RunWorker>;

/** One line a tool whose calls are runs: its worker is loaded with its first run, also after a restart. */
export const RUN_WORKERS: Readonly<Record<string, WorkerLoader>> = {
  crawl: async (services) => (await import('./crawl/work.ts')).createCrawlWorker(services),
  extract_data: async (services) =>
    (await import('./extract_data/run-work.ts')).createExtractWorker(services),
};

/** One line an identifier: api → runtime. */
export const RUNTIMES: Readonly<Record<string, RuntimeLoader>> = {
  tabs: async (services) => ({ tabs: (await import('./tabs/runtime.ts')).createTabs(services) }),
  navigate: async (services) => ({
    navigate: (await import('./navigate/runtime.ts')).createNavigate(services),
  }),
  read_page: async (services) => ({
    read_page: (await import('./read_page/runtime.ts')).createReadPage(services),
  }),
  network: async (services) => ({ network: (await import('./network/runtime.ts')).createNetwork(services) }),
  crawl: async (services) => ({ crawl: (await import('./crawl/runtime.ts')).createCrawl(services) }),
  extract_data: async (services) => ({
    extract_data: (await import('./extract_data/runtime.ts')).createExtractData(services),
  }),
  oc_evidence_bundle: async (services) => ({
    oc_evidence_bundle: (await import('./oc_evidence_bundle/runtime.ts')).createEvidenceBundle(services),
  }),
  runs: async (services) => (await import('./runs/runtime.ts')).createRunTools(services),
  console: async (services) => ({ console: (await import('./console/runtime.ts')).createConsole(services) }),
  screenshot: async (services) => ({
    screenshot: (await import('./screenshot/runtime.ts')).createScreenshot(services),
  }),
  html_skeleton: async (services) => ({
    html_skeleton: (await import('./html_skeleton/runtime.ts')).createHtmlSkeleton(services),
  }),
  docs: async () => (await import('./docs/runtime.ts')).createDocs(),
  oc_output_fetch: async (services) => ({
    oc_output_fetch: (await import('./oc_output_fetch/runtime.ts')).createOutputFetch(services),
  }),
  find_tools: async (services) => ({
    find_tools: (await import('./find_tools/runtime.ts')).createFindTools(services),
  }),
  oc_journal: async (services) => ({
    oc_journal: (await import('./oc_journal/runtime.ts')).createOcJournal(services),
  }),
  oc_connection_health: async (services) => ({
    oc_connection_health: (await import('./oc_connection_health/runtime.ts')).createConnectionHealth(
      services,
    ),
  }),
};
