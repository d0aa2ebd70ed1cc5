import { nameOfHome, sha256 } from './machine/files.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { VERSION } from '../../shared/base/version.ts';
import type { ServerMethods } from '../../shared/core/bridge/server-methods.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { ServerRules } from '../../shared/people/policy.ts';
import type { AppOptions } from './settings.ts';
import { createBridge, newInstance } from './bridge/index.ts';
import { systemClock as clock, type Bridge, type Journal, type Logger, type Redactor } from './services.ts';
import type { ExecutorServices } from './calls/prepare.ts';
import type { Flows } from './flows.ts';
import type { Ledger } from '../ledger/face.ts';
import type { Runs } from './runs.ts';
import { RUN_ID_PATTERN } from '../../shared/core/tools/manifest.ts';
import { lazy } from '../../shared/base/async.ts';
import { openGate, type Gate } from './calls/prepare.ts';
import type { PersonChange, ResumeCall } from './people.ts';
import type { CallTool } from './context.ts';
import type { ToolRegistry } from './registry/registry.ts';
import type { OutputResources, UpstreamSummaries } from './upstreams.ts';
import { createAnswerMethods } from '../activity/answers.ts';
import {
  createFeedMethods,
  createProgramMethods,
  createUpstreamMethods,
  showWaiting,
  createMeterMethods,
  type MethodParts,
} from '../activity/methods.ts';
import { LiveFeed } from '../activity/feed.ts';
import type { LiveMeter } from '../activity/meter.ts';
import { createScratch } from './machine/private-folder.ts';
import { createJournal } from '../ledger/journal.ts';
import { createLedger, createLedgerPages, tellGrown } from '../ledger/index.ts';
import { NetworkCaptures } from '../network/index.ts';
import { createOutputPager } from './output/pager.ts';
import { createOutputPolicy } from './output/policy.ts';
import { createOutputSaves } from '../outputs/save.ts';
import { createOutputSearch } from '../outputs/query/search.ts';
import { createQueryThreads } from '../outputs/query/thread.ts';
import { createOutputStore, startSweeper } from './output/store.ts';
import { createSealer } from './output/serialise.ts';
import { createRedactor } from '../libraries/redaction/index.ts';
import type { KnownSecrets } from './secrets.ts';
import { createActRecord, DecisionRecord } from '../people/act-record.ts';
import { KeptQuestions } from '../people/kept-calls.ts';
import { createPeople, takeReports } from '../people/people.ts';
import { FollowedTakeovers } from '../people/takeovers.ts';
import { Parking } from '../programs/parking.ts';
import { createRuns } from '../runs/index.ts';
import { createFlows } from '../flows/index.ts';
import { createUploads } from '../act/uploads.ts';
import type { RecipeBook } from '../recipes/recipes.ts';
import { type RuntimeLoader, type ToolServices, type WorkerLoader } from './index.ts';
import { RUN_WORKERS, RUNTIMES } from './runtimes.generated.ts';

export { createBridge } from './bridge/index.ts';

/** Everything behind the executor. */
export interface Services extends ExecutorServices {
  readonly bridge: Bridge;
  readonly runs: Runs;
  readonly parking: Parking;
  readonly outputs: OutputResources;
  readonly ledger: Ledger;
  /** @param calls resolves when no call is active: what they use is closed afterwards */
  close(calls?: Promise<void>): Promise<void>;
}

export interface ServiceParts {
  readonly registry: ToolRegistry;
  readonly logger: Logger;
  readonly meter: LiveMeter;
  readonly secrets: KnownSecrets;
  readonly upstreams: UpstreamSummaries;
  readonly recipes: RecipeBook;
  readonly resumeCall: ResumeCall;
  readonly callTool: CallTool;
  /** Replaces the options' own. */
  readonly bridge?: Bridge | undefined;
  /** Replaces Spillway's own. */
  readonly workers?: Readonly<Record<string, WorkerLoader>> | undefined;
  /** In addition to Spillway's. */
  readonly runtimes?: Readonly<Record<string, RuntimeLoader>> | undefined;
  readonly gate?: Gate | undefined;
}

