import { randomBytes } from 'node:crypto';
import type {
  MethodName,
  MethodParams,
  MethodResult,
  StreamMethodName,
  StreamMethodParams,
} from '../../../shared/core/bridge/methods.ts';
import { METHODS } from '../../../shared/core/bridge/methods.ts';
import type { CallScope, ReadSite } from '../../../shared/core/policy/call-facts.ts';
import type { ServerRules } from '../../../shared/people/policy.ts';
import { PRODUCT, WIRE_RANGE, type WireRange } from '../../../shared/core/bridge/wire.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { cut } from '../../../shared/base/cut.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { VERSION } from '../../../shared/base/version.ts';
import { Listeners } from '../../../shared/base/queue.ts';
import { defer, abortable, waitAtMost } from '../../../shared/base/async.ts';
import type {
  Bridge,
  BridgeCallOptions,
  BridgeStream,
  BrowserId,
  BrowserState,
  Clock,
  Logger,
} from '../services.ts';
import type { ServerMethods } from '../../../shared/core/bridge/server-methods.ts';
import { JsonRpc } from '../../../shared/core/bridge/json-rpc.ts';
import { BrowserLink } from './browser-link.ts';
import { Browsers, answerRequest, HostConnector } from './discovery.ts';
import type { HostConnection } from './frames.ts';
import { bridgeDirectories, type Environment } from './directory.ts';
import type { LaunchSettings } from './launch.ts';
import { LaunchKeeper } from './launch-keeper.ts';

const TWIN_MS = 1_000;

/** How often the folders are read, besides the watcher's notices, while a call waits for a browser. */
const WAITING_POLL_MS = 100;
const INSTANCE_BYTES = 12;

type ChangeListener = Parameters<Bridge['onChange']>[0];
type Change = Parameters<ChangeListener>;
type Clients = Parameters<Bridge['setClients']>[0];

export interface BridgeOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Sent to browsers before any call: the sites of `--allowed-sites` and `--denied-sites`. */
  readonly sites?: ServerRules | null;
  /** Starts a private browser on the first call that needs one; all calls then use it. */
  readonly launch?: LaunchSettings | null;
  /** The one bridge directory; without it, every candidate of {@link bridgeDirectories}. */
  readonly directory?: string;
  readonly env?: Environment;
  /** How long a browser may take to show itself, and a live host to answer. Defaults are in `LIMITS`. */
  readonly connectTimeoutMs?: number | undefined;
  /** Wire versions to offer, if not this build's. */
  readonly wire?: WireRange;
  /** Identifies this server to browsers. */
  readonly instance?: string;
  /** Answers requests of browsers. Default: none. */
  readonly methods?: Partial<ServerMethods>;
  /** Called with the sites whose text a browser gives to a call. */
  readonly heard?: (call: CallScope, sites: readonly ReadSite[]) => void;
}

/** Tools name the call behind a request; programs without calls do not. */
type CallOptions = Partial<BridgeCallOptions>;

/** A unique name for a server's process. */
export const newInstance = (): string => randomBytes(INSTANCE_BYTES).toString('hex');

/** The server's end of the bridge. Touches neither disk nor network before its first use. */
export const createBridge = (options: BridgeOptions): BridgeClient => new BridgeClient(options);

export class BridgeClient implements Bridge {
  readonly isPrivate: boolean;
  readonly #browsers = new Browsers();
  /** Profiles of which a copy has been refused. */
  readonly #twins = new Set<string>();
  readonly #listeners = new Listeners<Change>();
  /** Resolves at the next change. */
  #changed = defer<void>();
  readonly #keeper: LaunchKeeper | null;
  #connector: HostConnector | null = null;
  #clients: Clients = [];
  readonly #closing = new AbortController();

  constructor(private readonly options: BridgeOptions) {
    const { launch, logger, connectTimeoutMs } = options;
    const { signal } = this.#closing;
    this.isPrivate = Boolean(launch);
    this.#keeper = launch ? new LaunchKeeper({ connectTimeoutMs, ...launch, logger, signal }) : null;
  }

  browsers(): readonly BrowserState[] {
    return this.#browsers.states();
  }

