import type { FeedEvent } from '../../../shared/core/feed.ts';
import { defer, withTimeout } from '../../../shared/base/async.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { isFromWorker } from '../../core/ports/from-worker.ts';
import type {
  AgentControl,
  FeedAnswer,
  Asks,
  FeedCursors,
  FeedMessage,
  FeedRequest,
  FeedServer,
  QueryType,
} from './feed-port.ts';

/** Longer than a server may take to answer the worker. */
const ANSWER_MS = 15_000;
/** Servers whose cursor is kept, including disconnected ones. */
const CURSORS_MAX = 50;

/** The client's part of the port. */
export interface FeedPort {
  postMessage(message: FeedRequest): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

interface FeedClientOptions {
  /** Restarts a worker that has ended. */
  readonly connect: () => FeedPort;
  readonly onServers: (servers: readonly FeedServer[]) => void;
  readonly onControls: (controls: readonly AgentControl[], isDamaged: boolean) => void;
  readonly onEvents: (server: string, events: readonly FeedEvent[]) => void;
}

interface WaitingQuery {
  readonly query: Extract<FeedRequest, { type: 'query' }>['query'];
  readonly resolve: (result: object) => void;
  readonly reject: (error: Error) => void;
  /** It was asked of a new worker, which may lack its server for a moment. */
  isRepeated: boolean;
  /** That worker's answer meanwhile. */
  failure: Failure | null;
}

/** Why something could not be read, as reported by the worker or this page. The code may be unknown to this page. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
  ) {
    super(message);
  }
}

/** The hint, else the message, for a person. */
export const whyOf = (failure: Failure | null): string => reveal(failure?.hint ?? failure?.message ?? '');

export const failureOf = (thrown: unknown): Failure =>
  thrown instanceof Failure ? thrown : new Failure('internal_error', messageOf(thrown));

/**
 * The page's end of the feed. It keeps a cursor per server and resumes there when the worker has ended, so that nothing
 * is lost or repeated. Unanswered queries are asked again.
 */
export class FeedClient {
  readonly #waiting = new Map<number, WaitingQuery>();
  #cursors: FeedCursors = {};
  #port: FeedPort | null = null;
  #asked = 0;

  constructor(private readonly options: FeedClientOptions) {}

  /** Connects, and reconnects whenever the worker has ended. Called again, it begins again. */
  start(): void {
    this.#port?.disconnect();
    const port = this.options.connect();
    this.#port = port;
    port.onMessage.addListener((message) => this.#receive(port, message));
    port.onDisconnect.addListener(() => {
      if (this.#port === port) this.start();
    });
    port.postMessage({ type: 'begin', cursors: this.#cursors });
    for (const [id, waiting] of this.#waiting) {
      waiting.isRepeated = true;
      this.#repeat(id, waiting);
    }
  }

  forget(server: string): void {
    const { [server]: _forgotten, ...others } = this.#cursors;
    this.#cursors = others;
  }

  /** Stops, pauses or resumes an agent. Accepted only from the side panel. */
  control(request: Omit<Extract<FeedRequest, { type: 'control' }>, 'type'>): void {
    this.#port?.postMessage({ type: 'control', ...request });
  }

  /**
   * Asks the servers about the past.
   * @throws their error, or `timeout`
   */
  async ask<T extends QueryType>(type: T, asks: Asks<T>): Promise<FeedAnswer<T>> {
    const id = (this.#asked += 1);
    const query = { type, ...asks };
    const { promise: answer, resolve, reject } = defer<object>();
    const waiting: WaitingQuery = { query, resolve, reject, isRepeated: false, failure: null };
    this.#waiting.set(id, waiting);
    this.#port?.postMessage({ type: 'query', id, query });
    try {
      const late = (): Failure =>
        waiting.failure ?? new Failure('timeout', 'The extension did not answer in time.');
      return await withTimeout(answer, ANSWER_MS, late);
    } finally {
      this.#waiting.delete(id);
    }
  }

  #repeat(id: number, waiting: WaitingQuery): void {
    waiting.failure = null;
    this.#port?.postMessage({ type: 'query', id, query: waiting.query });
  }

  /** Servers come back to a new worker one after another: with each, what failed without it is asked again. */
  #fail(id: number, failure: Failure): void {
    const waiting = this.#waiting.get(id);
    if (waiting?.isRepeated === true && failure.code === 'browser_disconnected') waiting.failure = failure;
    else waiting?.reject(failure);
  }

  #receive(port: FeedPort, data: unknown): void {
    // Unacknowledged events of a worker that ended come again.
    if (port !== this.#port || !isFromWorker<FeedMessage>(data)) return;
    if (data.type === 'servers') {
      for (const [id, waiting] of this.#waiting) if (waiting.failure !== null) this.#repeat(id, waiting);
      this.options.onServers(data.servers);
    } else if (data.type === 'controls') this.options.onControls(data.controls, data.isDamaged);
    else if (data.type === 'answer') this.#waiting.get(data.id)?.resolve(data.result);
    else if (data.type === 'failure')
      this.#fail(data.id, new Failure(data.code, data.message, data.hint || null));
    else {
      const { server, cursor, events } = data;
      const { [server]: _before, ...others } = this.#cursors;
      const newest = Object.entries(others).slice(1 - CURSORS_MAX);
      this.#cursors = { ...Object.fromEntries(newest), [server]: cursor };
      this.options.onEvents(server, events);
      port.postMessage({ type: 'seen', server });
    }
  }
}
