import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * What a session has to do. It is at work while a request is not answered or a task goes on, whether
 * its client is connected or not; a client that merely listens gives it no work.
 */
export class SessionWork {
  /** Ids of requests that stand in a body, and that the transport has not taken yet. */
  readonly #claimed = new Set<RequestId>();
  readonly #unanswered = new Set<RequestId>();
  readonly #now: () => number;
  #exchanges = 0;
  #listeners = 0;
  #tasks = 0;
  #lastUsedAt: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#lastUsedAt = now();
  }

  get isAtWork(): boolean {
    return this.#exchanges > 0 || this.#unanswered.size > 0 || this.#tasks > 0;
  }

  /** Its client has a stream open for what the server has to say. */
  get isHeard(): boolean {
    return this.#listeners > 0;
  }

  /** When its last request or task began or ended. */
  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** An HTTP request of the session has come. Answers how to say that it has ended. */
  enter(kind: 'exchange' | 'listener'): () => void {
    const count = (by: 1 | -1): void => {
      if (kind === 'exchange') this.#exchanges += by;
      else this.#listeners += by;
      this.#touch();
    };
    count(1);
    return () => count(-1);
  }

  /**
   * Claims the ids of a body, until they are {@link received} or {@link release}d. Answers the one that
   * is under way already, or stands in the body twice; none is claimed then.
   */
  claim(ids: readonly RequestId[]): RequestId | null {
    const taken = ids.find(
      (id, index) => this.#claimed.has(id) || this.#unanswered.has(id) || ids.indexOf(id) !== index,
    );
    if (taken !== undefined) return taken;
    for (const id of ids) this.#claimed.add(id);
    return null;
  }

  /** A body was taken or refused: what the transport has not received of it, it will not. */
  release(ids: readonly RequestId[]): void {
    for (const id of ids) this.#claimed.delete(id);
  }

  received(id: RequestId): void {
    this.#claimed.delete(id);
    this.#unanswered.add(id);
  }

  /** A request was answered, or never will be. */
  ended(id: RequestId): void {
    this.#unanswered.delete(id);
    this.#touch();
  }

  /** So many tasks go on. */
  goOn(tasks: number): void {
    this.#tasks = tasks;
    this.#touch();
  }

  #touch(): void {
    this.#lastUsedAt = this.#now();
  }
}
