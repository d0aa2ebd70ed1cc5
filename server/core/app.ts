import { withOwnCommands } from './machine/command-line.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { ToolManifest } from '../../shared/core/tools/manifest.ts';
import { MANIFESTS } from '../../shared/core/tools/index.ts';
import type { ToolCall } from './calls/call.ts';
import { Executor } from './calls/executor.ts';
import type { Mode, OwnRuntime, ToolProvider } from './registry/definition.ts';
import { Listeners } from '../../shared/base/queue.ts';
import { lazy } from '../../shared/base/async.ts';
import { claimHome, expectPrivateHome } from './machine/private-folder.ts';
import { createLogFeed, type LogSource } from './services.ts';
import { isReserved, ToolRegistry } from './registry/registry.ts';
import type { CallTool } from './context.ts';
import type { Resources, WidgetFiles } from './upstreams.ts';
import type { Logger, Redactor } from './services.ts';
import { checkSelectors } from './registry/session.ts';
import { LiveMeter } from '../activity/meter.ts';
import { loadMode } from './modes/loader.ts';
import { RecipeBook } from '../recipes/recipes.ts';
import { createRedactor } from '../libraries/redaction/index.ts';
import { readSecrets, type KnownSecrets } from './secrets.ts';
import type { AppOptions } from './settings.ts';
import {
  createUpstreams,
  mayStart,
  readUpstreams,
  trustOf,
  type UpstreamEntry,
  type Trust,
  type Upstreams,
} from '../upstreams/index.ts';
import type { ServiceParts, Services } from './compose.ts';
import { defined } from '../../shared/base/json.ts';

/** A running server without an adapter. */
export interface App {
  readonly executor: Executor;
  /** Stored outputs, runs and widgets, for adapters that offer them besides calls. */
  readonly resources: Resources;
  /** Redacts its input and writes it to the logger of the options and to {@link App.logs}. */
  readonly logger: Logger;
  readonly logs: LogSource;
  readonly secrets: KnownSecrets;
  /** Other servers whose tools are offered. From {@link App.warmUp} on, they connect in the background. */
  readonly upstreams: Upstreams;
  readonly recipes: RecipeBook;
  /** Calls a tool on behalf of another call. */
  readonly callTool: CallTool;
  /** Loads the rest if it is not loaded yet. */
  services(): Promise<Pick<Services, 'bridge' | 'runs' | 'parking'>>;
  /** Loads the rest before the first call needs it. */
  warmUp(): void;
  setClients(clients: readonly { readonly name: string; readonly version: string }[]): void;
  /**
   * Call it before you close sessions because the server stops: questions in browsers then stay open for the
   * next server.
   */
  leave(): void;
  /** Ends connections, the launched browser and the sweeper; waits for the journal. Idempotent. */
  close(): Promise<void>;
}

/** The parts of a server apart from its options; each has a default. */
export interface AppParts
  extends
    Partial<Pick<ServiceParts, 'meter' | 'secrets'>>,
    Pick<ServiceParts, 'bridge' | 'workers' | 'runtimes' | 'gate'> {
  /** Replaces Spillway's modes. */
  readonly modes?: readonly Mode[];
  /** Names settings in messages as callers set them, if not by flags. */
  readonly nameSettings?: (text: string) => string;
  /** In addition to Spillway's manifests. */
  readonly manifests?: readonly ToolManifest[];
  readonly providers?: readonly ToolProvider[];
  /** Replaces those that the options name. Its author says whether people have to accept them. */
  readonly upstreamParts?: { readonly entries: readonly UpstreamEntry[]; readonly trust: Trust };
  /** Replaces those of the build. */
  readonly widgets?: WidgetFiles;
  readonly loadServices?: (parts: ServiceParts) => Promise<Services>;
}

function ownUpstreams(options: AppOptions): readonly UpstreamEntry[] {
  const isNamed = options.config !== undefined || (options.upstream ?? []).length > 0;
  return mayStart(process.env, isNamed) ? readUpstreams(options) : [];
}

/** @throws SpillwayError `invalid_argument` for a file or a flag that does not fit */
function toolsOf(
  options: AppOptions,
  parts: AppParts &
    Pick<ServiceParts, 'secrets' | 'logger'> & {
      readonly redactor: Redactor;
      readonly recipeRun: OwnRuntime;
    },
): { readonly registry: ToolRegistry; readonly upstreams: Upstreams; readonly recipes: RecipeBook } {
  const { redactor, secrets, logger, recipeRun } = parts;
  expectPrivateHome(options.home, options.names?.home);
  const mode = loadMode(options.mode, parts.modes, options.names?.mode);
  const manifests = [...MANIFESTS, ...(parts.manifests ?? [])];
  const taken = new Set([...manifests, ...mode.own].map(({ name }) => name));
  const isTaken = (name: string): boolean => taken.has(name) || isReserved(name);
  const recipes: RecipeBook = new RecipeBook({
    home: options.home,
    isTaken,
    isElsewhere: (name) => (registry.holderOf(name) ?? recipes) !== recipes,
    redactor,
    logger,
    recipeRun,
  });
  const upstreams = createUpstreams({
    ...(parts.upstreamParts ?? { entries: ownUpstreams(options), trust: trustOf(options.home) }),
    isTaken,
    redactorsWith: (more) => {
      const known = [...secrets.known, ...more];
      return {
        all: createRedactor({ enabled: options.sanitizeContent, secrets: known, learned: secrets.learned }),
        known: createRedactor({ enabled: false, secrets: known, learned: secrets.learned }),
      };
    },
    logger,
    home: options.home,
  });
  const registry: ToolRegistry = new ToolRegistry({
    manifests,
    outputModeDefault: options.outputModeDefault,
    mode,
    // The first provider takes a name: a recipe cannot replace a tool that a person has set up.
    providers: [...(parts.providers ?? []), upstreams, recipes],
    selectors: options.tools,
    logger,
  });
  checkSelectors(registry, options.tools ?? [], options.names?.tools ?? '--tools');
  return { registry, upstreams, recipes };
}

