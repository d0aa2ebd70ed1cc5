import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * What a session has to do. It is at work while a request is unanswered, a task is active or a call
 * waits for a person, whether its client is connected or not; a client that merely listens gives it
 * no work, and neither does a request whose body is not there yet.
 */
export class SessionWork {
  /** Ids of requests in a body that the transport has not taken yet. */
  readonly #claimed = new Set<RequestId>();
  readonly #unanswered = new Set<RequestId>();
  #exchanges = 0;
  #listeners = 0;
  #others = 0;
  #lastUsedAt = performance.now();

  get isAtWork(): boolean {
    return this.#exchanges > 0 || this.#unanswered.size > 0 || this.#others > 0;
  }

  /** Its client has a stream open for messages of the server. */
  get isHeard(): boolean {
    return this.#listeners > 0;
  }

  /**
   * When the last of its work began or ended, or a request of it came: by `performance.now()`, which only
   * rises and tells two uses within a millisecond apart.
   */
  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** An HTTP request of the session has arrived. Returns a function to call when it ends. */
  enter(kind: 'exchange' | 'listener'): () => void {
    const count = (by: 1 | -1): void => {
      if (kind === 'exchange') this.#exchanges += by;
      else this.#listeners += by;
      this.touch();
    };
    count(1);
    return () => count(-1);
  }

  /**
   * Claims the ids of a body, until they are {@link received} or {@link release}d. Returns the one that
   * is already pending, or is in the body twice; none is claimed then.
   */
  claim(ids: readonly RequestId[]): RequestId | null {
    const claimed = new Set<RequestId>();
    for (const id of ids) {
      if (claimed.has(id) || this.#claimed.has(id) || this.#unanswered.has(id)) return id;
      claimed.add(id);
    }
    for (const id of claimed) this.#claimed.add(id);
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
    this.touch();
  }

  /** Counts work besides the requests, until it settles. */
  during(pending: Promise<unknown>): void {
    const count = (by: 1 | -1): void => {
      this.#others += by;
      this.touch();
    };
    count(1);
    const end = (): void => count(-1);
    pending.then(end, end);
  }

  /** It is used, without a call at work yet. */
  touch(): void {
    this.#lastUsedAt = performance.now();
  }
}
