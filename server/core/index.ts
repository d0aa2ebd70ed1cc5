import type { LiveMeter } from '../activity/meter.ts';
import type { OutputPager } from './output/pager.ts';
import type { OutputQueries } from '../outputs/query/thread.ts';
import type { OutputSaves } from '../outputs/save.ts';
import type { OutputStore } from './output/store.ts';
import type { NetworkCaptures } from '../network/index.ts';
import type { Sealer } from './output/serialise.ts';
import type { Runs, RunWorker } from './runs.ts';
import type { RecipeBook } from '../recipes/recipes.ts';
import type { CallTool } from './context.ts';
import type { PageQueue } from '../crawl/source.ts';
import type { Parking } from '../programs/parking.ts';
import type { FollowedTakeovers } from '../people/takeovers.ts';
import type { ResumeCall } from './people.ts';
import type { ToolRegistry } from './registry/registry.ts';
import type { SelectionStrategy } from './registry/selector.ts';
import type { ToolRuntimes } from './registry/definition.ts';
import type { Bridge, Clock, Journal, Redactor, Scratch, Secrets, Uploads } from './services.ts';
import type { UpstreamSummaries } from './upstreams.ts';

/** Without the private members, which no other object can have. */
type Public<T> = Pick<T, keyof T>;

/** Each runtime takes only the services that it uses. */
export interface ToolServices {
  readonly bridge: Bridge;
  /** `--queue`: workers read the pages of crawls. */
  readonly queue: (() => Promise<PageQueue>) | null;
  readonly pager: OutputPager;
  readonly queries: OutputQueries;
  readonly store: Pick<OutputStore, 'usage' | 'list' | 'keep' | 'release'>;
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
  readonly takeovers: Public<FollowedTakeovers>;
  /** `--launch`: this server started every connected browser. */
  readonly isPrivateLaunch: boolean;
  readonly scratch: Scratch;
  readonly network: Public<NetworkCaptures>;
  readonly runs: Runs;
  readonly meter: Pick<LiveMeter, 'of'>;
  readonly resumeCall: ResumeCall;
  readonly callTool: CallTool;
  /** Programs that wait for a person or a date. */
  readonly parking: Parking;
  readonly upstreams: UpstreamSummaries;
  readonly recipes: RecipeBook;
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
