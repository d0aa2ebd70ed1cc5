import type { BrowserId, BrowserState } from '../core/services.ts';
import type { BrowserLink } from './browser-link.ts';
import type { PeerInfo } from './connection.ts';
import { visibleName } from '../../shared/policy/reveal.ts';
import {
  SERVER_METHODS,
  type ServerMethodName,
  type ServerMethods,
} from '../../shared/bridge/server-methods.ts';
import { describeIssues } from '../../shared/json-schema.ts';
import { SpillwayError, invalidArgument } from '../../shared/errors.ts';

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
  {
    method,
    params,
    signal,
    browser,
  }: {
    readonly method: string;
    readonly params: unknown;
    readonly signal: AbortSignal;
    readonly browser: BrowserId;
  },
): Promise<object> {
  // The schema in the method's row produces its type.
  const answer = isMethodName(method) ? (methods[method] as AnyMethod | undefined) : undefined;
  if (!isMethodName(method) || answer === undefined)
    throw new SpillwayError('api_not_found', `The server has no method ${method.slice(0, 64)}.`);
  const parsed = SERVER_METHODS[method].params.safeParse(params);
  if (!parsed.success) throw invalidArgument(`${method}: ${describeIssues(parsed.error.issues, 'params')}`);
  return answer(parsed.data, signal, browser);
}
