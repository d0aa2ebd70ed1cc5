import { watch, type FSWatcher } from 'node:fs';
import { inspectFolder } from '../machine/private-folder.ts';
import { readRegistrations, type FoundHost } from './registrations.ts';
import type { Identity } from '../../../shared/core/bridge/hello.ts';
import { SpillwayError, toSpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { Logger, BrowserId, BrowserState } from '../services.ts';
import { connectToHost, type HostConnection, type PeerInfo } from './frames.ts';
import { readSecret } from './directory.ts';
import type { BrowserLink } from './browser-link.ts';
import { visibleName } from '../../../shared/core/policy/reveal.ts';
import {
  SERVER_METHODS,
  type ServerMethodName,
  type ServerMethods,
} from '../../../shared/core/bridge/server-methods.ts';
import { describeIssues } from '../../../shared/base/json-schema.ts';

/** For file systems that report no changes, and folders that do not exist yet. */
const POLL_INTERVAL_MS = 1_000;

/** A host and the folder that holds its secret. */
export interface LocatedHost extends FoundHost {
  readonly directory: string;
}

class Attempt {
  /** Set while a connection is being made. */
  running: Promise<void> | null = null;
  startedAt = 0;
  isConnected = false;
  failures = 0;
  retryAt = 0;
  error: SpillwayError | null = null;
}

interface HostConnectorOptions {
  readonly directories: readonly string[];
  readonly identity: Identity;
  readonly logger: Logger;
  /** See {@link connectToHost}. */
  readonly timeoutMs?: number | undefined;
  readonly monotonic: () => number;
  /** A host has proved itself. `release` tells the connector that the connection has ended. */
  readonly onConnection: (connection: HostConnection, release: () => void) => Promise<void>;
  /** Something changed: a connection came, or an attempt failed. */
  readonly onProgress: () => void;
}

/**
 * Keeps connecting to every native host in the bridge directories, with backoff per host: on every change
 * that the file system reports, and now and then in case it reports none.
 */
export class HostConnector {
  readonly #attempts = new Map<string, Attempt>();
  readonly #watchers = new Map<string, FSWatcher>();
  #poll: NodeJS.Timeout | null = null;
  /** The hop that is missing, when there is no live host. */
  #missing: string | null = null;

  constructor(private readonly options: HostConnectorOptions) {}

  /** Starts to look for hosts and continues until {@link stop}. Does not keep the process alive. Idempotent. */
  start(): void {
    if (this.#poll !== null) return;
    const tick = (): void => {
      this.#watchAll();
      this.scan();
    };
    this.#poll = setInterval(tick, POLL_INTERVAL_MS).unref();
    tick();
  }

  stop(): void {
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
    for (const directory of [...this.#watchers.keys()]) this.#unwatch(directory);
  }

  /** A host that was found and lives has neither answered nor failed. */
  get isWaiting(): boolean {
    return [...this.#attempts.values()].some((attempt) => attempt.running !== null);
  }

  /** A host that was found just now counts too: a slow one does not delay others. */
  get isBusy(): boolean {
    const since = this.options.monotonic() - LIMITS.helloNoticeMs;
    return [...this.#attempts.values()].some(
      ({ running, startedAt }) => running !== null && startedAt > since,
    );
  }

  /** Why no host is connected: the failing hop, and its error, if any. */
  explain(): { readonly message: string; readonly cause: SpillwayError | null } {
    const cause = [...this.#attempts.values()].find(({ error }) => error !== null)?.error ?? null;
    if (this.#missing !== null) return { message: this.#missing, cause: null };
    const silent =
      'The native host runs but has not answered yet; on a busy machine, give it longer with --connect-timeout-ms.';
    return { message: cause?.message ?? silent, cause };
  }

  /** Looks now and connects to new or due hosts. */
  scan(): void {
    if (this.#poll === null) return;
    const { directories } = this.options;
    const seen = look(directories);
    this.#missing = missingHop(directories, seen);
    const present = new Set(seen.hosts.map((host) => host.registration.socket));
    for (const [socket, attempt] of this.#attempts)
      if (!present.has(socket) && attempt.running === null) this.#attempts.delete(socket);
    for (const host of seen.hosts) this.#tryHost(host);
  }

  #watchAll(): void {
    for (const directory of this.options.directories) {
      const isUsable = inspectFolder(directory) === null;
      // A folder that was removed and recreated needs a new watcher.
      if (!isUsable) this.#unwatch(directory);
      if (!isUsable || this.#watchers.has(directory)) continue;
      try {
        const watcher = watch(directory, { persistent: false }, () => this.scan());
        this.#watchers.set(directory, watcher);
        watcher.on('error', () => this.#unwatch(directory));
      } catch {
        // The poll sees the same as a watcher, only later.
      }
    }
  }

  #unwatch(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }

  #tryHost(host: LocatedHost): void {
    const key = host.registration.socket;
    const attempt = this.#attempts.get(key) ?? new Attempt();
    this.#attempts.set(key, attempt);
    if (attempt.isConnected || attempt.running !== null) return;
    if (this.options.monotonic() < attempt.retryAt) return;
    attempt.startedAt = this.options.monotonic();
    attempt.running = this.#connect(host, attempt).finally(() => {
      attempt.running = null;
      this.options.onProgress();
    });
  }

  async #connect(host: LocatedHost, attempt: Attempt): Promise<void> {
    const { identity, logger, timeoutMs, monotonic, onConnection } = this.options;
    try {
      const { socket: socketPath } = host.registration;
      const secret = secretOf(host.directory);
      const connection = await connectToHost({ socketPath, secret, identity, timeoutMs });
      if (this.#poll === null) return connection.close();
      attempt.isConnected = true;
      await onConnection(connection, () => {
        attempt.isConnected = false;
        this.scan();
      });
      attempt.failures = 0;
      attempt.error = null;
    } catch (error) {
      const failure = toSpillwayError(error);
      attempt.isConnected = false;
      const delayMs = Math.min(LIMITS.reconnectMaxMs, LIMITS.reconnectMinMs * 2 ** attempt.failures);
      attempt.failures += 1;
      attempt.retryAt = monotonic() + delayMs;
      attempt.error = failure;
      logger.debug({ code: failure.code, pid: host.registration.pid }, failure.message);
    }
  }
}

function secretOf(directory: string): string {
  let reason = 'it is missing';
  try {
    const secret = readSecret(directory);
    if (secret !== null) return secret;
  } catch (error) {
    reason = toSpillwayError(error).message;
  }
  throw new SpillwayError('host_refused', `The secret of ${directory} cannot be used: ${reason}.`);
}

/** The hosts that are registered in these folders, and which of the folders can be trusted. */
export function look(directories: readonly string[]) {
  const hosts: LocatedHost[] = [];
  const dead: LocatedHost[] = [];
  const trusted: string[] = [];
  const refused: string[] = [];
  for (const directory of directories) {
    const problem = inspectFolder(directory);
    if (problem?.isMissing === false) refused.push(problem.reason);
    if (problem !== null) continue;
    trusted.push(directory);
    for (const found of readRegistrations(directory))
      (found.isAlive ? hosts : dead).push({ ...found, directory });
  }
  return { hosts, dead, trusted, refused };
}

/** The hop that is missing, when there is no live host. */
function missingHop(
  directories: readonly string[],
  { hosts, dead, trusted, refused }: ReturnType<typeof look>,
): string | null {
  if (hosts.length > 0) return null;
  const died = dead.map(({ directory, registration }) => `${directory} (pid ${registration.pid})`);
  if (died.length > 0) return `The native host that was registered in ${died.join(', ')} has died.`;
  if (trusted.length > 0) return `No native host is registered in ${trusted.join(', ')}.`;
  return refused.length > 0
    ? `The bridge directory cannot be trusted: ${refused.join(' ')}`
    : `There is no bridge directory (${directories.join(', ')}): no browser has started the native host yet.`;
}

/** A profile that this server has seen, and its connection, if any. */
interface KnownBrowser {
  state: BrowserState;
  link: BrowserLink | null;
}

interface Labelled {
  readonly instance: string;
  readonly facts: BrowserState['facts'];
}

/** Labels those of one name and version that no person has named by their instance. */
export function labelAlike<T extends Labelled>(browsers: readonly T[]): T[] {
  const isTwin = ({ facts, instance }: Labelled): boolean =>
    facts.label === null &&
    browsers.some(
      (other) =>
        other.instance !== instance &&
        other.facts.label === null &&
        other.facts.name === facts.name &&
        other.facts.version === facts.version,
    );
  return browsers.map((each) =>
    isTwin(each)
      ? { ...each, facts: { ...each.facts, label: `unnamed ${each.instance.slice(0, 4)}` } }
      : each,
  );
}

/** Profiles by extension instance: each keeps its id for as long as the server lives. */
export class Browsers {
  readonly #known = new Map<string, KnownBrowser>();
  readonly #ids = new Map<string, BrowserId>();

  all(): readonly KnownBrowser[] {
    return [...this.#known.values()];
  }

  /** Browsers as agents see them. */
  states(): BrowserState[] {
    return labelAlike(this.all().map(({ state }) => state));
  }

  find(id: BrowserId): KnownBrowser | undefined {
    return this.all().find((browser) => browser.state.id === id);
  }

  ofInstance(instance: string): KnownBrowser | undefined {
    return this.#known.get(instance);
  }

  get isAnyConnected(): boolean {
    return this.all().some((browser) => browser.link !== null);
  }

  /** The id that a profile keeps from its first connection on. */
  idOf(instance: string): BrowserId {
    const id = this.#ids.get(instance) ?? `b${this.#ids.size + 1}`;
    this.#ids.set(instance, id);
    return id;
  }

  /** Notes that a profile is connected now. */
  connect(peer: PeerInfo, link: BrowserLink): KnownBrowser {
    const { instance, version } = peer.extension;
    const before = this.#known.get(instance);
    const state: BrowserState = {
      id: this.idOf(instance),
      connected: true,
      instance,
      facts: { ...peer.browser, label: labelOf(peer.browser.label) },
      extensionVersion: version,
      hostVersion: peer.host.version,
      wire: peer.wire,
      reconnects: before === undefined ? 0 : before.state.reconnects + 1,
    };
    const known = { state, link };
    this.#known.set(instance, known);
    return known;
  }

  /** Notes a browser's new name from a person, or its removal. */
  rename(link: BrowserLink, label: string | null): void {
    const known = this.all().find((browser) => browser.link === link);
    if (known === undefined) return;
    known.state = { ...known.state, facts: { ...known.state.facts, label: labelOf(label) } };
  }

  /** Notes that a link has disconnected; null if a newer one has replaced it. */
  disconnect(link: BrowserLink): BrowserState | null {
    const known = this.all().find((browser) => browser.link === link);
    if (known === undefined) return null;
    known.link = null;
    known.state = { ...known.state, connected: false };
    return known.state;
  }
}

/** A person's name for a browser, with any text that people cannot see removed. */
function labelOf(label: string | null): string | null {
  const shown = visibleName(label ?? '').trim();
  return shown === '' ? null : shown;
}

const isMethodName = (name: string): name is ServerMethodName => Object.hasOwn(SERVER_METHODS, name);

type AnyMethod = (params: unknown, signal: AbortSignal, browser: BrowserId) => Promise<object>;

/**
 * Answers one request of a browser: checks its parameters, then calls its method.
 * @throws SpillwayError `api_not_found`, `invalid_argument`, or the method's own errors
 */
export async function answerRequest(
  methods: Partial<ServerMethods>,
  browser: BrowserId,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<object> {
  // The schema in the method's row produces its type.
  const answer = isMethodName(method) ? (methods[method] as AnyMethod | undefined) : undefined;
  if (!isMethodName(method) || answer === undefined)
    throw new SpillwayError('api_not_found', `The server has no method ${method.slice(0, 64)}.`);
  const parsed = SERVER_METHODS[method].params.safeParse(params);
  if (!parsed.success) throw invalidArgument(`${method}: ${describeIssues(parsed.error.issues, 'params')}`);
  return answer(parsed.data, signal, browser);
}