/** A step of a recipe or a program is a call like any other: same session, same gate. */
const callTool =
  (executor: () => Executor): CallTool =>
  async ({ context, onAsk, ...about }) => {
    const { session, signal, step, askPerson, rank, selector } = context;
    const call: ToolCall = {
      ...about,
      parent: context.callId,
      session,
      signal,
      // A step waits for the run that it starts, because later steps need its result.
      syncWaitMs: Infinity,
      wantsObject: true,
      step: step ?? { id: context.callId, memory: new Map() },
      ...defined({ askPerson, rank, selector }),
    };
    const begun = await executor().execute(call);
    if (begun.pending === undefined) return begun;
    onAsk();
    const end = await executor().awaitAnswer(call, begun);
    return end.pending === undefined ? end : executor().questions.settled(about.callId);
  };

async function load(options: AppOptions, given: ServiceParts): Promise<Services> {
  claimHome(options.home, options.names?.home);
  return (await import('./compose.ts')).createServices(options, given);
}

/**
 * Assembles a server. It builds what `tools/list` needs; the first call or {@link App.warmUp} loads the
 * store, the bridge and the runtimes.
 */
export function createApp(options: AppOptions, parts: AppParts = {}): App {
  const { secrets = readSecrets(options.secrets) } = parts;
  const { known, learned } = secrets;
  const redactor = createRedactor({ enabled: options.sanitizeContent, secrets: known, learned });
  const { logger, onLine } = createLogFeed(options.logger, redactor);
  const recipeRun: OwnRuntime = async (args, context) =>
    (await (await services()).runtime('recipes', 'recipe_run'))(args, context);
  const shared = { ...parts, redactor, secrets, logger, recipeRun };
  const { registry, upstreams, recipes } = toolsOf(options, shared);
  const {
    loadServices = (given) => load(options, given),
    meter = new LiveMeter(options.budgetTokens ?? null),
  } = parts;
  const own = { registry, logger, meter, secrets, upstreams, recipes };
  const ended = new Listeners<string>();
  let loaded: Services | null = null;
  let clients: readonly { readonly name: string; readonly version: string }[] = [];
  let closed = false;
  // After a failure, such as too many open files, the next call tries again.
  const services = lazy(async (): Promise<Services> => {
    if (closed) throw new SpillwayError('cancelled', 'The server has stopped.');
    upstreams.start();
    recipes.start();
    loaded = await loadServices({
      ...parts,
      ...own,
      resumeCall: (callId, how) => executor.questions.resume(callId, how),
      callTool: callTool(() => executor),
    });
    loaded.bridge.setClients(clients);
    loaded.outputs.onEnd((handle) => ended.notify(handle));
    return loaded;
  });
  const executor = new Executor({
    registry,
    services,
    redactor,
    outputModeDefault: options.outputModeDefault,
    contentBoundaries: options.contentBoundaries,
    syncWaitMs: options.syncWaitMs,
    meter,
    ownCommands: (text) => (parts.nameSettings ?? String)(withOwnCommands(text)),
    ended: (call, result) => recipes.noteEnded(call, result),
  });
  return {
    executor,
    resources: createResources(services, ended, {
      widgets: parts.widgets ?? BUILT,
      contentBoundaries: options.contentBoundaries,
      ...(upstreams.report().length === 0 ? {} : { upstreams: upstreams.offers }),
    }),
    logger,
    logs: { onLine },
    secrets,
    upstreams,
    recipes,
    callTool: callTool(() => executor),
    services,
    warmUp: () => {
      const start = async (): Promise<void> => (await services()).parking.start();
      start().catch((thrown: unknown) => logger.error({ err: thrown }, 'services did not load'));
    },
    setClients: (named) => {
      clients = named;
      // Services that load later are notified then.
      loaded?.bridge.setClients(clients);
    },
    leave: () => loaded?.kept.leave(),
    close: async () => {
      if (closed) return;
      closed = true;
      registry.close();
      recipes.close();
      const active = executor.end();
      // Waits for services that are loading; later attempts to load are refused.
      const all = await services().catch(() => null);
      await Promise.all([all?.close(active), upstreams.close(), active]);
    },
  };
}

const BUILT: WidgetFiles = {
  read: async (widget) => (await import('../widgets/files.ts')).readWidget(widget),
};

function createResources(
  services: () => Promise<Services>,
  /** Called with each expired handle, once the services are loaded. */
  ended: Listeners<string>,
  given: Pick<Resources, 'widgets' | 'contentBoundaries' | 'upstreams'>,
): Resources {
  return {
    outputs: {
      fetch: async (request, signal) => (await services()).outputs.fetch(request, signal),
      facts: async (handle) => (await services()).outputs.facts(handle),
      onEnd: (listener) => ended.add(listener),
    },
    runs: { get: async (runId) => (await services()).runs.get(runId) },
    skill: async () => (await import('../widgets/files.ts')).readSkill(),
    ...given,
  };
}