  async ready(options: Parameters<Bridge['ready']>[0] = {}): Promise<void> {
    const { signal } = options;
    if (this.#isReady) return;
    const launchMs = this.#keeper === null ? LIMITS.browserWaitMs : LIMITS.launchTimeoutMs;
    const waitMs = options.timeoutMs ?? this.options.connectTimeoutMs ?? launchMs;
    let deadline = this.#now() + waitMs;
    do {
      // A launch has its own clock, which progress resets.
      const startedAt = this.#now();
      await this.#start(signal);
      deadline += this.#now() - startedAt;
      await this.#waitUntil(() => this.#isReady || this.#hasLostBrowser, deadline, signal);
      if (!this.#browsers.isAnyConnected && options.timeoutMs === undefined) await this.#hearOut(signal);
      // If a private browser has ended, it is replaced while there is time.
    } while (this.#hasLostBrowser && this.#now() < deadline);
    if (this.#browsers.isAnyConnected) return;
    this.#keeper?.abandon();
    throw this.#notConnected();
  }

  async request<M extends MethodName>(
    browser: BrowserId,
    method: M,
    params: MethodParams<M>,
    options: CallOptions = {},
  ): Promise<MethodResult<M>> {
    const link = await this.#link(browser, options.signal, method);
    return link.request(method, params, options);
  }

  async *stream<M extends StreamMethodName>(
    browser: BrowserId,
    method: M,
    params: StreamMethodParams<M>,
    options: CallOptions = {},
  ): BridgeStream<M> {
    const link = await this.#link(browser, options.signal, method);
    return yield* link.stream(method, params, options);
  }

  onChange(listener: ChangeListener): () => void {
    return this.#listeners.add((change) => listener(...change));
  }

  setClients(clients: Clients): void {
    this.#clients = clients;
    for (const { link } of this.#browsers.all()) if (link !== null) this.#notifyClients(link);
  }

  async close(): Promise<void> {
    const error = buildShutdown();
    this.#closing.abort(error);
    this.#connector?.stop();
    const leaving = this.#browsers.all().map(async ({ link }) => link?.leave(error));
    this.#notify();
    await Promise.all(leaving);
    await this.#keeper?.close();
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Waits for every host that was found to answer: the list of browsers must not depend on luck. */
  get #isReady(): boolean {
    return this.#browsers.isAnyConnected && this.#connector?.isBusy === false && !this.#hasLostBrowser;
  }

  /** The private browser has ended, even if its connections do not show it yet. */
  get #hasLostBrowser(): boolean {
    return this.#keeper?.hasLost === true;
  }

  #now(): number {
    return this.options.clock.monotonic();
  }

  #notConnected(): SpillwayError {
    const { message, cause } = this.#connector?.explain() ?? { message: '', cause: null };
    return new SpillwayError(
      'browser_not_connected',
      `No browser is connected. ${message}`,
      cause === null ? {} : { cause, hint: cause.hint },
    );
  }

  /** The connector for the directory in use; a dead private browser is replaced. */
  async #start(signal: AbortSignal | undefined): Promise<HostConnector> {
    if (this.#isClosed) throw buildShutdown();
    if (this.#keeper?.hasLost === true) this.#forgetBrowser(this.#keeper);
    const launched = await this.#keeper?.awaitLaunched(signal);
    if (this.#isClosed) throw buildShutdown();
    if (this.#connector === null) {
      const { directory, env } = this.options;
      const own = launched?.directory ?? directory;
      this.#connector = this.#createConnector(own === undefined ? bridgeDirectories(env) : [own]);
      this.#connector.start();
    } else this.#connector.scan();
    return this.#connector;
  }

  #createConnector(directories: readonly string[]): HostConnector {
    const { logger, clock, connectTimeoutMs, wire = WIRE_RANGE, instance = newInstance() } = this.options;
    return new HostConnector({
      directories,
      identity: { product: PRODUCT, version: VERSION, wire, instance },
      logger,
      timeoutMs: connectTimeoutMs,
      monotonic: () => clock.monotonic(),
      onConnection: (connection, release) => this.#adopt(connection, release),
      onProgress: () => this.#notify(),
    });
  }

  /** Releases a private browser that has ended, with everything attached to it. */
  #forgetBrowser(keeper: LaunchKeeper): void {
    keeper.forget();
    this.#connector?.stop();
    this.#connector = null;
    const error = new SpillwayError('browser_disconnected', 'The private browser has exited.');
    for (const { link } of this.#browsers.all()) link?.close(error);
  }

  async #adopt(connection: HostConnection, release: () => void): Promise<void> {
    const { instance } = connection.peer.extension;
    let peer = connection.peer;
    const methods: Partial<ServerMethods> = {
      ...this.options.methods,
      // A server that launches its browser connects to no other.
      ...this.#keeper?.methods,
      'browser.named': ({ label }) => {
        // The browser may not be known yet.
        peer = { ...peer, browser: { ...peer.browser, label } };
        this.#browsers.rename(link, label);
        return Promise.resolve({});
      },
    };
    const id = this.#browsers.idOf(instance);
    const link: BrowserLink = new BrowserLink({
      id,
      connection,
      createRpc: (send) =>
        new JsonRpc(send, (method, params, { signal }) => answerRequest(methods, id, method, params, signal)),
      heard: (call, sites) => this.options.heard?.(call, sites),
      onClose: (closed) => {
        const gone = this.#browsers.disconnect(closed);
        if (gone !== null) this.#listeners.notify(['disconnected', gone]);
        release();
      },
    });
    if (link.isClosed || !(await this.#tighten(link))) return;
    const previous = this.#browsers.ofInstance(instance)?.link;
    if (previous && (await isAnswering(previous))) {
      const error = twinOf(id);
      if (!this.#twins.has(instance)) this.options.logger.warn({ err: error }, 'a browser is not used');
      this.#twins.add(instance);
      link.close(error);
      throw error;
    }
    if (link.isClosed) return;
    const { state } = this.#browsers.connect(peer, link);
    // A worker that returned through a new host leaves its old host behind.
    previous?.close(new SpillwayError('browser_disconnected', `Browser ${state.id} reconnected.`));
    if (this.#clients.length > 0) this.#notifyClients(link);
    this.#listeners.notify(['connected', state]);
    this.#notify();
  }

  /** A browser that cannot enforce the server's rules gets no calls. */
  async #tighten(link: BrowserLink): Promise<boolean> {
    const { sites = null, logger } = this.options;
    if (sites === null) return true;
    try {
      await link.request('server.policy', sites, {});
      return !link.isClosed;
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      logger.error({ err: error }, 'a browser is not used, since it does not take the sites of this server');
      link.close(error);
      return false;
    }
  }

  /** A need of the method that neither the browser meets nor this server, which may have started it. */
  #lacking(facts: BrowserState['facts'], method: MethodName): string | null {
    const definition = METHODS[method];
    if (!('needs' in definition) || facts.lacks?.includes(definition.needs) !== true) return null;
    const isGiven = definition.needs === 'dialogs' && this.#keeper?.methods['input.dialogs'] !== undefined;
    return isGiven ? null : definition.needs;
  }

  /** The browser's connection, if it can do the method; if it has just gone, it gets time to come back. */
  async #link(id: BrowserId, signal: AbortSignal | undefined, method: MethodName): Promise<BrowserLink> {
    const known = this.#browsers.find(id);
    if (known === undefined) throw new SpillwayError('browser_not_found', `There is no browser ${id}.`);
    const { facts } = known.state;
    const needed = this.#lacking(facts, method);
    if (needed !== null)
      throw new SpillwayError(
        'unsupported_in_firefox',
        `Browser ${id} (${facts.name}) gives extensions no ${needed}, which this needs.`,
      );
    const isBack = (): boolean => this.#browsers.find(id)?.link !== null || this.#hasLostBrowser;
    const deadline = this.#now() + LIMITS.browserWaitMs;
    await this.#waitUntil(isBack, deadline, signal);
    const link = this.#browsers.find(id)?.link ?? null;
    if (link === null) throw new SpillwayError('browser_disconnected', `Browser ${id} is not connected.`);
    return link;
  }

  /** A live host answers, ends, or runs out of time. */
  async #hearOut(signal: AbortSignal | undefined): Promise<void> {
    const isOver = (): boolean => this.#browsers.isAnyConnected || this.#connector?.isWaiting !== true;
    await this.#waitUntil(isOver, Infinity, signal);
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = defer();
  }

  async #waitUntil(isDone: () => boolean, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    while (!isDone()) {
      if (this.#isClosed) throw buildShutdown();
      const leftMs = deadline - this.#now();
      if (leftMs <= 0) return;
      const change = waitAtMost(this.#changed.promise, Math.min(leftMs, WAITING_POLL_MS));
      await abortable(change, signal).catch((thrown: unknown) => {
        throw toSpillwayError(thrown);
      });
      if (!isDone()) this.#connector?.scan();
    }
  }

  #notifyClients(link: BrowserLink): void {
    const clients = this.#clients.map(({ name, version }) => ({
      name: cut(name, 100),
      version: cut(version, 64),
    }));
    link.request('server.clients', { clients }, {}).catch((error: unknown) => {
      this.options.logger.debug({ err: error }, 'the popup was not notified of the clients');
    });
  }
}

/** A worker that returned has lost its old connection: an answer there comes from another browser. */
const isAnswering = (link: BrowserLink): Promise<boolean> =>
  link.request('bridge.echo', { value: '' }, { idleTimeoutMs: TWIN_MS }).then(
    () => true,
    () => false,
  );

const twinOf = (id: BrowserId): SpillwayError =>
  new SpillwayError('host_refused', `Another browser runs with a copy of the profile of ${id}.`, {
    hint: 'Remove the extension from the copy, and add it again.',
  });

function buildShutdown(): SpillwayError {
  return new SpillwayError('cancelled', 'The server is shutting down.');
}
