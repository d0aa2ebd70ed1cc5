import type { Meter } from '../core/feed.ts';
import type {
  OutputQueries,
  OutputPager,
  OutputKeeping,
  OutputSaves,
  OutputStoreInfo,
} from '../core/output.ts';
import type { NetworkCaptures } from '../core/network.ts';
import type { Runs, RunWorker, Sealer } from '../core/runs.ts';
import type { Recipes } from '../core/recipes.ts';
import type { CallTool } from '../core/context.ts';
import type { PageQueue } from '../toolkit/crawl-source.ts';
import type { Parking } from '../toolkit/programs/parking.ts';
import type { ResumeCall, Takeovers } from '../core/people.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';
import type { SelectionStrategy } from '../core/registry/selector.ts';
import type { ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge, Clock, Journal, Redactor, Scratch, Secrets, Uploads } from '../core/services.ts';
import type { UpstreamSummaries } from '../core/upstreams.ts';

/** Each runtime takes only the services that it uses. */
export interface ToolServices {
  readonly bridge: Bridge;
  /** `--queue`: workers read the pages of crawls. */
  readonly queue: (() => Promise<PageQueue>) | null;
  readonly pager: OutputPager;
  readonly queries: OutputQueries;
  readonly store: OutputStoreInfo & OutputKeeping;
  readonly saves: OutputSaves;
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly version: string;
  /** `--evidence-key` */
  readonly evidenceKey: string | undefined;
  /** `--evidence-timestamp-url` */
  readonly evidenceTimestampUrl: string | undefined;
  readonly redactor: Redactor;
  /** `--secrets` */
  readonly secrets: Secrets;
  readonly uploads: Uploads;
  readonly takeovers: Takeovers;
  /** `--launch`: this server started every connected browser. */
  readonly isPrivateLaunch: boolean;
  readonly scratch: Scratch;
  readonly network: NetworkCaptures;
  readonly runs: Runs;
  readonly meter: Pick<Meter, 'of'>;
  readonly resumeCall: ResumeCall;
  readonly callTool: CallTool;
  /** Programs that wait for a person or a date. */
  readonly parking: Parking;
  readonly upstreams: UpstreamSummaries;
  readonly recipes: Recipes;
  /** Every tool of the server. */
  readonly registry: ToolRegistry;
  /** `--tool-selection` */
  readonly toolSelection: SelectionStrategy;
}

/** The runtimes of one identifier, loaded with the first call of one of them. */
export type RuntimeLoader = (services: ToolServices) => Promise<ToolRuntimes>;

export type WorkerLoader = (services: ToolServices) => Promise<RunWorker>;

/** The export of a tool's `runtime.ts`; it may take fewer services, or none. */
interface RuntimeModule {
  readonly createRuntimes: (services: ToolServices) => ToolRuntimes;
}

export const loadRuntimes =
  (load: () => Promise<RuntimeModule>): RuntimeLoader =>
  async (services) =>
    (await load()).createRuntimes(services);

export const loadWorker =
  (load: () => Promise<{ readonly createWorker: (services: ToolServices) => RunWorker }>): WorkerLoader =>
  async (services) =>
    (await load()).createWorker(services);