/** Lets each browser tidy up after a session. It notices the end of a server by itself. */
function endIn(bridge: Bridge, session: string): void {
  for (const { id } of bridge.browsers())
    bridge.request(id, 'session.end', { session }, { call: null }).catch(() => undefined);
}

/** Text of a private site goes to another server only if a browser allows it. A browser of our own has none. */
async function leaves(bridge: Bridge, scope: CallScope, site: string, signal: AbortSignal): Promise<void> {
  const isCarried = scope.call.sources?.some((one) => one.is_private && one.site !== site) === true;
  if (!isCarried || bridge.isPrivate) return;
  await bridge.ready({ signal });
  const browser = bridge.browsers().find(({ connected }) => connected);
  if (browser !== undefined)
    await bridge.request(browser.id, 'flow.expect', { site }, { call: scope, signal });
}

/** Wires the rooms together; apart from the sweeper and `--queue`, nothing touches disk or socket before it is used. */
export function createServices(options: AppOptions, parts: ServiceParts): Services {
  const { home, launch } = options;
  const { registry, gate = openGate, secrets, logger, upstreams, meter } = parts;
  const { resumeCall, callTool, recipes } = parts;
  const { known, learned } = secrets;
  const redactor = createRedactor({ enabled: options.sanitizeContent, secrets: known, learned });
  const server = newInstance();
  const journal = createJournal({ home, clock, logger, redactor, server });
  const feed = new LiveFeed({ clock, journal, redactor, onSessionEnd: (session) => endIn(bridge, session) });
  // Filled in below, before any browser can connect: each needs the other.
  const methods: Partial<ServerMethods> = {};
  const flows = createFlows({ mode: options.sitesApart });
  const own = { redactor, logger, methods, server, flows };
  const { bridge, ledger, acts, record, people, takeovers, kept } = connect(options, parts.bridge, own);
  const { sweeper, ...outputs } = keepOutputs(options, {
    journal,
    logger,
    items: (runId) => runs.items(runId),
  });
  const { store, pager } = outputs;
  const scratch = createScratch({ home, logger });
  const sealer = createSealer(store);
  const queue = openQueue(options, { redactor, logger });
  const runs = createRuns({
    ...{ home, clock, logger, journal, redactor, feed, sealer },
    pageBytes: options.outputPageBytes,
    worker: (tool) => {
      // An unknown name is its own identifier.
      const identifier = registry.find(tool)?.manifest.identifier ?? tool;
      return (parts.workers ?? RUN_WORKERS)[identifier]?.(toolServices);
    },
  });
  const parking = new Parking({ registry, callTool, runs, clock, logger });
  Object.assign(
    methods,
    methodsOf({ ...parts, ...own, home, acts, record, bridge, feed, journal, runs, parking, store }),
  );
  bridge.onChange((event, browser) =>
    journal.record({ event: `browser_${event}`, browser: browser.id, name: browser.facts.name }),
  );
  meter.changed.add(() => feed.meter());
  // Only calls start a browser of our own.
  if (launch === null) showWaiting({ upstreams, bridge, logger });
  const network = new NetworkCaptures({
    ...{ bridge, redactor, scratch, clock, logger },
    maxBytes: options.networkBufferBytes,
    bodyBytes: options.networkBodyBytes,
    fromStart: options.networkCapture,
  });
  const toolServices: ToolServices = {
    ...{ registry, secrets, upstreams, recipes, resumeCall, callTool, bridge, journal, clock, redactor },
    ...{ parking, sealer, takeovers, scratch, runs, network, meter },
    queue: queue?.open ?? null,
    ...outputs,
    uploads: createUploads(options.uploadRoot ?? [], scratch, logger),
    isPrivateLaunch: launch !== null,
    version: VERSION,
    evidenceKey: options.evidenceKey,
    evidenceTimestampUrl: options.evidenceTimestampUrl,
    toolSelection: options.toolSelection,
  };
  return {
    ...{ redactor, journal, feed, clock, logger, bridge, runs, parking },
    ...{ ledger, gate, acts, people, kept, server, flows },
    policy: createOutputPolicy(store),
    outputs: { ...pager, onEnd: (listener) => store.onEnd(listener) },
    digest: sha256,
    leaves: (scope, site, signal) => leaves(bridge, scope, site, signal),
    runtime: runtimeTable({ ...RUNTIMES, ...parts.runtimes }, toolServices),
    close: (calls) => closeAll({ ...toolServices, queue, store, kept, sweeper, ledger, feed, logger }, calls),
  };
}

