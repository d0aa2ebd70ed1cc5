import { randomUUID } from 'node:crypto';
import type { CallToolResult, InputRequest, ServerNotifier } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defer, onAbort, waitAtMost, withTimeout } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { buildCancelled, type ToolCall } from '../../core/calls/call.ts';
import type { PersonPage, SessionPicks } from '../../core/context.ts';
import { invalidParams, type McpServerOptions, RPC_CODE } from '../rpc.ts';
import { Subscriptions } from '../subscriptions.ts';
import { progressText } from '../tools.ts';
import type { SessionOfCall, Sessions } from './sessions.ts';

/** A question to the client. An answer that does not match its schema leaves it open. */
interface Question<Response> {
  readonly request: InputRequest;
  readonly response: z.ZodType<Response>;
  readonly timeoutMs: number;
}

interface Open {
  readonly request: InputRequest;
  take(given: unknown): boolean;
  fail(reason: unknown): void;
}

type Report = NonNullable<ToolCall['progress']>;

type Outcome = { readonly result: CallToolResult } | { readonly error: unknown };

/**
 * One call, over as many requests as it takes: in this era a server asks its client in an answer, and the
 * client repeats the call with its reply. The work itself is done once, and waits meanwhile.
 */
export class PausedExchange {
  /** Any client that knows it may answer, so it cannot be guessed, and is valid for one round. */
  state = '';
  readonly startedAt = new Date();
  changedAt = this.startedAt;
  message: string | undefined;
  /** Pages that have to be opened before the call is repeated. */
  required: readonly PersonPage[] = [];
  /** The progress for the request that waits; a task has none. */
  onProgress: Report | null = null;
  readonly #cancel = new AbortController();
  readonly signal = this.#cancel.signal;
  readonly #open = new Map<string, Open>();
  #asked = 0;
  outcome: Outcome | null = null;
  #news = defer<void>();

  get questions(): Record<string, InputRequest> {
    return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
  }

  /** Settles when the work has ended, however it ended. */
  async run(work: () => Promise<CallToolResult>): Promise<void> {
    try {
      this.outcome = { result: await work() };
    } catch (error) {
      this.outcome = { error };
    }
    this.#notifyChanged();
    this.#news.resolve();
  }

  readonly report: Report = (progress, output) => {
    this.message = progressText(progress);
    this.#notifyChanged();
    this.onProgress?.(progress, output);
  };

