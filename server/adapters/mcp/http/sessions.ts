import type { HttpConnection } from './connection.ts';

/** The sessions of one port: no more than a bound, be their clients connected or not. */
export class HttpSessions {
  readonly #max: number;
  /** Also those that are not initialized yet. */
  readonly #all = new Set<HttpConnection>();

  constructor(max: number) {
    this.#max = max;
  }

  find(id: string): HttpConnection | undefined {
    return [...this.#all].find(({ transport }) => transport.sessionId === id);
  }

  add(connection: HttpConnection): void {
    this.#all.add(connection);
  }

  delete(connection: HttpConnection): void {
    this.#all.delete(connection);
  }

  /** Who has said who they are. */
  clients(): readonly { readonly name: string; readonly version: string }[] {
    return [...this.#all].flatMap(({ client }) => (client === null ? [] : [client]));
  }

  /**
   * Makes room for one more: of the sessions without work, the one ends that was used longest ago, and
   * one whose client listens only when there is no other. False when all are at work.
   */
  makeRoom(): boolean {
    if (this.#all.size < this.#max) return true;
    const [oldest] = [...this.#all]
      .filter(({ work }) => !work.isAtWork)
      .sort(
        ({ work: a }, { work: b }) => Number(a.isHeard) - Number(b.isHeard) || a.lastUsedAt - b.lastUsedAt,
      );
    if (oldest === undefined) return false;
    this.#all.delete(oldest);
    void oldest.close();
    return true;
  }

  /** Ends the sessions that have had no work and no listener since then, by `performance.now()`. */
  closeIdle(before: number): void {
    for (const { events, work, close } of this.#all) {
      events.prune();
      if (!work.isAtWork && !work.isHeard && work.lastUsedAt < before) void close();
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#all].map(({ close }) => close()));
  }
}