/** Bytes of a stored output's page for people: an agent's may be larger than a frame of the bridge. */
const SHOWN_PAGE_BYTES = 128 * 1024;

function methodsOf(
  parts: Omit<MethodParts, 'changed' | 'lifted'> &
    Pick<ReturnType<typeof connect>, 'acts' | 'record'> & {
      readonly feed: LiveFeed;
      readonly runs: Runs;
      readonly store: ReturnType<typeof createOutputStore>;
      readonly secrets: KnownSecrets;
    },
): Partial<ServerMethods> {
  const { logger, acts, record, feed, store, secrets } = parts;
  // As when an agent is stopped: an unwritable ledger does not overrule the person.
  const changed = async (facts: PersonChange): Promise<void> => {
    await acts.changed(facts).catch((thrown: unknown) => {
      logger.error({ err: thrown }, 'what a person has done is not in the ledger');
    });
  };
  const methods = { ...parts, changed, lifted: acts.lift, home: nameOfHome(parts.home) };
  const done = () => ({});
  return {
    'ledger.append': async (facts) => acts.begin(facts).then(done),
    'ledger.report': async ({ reports }) => record.report(reports).then(done),
    'agents.control': async (facts) => acts.control(facts).then(done),
    'secrets.take': async ({ key }) => ({ value: await secrets.take(key) }),
    'files.chosen': async ({ names }) => (secrets.hide(names), {}),
    ...createFeedMethods(methods),
    ...createProgramMethods(methods),
    ...createAnswerMethods({
      ...methods,
      pages: createOutputPager(store, SHOWN_PAGE_BYTES),
      search: createOutputSearch(store, clock),
      answers: feed.answers,
      ledger: createLedgerPages(parts.home),
    }),
    ...createMeterMethods(methods),
    ...createUpstreamMethods(methods),
  };
}

/** The stored outputs; from now on expired ones are swept. */
function keepOutputs(
  { home, ...options }: AppOptions,
  {
    journal,
    logger,
    items,
  }: { readonly journal: Journal; readonly logger: Logger; readonly items: Runs['items'] },
) {
  const store = createOutputStore({
    ...{ home, clock, logger, journal },
    ttlHours: options.outputHandleTtlHours,
    maxBytes: options.outputMaxBytes,
  });
  const sweeper = startSweeper(store, options.outputHandleSweepIntervalSeconds, logger);
  const { outputPageBytes: pageBytes } = options;
  const queries = createQueryThreads(store, pageBytes);
  const saves = createOutputSaves(store, options.downloadRoot);
  // A run has its handle only when it has ended: until then its id gives the same bytes.
  const open = (id: string) => (RUN_ID_PATTERN.test(id) ? items(id) : store.open(id));
  return { store, sweeper, pager: createOutputPager({ open }, pageBytes), queries, saves };
}

/** The browsers, the questions to people at them, and the ledger of both. */
function connect(
  options: AppOptions,
  given: Bridge | undefined,
  own: {
    readonly redactor: Redactor;
    readonly logger: Logger;
    readonly methods: Partial<ServerMethods>;
    readonly flows: Flows;
    /** Instance of this server. */
    readonly server: string;
  },
) {
  const { home, launch, approvals, connectTimeoutMs } = options;
  const { redactor, logger, methods, server, flows } = own;
  const ledger = createLedger({ home, clock, logger, onGrown: (end) => grown(end) });
  const acts = createActRecord({ ledger, redactor, logger, server });
  const record = new DecisionRecord({ ledger, redactor, server });
  const bridge =
    given ??
    createBridge({
      ...{ launch, connectTimeoutMs, logger, clock, methods },
      sites: siteRules(options),
      instance: server,
      heard: flows.heard,
    });
  const grown = tellGrown(bridge, nameOfHome(home));
  const homeName = sha256(home);
  takeReports(bridge, { home: homeName, logger });
  const kept = new KeptQuestions({ home, bridge, redactor, clock, logger, server });
  const people = createPeople({
    ...{ bridge, kept, ledger, record, redactor, logger, clock, server },
    mode: approvals,
    home: homeName,
  });
  const takeovers = new FollowedTakeovers({ bridge, ledger, redactor, logger, server });
  return { bridge, ledger, acts, record, people, takeovers, kept };
}

