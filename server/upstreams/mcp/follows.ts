import type { Link } from './link.ts';
import { ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { abortable, waitAtMost } from '../../../shared/base/async.ts';
import { WorkOrder } from '../../../shared/base/work-order.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { Step } from './news.ts';
import type { UpstreamCall } from './questions.ts';

/** Interval between forwarded updates of one resource. */
const PAUSE_MS = 500;
/** If more resources change at once, a client could not read them all. */
const CHANGED_MAX = 1_000;
const TIMEOUT_MS = 30_000;

type Follower = (uri: string) => void;

/**
 * Who follows an upstream's resources. The upstream is asked once per resource for all followers, and again
 * after it restarts.
 */
export class ResourceFollows {
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #turns = new WorkOrder<string>();
  /** Resources that have just changed. */
  readonly #pauses = new Map<string, { timer: NodeJS.Timeout; hasMore: boolean }>();
  #held = new Set<string>();
  #link: Link | null = null;

  /**
   * Calls back with each change of the resource, or of one below it, until the returned function is called.
   * @throws the request's error
   */
  async follow(uri: string, listener: Follower): Promise<() => void> {
    // A separate function, so that a listener may follow twice.
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

  /** The upstream is back: followers may have missed a change. */
  connected(link: Link, onRefused: (thrown: unknown) => void): void {
    this.#link = link;
    this.#held = new Set();
    for (const uri of this.#followers.keys()) this.#settle(uri).then(() => this.noteUpdated(uri), onRefused);
  }

  /** The upstream reports that a resource has changed. */
  noteUpdated(uri: string): void {
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
      if (hasMore) this.noteUpdated(uri);
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

  /** Requests the current state of a resource's following, after earlier requests about it. */
  #settle(uri: string): Promise<void> {
    return this.#turns.run(uri, () => this.#ask(uri));
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

const TTL_MS = 24 * 60 * 60_000;
const POLL_MS = 1_000;
const POLL_MIN_MS = 50;
const CANCEL_MS = 5_000;
/** Ends each task. */
const TERMINAL = ['completed', 'failed', 'cancelled'];

const Task = z.looseObject({
  taskId: z.string().min(1).max(1_000),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional().catch(undefined),
  lastUpdatedAt: z.string().optional().catch(undefined),
  pollInterval: z.number().optional().catch(undefined),
});
type Task = z.infer<typeof Task>;
const Created = z.object({ task: Task });

interface TaskCall {
  readonly call: UpstreamCall;
  /** Ends the wait, and the task at the upstream. */
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  readonly onProgress: (step: Step) => void;
  /** Called with each new status message. */
  readonly onMessage: (message: string | undefined) => void;
}

/**
 * Calls a tool as a task (MCP 2025-11-25) and follows the task to its end. Returns what a plain call would
 * have returned.
 * @param params of `tools/call`
 * @throws ProtocolError, the connection's error, the signal's reason
 */
export async function callAsTask(link: Link, params: JsonObject, how: TaskCall): Promise<object> {
  const { call, signal, silenceMs } = how;
  const progress = link.news.ofProgress(how.onProgress);
  try {
    const sent = { ...params, task: { ttl: TTL_MS }, _meta: { progressToken: progress.token } };
    // Cancelling the request that creates a task does not cancel the task.
    const making = link.request('tools/call', sent, { signals: [], timeoutMs: silenceMs });
    const answer = await abortable(making, signal).catch((thrown: unknown) => {
      making.then((late) => cancel(link, Created.safeParse(late).data?.task)).catch(() => undefined);
      throw thrown;
    });
    const { task } = Created.safeParse(answer).data ?? {};
    // It has answered at once.
    if (task === undefined) return answer;
    // Messages that name the task belong to this call.
    call.taskId = task.taskId;
    return await follow(link, task, how);
  } finally {
    progress.stop();
  }
}

async function follow(link: Link, created: Task, how: TaskCall): Promise<object> {
  const { signal, silenceMs, onMessage } = how;
  const { countdown } = how.call;
  const { taskId } = created;
  const resultOf = (): Promise<object> => link.request('tasks/result', { taskId }, { signals: [signal] });
  const news = link.news.ofTask(taskId);
  let more = news.next();
  let task = created;
  let result: Promise<object> | null = null;
  let hasResult = false;
  countdown.restart();
  onMessage(created.statusMessage);
  try {
    while (!hasResult && !TERMINAL.includes(task.status)) {
      const before = task;
      task = Task.parse(await link.request('tasks/get', { taskId }, { signals: [signal] }));
      if (isNews(before, task)) countdown.restart();
      else countdown.extend();
      if (task.statusMessage !== before.statusMessage) onMessage(task.statusMessage);
      if (TERMINAL.includes(task.status)) break;
      // The upstream's questions arrive with the answer to this request, which waits for the end of the task.
      if (task.status === 'input_required' && result === null) {
        result = resultOf();
        const settled = (): void => void (hasResult = true);
        result.then(settled, settled);
      }
      const pauseMs = Math.min(Math.max(task.pollInterval ?? POLL_MS, POLL_MIN_MS), silenceMs / 2);
      await waitAtMost(Promise.race([more, ...(result === null ? [] : [result])]), pauseMs, signal);
      more = news.next();
    }
    return await (result ?? resultOf()).catch((thrown: unknown) => {
      throw reasonOf(thrown, task);
    });
  } catch (thrown) {
    if (signal.aborted) cancel(link, task);
    throw thrown;
  } finally {
    news.stop();
  }
}

/** A failed task need not have a result: then its status message is the reason. */
const reasonOf = (thrown: unknown, { status, statusMessage = `its task is ${status}` }: Task): unknown =>
  thrown instanceof ProtocolError && ['failed', 'cancelled'].includes(status)
    ? new ProtocolError(thrown.code, statusMessage, thrown.data)
    : thrown;

const isNews = (before: Task, { status, statusMessage, lastUpdatedAt }: Task): boolean =>
  status !== before.status ||
  statusMessage !== before.statusMessage ||
  lastUpdatedAt !== before.lastUpdatedAt;

/** Requests the end of a task that nothing waits for. Never waits. */
function cancel(link: Link, task: Task | undefined): void {
  if (task === undefined || TERMINAL.includes(task.status)) return;
  const { taskId } = task;
  link.request('tasks/cancel', { taskId }, { signals: [], timeoutMs: CANCEL_MS }).catch(() => undefined);
}
