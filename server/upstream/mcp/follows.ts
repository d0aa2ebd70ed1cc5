import type { Link } from './link.ts';

/** Between two updates of one resource that are passed on. */
const PAUSE_MS = 500;
/** Resources of which so many change at once are more than a client could read. */
const CHANGED_MAX = 1_000;
const TIMEOUT_MS = 30_000;

type Follower = (uri: string) => void;

/**
 * Who follows the resources of one upstream. The upstream is asked once for each resource, for all who follow it, and again
 * after it was started again.
 */
export class ResourceFollows {
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #turns = new Map<string, Promise<void>>();
  /** Resources that have just changed. */
  readonly #pauses = new Map<string, { timer: NodeJS.Timeout; hasMore: boolean }>();
  /** What {@link #link} sends updates of. */
  #held = new Set<string>();
  #link: Link | null = null;

  /** Calls back with each change of the resource, or of one below it, until the returned function is called. @throws what the request throws */
  async follow(uri: string, listener: Follower): Promise<() => void> {
    const own: Follower = (changed) => listener(changed);
    const followers = this.#followers.get(uri) ?? new Set();
    this.#followers.set(uri, followers.add(own));
    const stop = (): void => {
      followers.delete(own);
      if (followers.size > 0 || this.#followers.get(uri) !== followers) return;
      this.#followers.delete(uri);
      this.#settle(uri).catch(() => undefined);
    };
    try {
      await this.#settle(uri);
      return stop;
    } catch (thrown) {
      stop();
      throw thrown;
    }
  }

  /** The upstream is there again: who follows a resource may have missed a change of it. */
  connected(link: Link, onRefused: (thrown: unknown) => void): void {
    this.#link = link;
    this.#held = new Set();
    for (const uri of this.#followers.keys()) this.#settle(uri).then(() => this.updated(uri), onRefused);
  }

  /** The upstream says that a resource has changed. */
  updated(uri: string): void {
    const pause = this.#pauses.get(uri);
    if (pause !== undefined) {
      pause.hasMore = true;
      return;
    }
    const followers = [...this.#followers].filter(([followed]) => isWithin(uri, followed));
    if (followers.length === 0 || this.#pauses.size >= CHANGED_MAX) return;
    const timer = setTimeout(() => {
      const { hasMore = false } = this.#pauses.get(uri) ?? {};
      this.#pauses.delete(uri);
      if (hasMore) this.updated(uri);
    }, PAUSE_MS).unref();
    this.#pauses.set(uri, { timer, hasMore: false });
    for (const [, listeners] of followers) for (const listener of [...listeners]) listener(uri);
  }

  close(): void {
    this.#link = null;
    this.#followers.clear();
    for (const { timer } of this.#pauses.values()) clearTimeout(timer);
    this.#pauses.clear();
  }

  /** Asks for what is wanted of a resource now, after what was asked about it before. */
  #settle(uri: string): Promise<void> {
    const before = this.#turns.get(uri) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.#ask(uri));
    this.#turns.set(uri, turn);
    const forget = (): void => {
      if (this.#turns.get(uri) === turn) this.#turns.delete(uri);
    };
    turn.then(forget, forget);
    return turn;
  }

  async #ask(uri: string): Promise<void> {
    const link = this.#link;
    const isWanted = this.#followers.has(uri);
    if (link === null || isWanted === this.#held.has(uri)) return;
    const method = isWanted ? 'resources/subscribe' : 'resources/unsubscribe';
    const held = this.#held;
    if (!isWanted) held.delete(uri);
    await link.request(method, { uri }, { signals: [], timeoutMs: TIMEOUT_MS });
    if (isWanted) held.add(uri);
  }
}

const isWithin = (uri: string, followed: string): boolean =>
  uri === followed || uri.startsWith(followed.endsWith('/') ? followed : `${followed}/`);