  /** @throws SpillwayError `human_input_expired`, `human_unreachable`; the reason of the signal */
  async ask<Response>(question: Question<Response>, signal: AbortSignal): Promise<Response> {
    const { request, response, timeoutMs } = question;
    if (this.outcome !== null) throw unreachable();
    const answer = defer<Response>();
    this.#asked += 1;
    const key = `q${this.#asked}`;
    const take = (given: unknown): boolean => {
      const parsed = response.safeParse(given);
      if (parsed.success) answer.resolve(parsed.data);
      return parsed.success;
    };
    this.#open.set(key, { request, take, fail: answer.reject });
    this.#notifyChanged();
    this.#news.resolve();
    const expired = (): Error => new SpillwayError('human_input_expired', 'Nobody answered in time.');
    return withTimeout(answer.promise, timeoutMs, expired, signal).finally(() => this.#close(key));
  }

  /** Takes the expected answers and ignores the rest. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, given] of Object.entries(responses))
      if (this.#open.get(key)?.take(given) === true) this.#close(key);
  }

  /** Ends the questions that no request will show again. */
  leave(): void {
    for (const { fail } of this.#open.values()) fail(unreachable());
    this.#open.clear();
  }

  /** Resolves when the work has ended, when the client is asked, or after a time. */
  async next(timeoutMs = Infinity): Promise<void> {
    await waitAtMost(this.#news.promise, timeoutMs);
  }

  cancel(reason: unknown): void {
    this.#cancel.abort(reason);
    this.#notifyChanged();
  }

  #close(key: string): void {
    if (!this.#open.delete(key)) return;
    this.#notifyChanged();
    if (this.#open.size === 0 && this.outcome === null) this.#news = defer();
  }

  #notifyChanged(): void {
    this.changedAt = new Date();
  }
}

const unreachable = (): SpillwayError =>
  new SpillwayError('human_unreachable', 'The call has been answered, so its client can show no more.');

/** A call whose work has begun. */
export interface Begun {
  readonly exchange: PausedExchange;
  readonly call: ToolCall;
  readonly ended: Promise<void>;
  readonly given: SessionOfCall;
}

/** Tasks that are kept; the oldest completed one makes room. */
const TASKS_MAX = 256;
/** How long a task is kept once it has ended. */
const KEPT_MS = 60 * 60_000;
/** How often a client may ask. */
const POLL_MS = 1_000;

interface Task {
  readonly exchange: PausedExchange;
  isCancelled: boolean;
  endedAt: Date | null;
}

/**
 * Calls that were answered with a task (`io.modelcontextprotocol/tasks`). Any client that knows a task's id
 * may ask for it.
 */
class Tasks {
  readonly #tasks = new Map<string, Task>();

  /** Makes a task of a call, and answers with it. Null if too many are active. */
  keep(exchange: PausedExchange, ended: Promise<void>): object | null {
    if (!this.#makeRoom()) return null;
    const taskId = randomUUID();
    const task: Task = { exchange, isCancelled: false, endedAt: null };
    this.#tasks.set(taskId, task);
    exchange.onProgress = null;
    void ended.then(() => {
      task.endedAt = new Date();
      exchange.leave();
      setTimeout(() => this.#tasks.delete(taskId), KEPT_MS).unref();
    });
    return { resultType: 'task', ...formatTask(taskId, task), status: 'working' };
  }

  /** @throws RpcError `-32602` for a task that is not kept */
  get(taskId: string): object {
    const task = this.#find(taskId);
    const { exchange } = task;
    const { outcome, questions } = exchange;
    const about = formatTask(taskId, task);
    if (task.isCancelled) return { ...about, status: 'cancelled' };
    if (outcome !== null)
      return 'result' in outcome
        ? { ...about, status: 'completed', result: outcome.result }
        : { ...about, status: 'failed', error: toError(outcome.error) };
    if (Object.keys(questions).length > 0)
      return { ...about, status: 'input_required', inputRequests: questions };
    return { ...about, status: 'working' };
  }

  /** @throws RpcError `-32602` for a task that is not kept */
  update(taskId: string, responses: Readonly<Record<string, unknown>>): object {
    this.#find(taskId).exchange.answer(responses);
    return {};
  }

  /** @throws RpcError `-32602` for a task that is not kept */
  cancel(taskId: string): object {
    const task = this.#find(taskId);
    if (task.exchange.outcome !== null) return {};
    task.isCancelled = true;
    task.exchange.cancel(buildCancelled('tasks/cancel'));
    return {};
  }

  #find(taskId: string): Task {
    const task = this.#tasks.get(taskId);
    if (task !== undefined) return task;
    throw invalidParams(`Task not found: ${JSON.stringify(taskId.slice(0, 64))} is unknown or has expired.`);
  }

  #makeRoom(): boolean {
    if (this.#tasks.size < TASKS_MAX) return true;
    const oldest = [...this.#tasks].find(([, { endedAt }]) => endedAt !== null);
    return oldest !== undefined && this.#tasks.delete(oldest[0]);
  }
}

/** An active task lives until its work ends, then for an hour. */
function formatTask(taskId: string, { exchange, endedAt }: Task): object {
  const { startedAt, changedAt, message } = exchange;
  return {
    taskId,
    createdAt: startedAt.toISOString(),
    lastUpdatedAt: changedAt.toISOString(),
    ttlMs: endedAt === null ? null : endedAt.getTime() - startedAt.getTime() + KEPT_MS,
    pollIntervalMs: POLL_MS,
    ...(message === undefined ? {} : { statusMessage: message }),
  };
}

const toError = (error: unknown): object => ({
  code: RPC_CODE.internalError,
  message: error instanceof Error ? error.message : 'The call failed without an answer.',
});

export class Era {
  readonly tasks = new Tasks();
  /** Calls that have asked their clients something, by the state to send with the answer. */
  readonly asked = new Map<string, Begun>();

  constructor(
    readonly options: McpServerOptions,
    readonly sessions: Sessions,
  ) {}
}

const Listen = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string().max(4_096)) }) }),
});

/**
 * Follows the resources of `subscriptions/listen` and reports changes. The SDK sends them to the clients that
 * asked.
 */
export class Changes {
  readonly #uris = new Map<unknown, readonly string[]>();
  readonly #subscriptions: Subscriptions | null;

  /** @param picks of the connection's session; null over HTTP */
  constructor(
    { executor, resources }: McpServerOptions,
    notify: ServerNotifier,
    { signal, picks }: { readonly signal: AbortSignal; readonly picks: SessionPicks | null },
  ) {
    const stops = [
      executor.registry.onChange(() => notify.toolsChanged()),
      resources?.upstreams?.onChange((kind) =>
        kind === 'prompts' ? notify.promptsChanged() : notify.resourcesChanged(),
      ),
    ];
    onAbort(signal, () => stops.forEach((stop) => stop?.()));
    const onUpdate = (uri: string): void => notify.resourceUpdated(uri);
    this.#subscriptions =
      resources === undefined ? null : new Subscriptions({ resources, picks, signal, onUpdate });
  }

  /** Follows the resources in a message, if any, until {@link Changes.leave} with the same key. */
  listen(key: unknown, message: unknown): void {
    const uris = Listen.safeParse(message).data?.params.notifications.resourceSubscriptions;
    if (uris === undefined || this.#subscriptions === null) return;
    this.#uris.set(key, uris);
    // A resource that cannot be followed never reports an update.
    for (const uri of uris) this.#subscriptions.subscribe(uri).catch(() => undefined);
  }

  leave(key: unknown): void {
    const left = this.#uris.get(key) ?? [];
    this.#uris.delete(key);
    const followed = new Set([...this.#uris.values()].flat());
    for (const uri of left) if (!followed.has(uri)) this.#subscriptions?.unsubscribe(uri);
  }
}
