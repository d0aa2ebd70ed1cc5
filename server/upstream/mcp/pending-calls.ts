import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { CallContext } from '../../core/context.ts';

/** So long work may stay active without news. */
const SAME_MAX_MS = 60 * 60_000;
const LATE = new McpError(ErrorCode.RequestTimeout, 'The call took too long.');

/** The time of one call: each step restarts it, and it is held while a person or a model is asked. */
export class Countdown {
  readonly #over = new AbortController();
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;
  #isStopped = false;
  /** When something was heard last that was not the same as before. */
  #newsAt = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.restart();
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  restart(): void {
    this.#newsAt = performance.now();
    this.#restart();
  }

  /** The work is still active: that restarts the time, too, for an hour. */
  extend(): void {
    if (performance.now() - this.#newsAt < SAME_MAX_MS) this.#restart();
  }

  #restart(): void {
    if (this.#holds > 0 || this.#isStopped) return;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#over.abort(LATE), this.#timeoutMs);
    else this.#timer.refresh();
  }

  /** Stops the time. Returns a function that starts it again from the beginning. */
  hold(): () => void {
    this.#holds += 1;
    this.#clear();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      this.restart();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const ASKED_MAX = 10;

/** A call that the upstream has not answered yet. */
export interface PendingCall {
  readonly context: CallContext;
  readonly countdown: Countdown;
  /** The upstream has made a task of it. */
  taskId?: string;
}

/** A client with calls pending. */
interface WaitingClient {
  readonly calls: Set<PendingCall>;
  /** Aborts when its last call has ended: nothing is asked of it any longer. */
  readonly over: AbortController;
  asked: number;
}

export interface AskingCall {
  readonly context: CallContext;
  /** Aborts when no call of the client is pending any longer. */
  readonly signal: AbortSignal;
  /** False when it was asked too often. */
  admit(): boolean;
  /** Stops the time of the client's calls. Returns a function that lets it run again. */
  hold(): () => void;
}

/**
 * The calls that an upstream has not answered. MCP does not say which of them a question or a log line belongs to, but of
 * those that are about a task. So the others go to a client only while no other client has calls pending: no client sees
 * what another one's call is about.
 */
export class PendingCalls {
  readonly #clients = new Map<string, WaitingClient>();

  /** Returns a function that says that the call has ended. */
  begin(call: PendingCall): () => void {
    const { id } = call.context.session;
    const client = this.#clients.get(id) ?? { calls: new Set(), over: new AbortController(), asked: 0 };
    this.#clients.set(id, client);
    client.calls.add(call);
    return () => {
      client.calls.delete(call);
      if (client.calls.size > 0) return;
      client.over.abort(new Error('the call has ended'));
      if (this.#clients.get(id) === client) this.#clients.delete(id);
    };
  }

  /**
   * The call that a question is about: the one of its task, else the newest of the one client that waits; null with none, or
   * with several clients.
   */
  asking(taskId?: string): AskingCall | null {
    for (const client of this.#clients.values())
      for (const call of client.calls)
        if (taskId !== undefined && call.taskId === taskId) return askingOf(client, call);
    const [client, ...others] = this.#clients.values();
    const call = [...(client?.calls ?? [])].at(-1);
    return client === undefined || call === undefined || others.length > 0 ? null : askingOf(client, call);
  }
}

const askingOf = (client: WaitingClient, call: PendingCall): AskingCall => ({
  context: call.context,
  signal: client.over.signal,
  admit: () => (client.asked += 1) <= ASKED_MAX,
  hold: () => {
    const releases = [...client.calls].map(({ countdown }) => countdown.hold());
    return () => releases.forEach((release) => release());
  },
});