async function closeAll(
  open: Pick<Services, 'runs' | 'parking' | 'bridge' | 'ledger' | 'logger'> &
    Pick<ToolServices, 'takeovers' | 'network' | 'scratch' | 'journal'> &
    Pick<ReturnType<typeof keepOutputs>, 'store' | 'sweeper'> & {
      readonly queue: ReturnType<typeof openQueue>;
      readonly kept: KeptQuestions;
      readonly feed: LiveFeed;
    },
  calls: Promise<void> | undefined,
): Promise<void> {
  open.parking.close();
  // Runs stop before their browser goes: a page that fails for that reason must not become an item.
  await open.runs.close().catch((thrown: unknown) => open.logger.warn({ err: thrown }, 'runs did not stop'));
  await open.takeovers.close();
  // The browser first: sweeping a large store may take longer than the shutdown allows, and closing the
  // browser ends the calls that wait for it.
  await Promise.allSettled([
    open.bridge.close(),
    open.queue?.close(),
    open.sweeper.stop(),
    open.network.close(),
    calls,
  ]);
  open.store.close();
  open.kept.close();
  await open.scratch.close();
  // After the calls, whose outcomes it writes.
  await open.ledger.close();
  open.feed.close();
  await open.journal.close();
}

/** The queue of `--queue`. What is wrong with it is logged at the start, before a crawl needs it. */
function openQueue(
  options: AppOptions,
  { redactor, logger }: { readonly redactor: Redactor; readonly logger: Logger },
) {
  const { queue, queuePasswordFile, queueKeyFile, home } = options;
  if (queue === undefined) return null;
  let opened: Promise<{ close(): Promise<void> }> | null = null;
  const ended = new AbortController();
  const open = lazy(async () => {
    const { createPageQueue } = await import('../queue/index.ts');
    const place = { queue, queuePasswordFile, queueKeyFile, home };
    return createPageQueue({
      ...{ place, redactor, sites: siteRules(options), clock, logger, signal: ended.signal },
    });
  });
  const keep = () => {
    const opening = open();
    opened = opening;
    return opening;
  };
  keep().catch((thrown: unknown) => {
    if (ended.signal.aborted) return;
    const { code, message, hint } = toSpillwayError(thrown);
    logger.error({ code, hint }, message);
  });
  const close = async (): Promise<void> => {
    ended.abort();
    await (await opened)?.close();
  };
  return { open: keep, close };
}

/** Null if no flag is given: then nothing has to be sent. */
function siteRules({ allowedSites, deniedSites }: AppOptions): ServerRules | null {
  if (allowedSites === undefined && deniedSites === undefined) return null;
  return { allowed_sites: allowedSites ?? null, denied_sites: deniedSites ?? [] };
}

/**
 * Identifier → api → runtime, each identifier loaded with its first call. @throws SpillwayError
 * `api_not_found`
 */
function runtimeTable(
  loaders: Readonly<Record<string, RuntimeLoader>>,
  services: ToolServices,
): ExecutorServices['runtime'] {
  const table = new Map(
    // A failed read is repeated by the next call.
    Object.entries(loaders).map(([identifier, load]) => [identifier, lazy(async () => load(services))]),
  );
  return async (identifier, api) => {
    const runtimes = (await table.get(identifier)?.()) ?? {};
    const runtime = Object.hasOwn(runtimes, api) ? runtimes[api] : undefined;
    if (runtime !== undefined) return runtime;
    const apis = Object.keys(runtimes).join(', ');
    throw new SpillwayError('api_not_found', `${identifier} has no api "${api}"; it has ${apis || 'none'}.`);
  };
}
