import type { CallScope } from '../../shared/policy/call-facts.ts';
import PQueue from 'p-queue';
import { ERRORS, SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { ClientSession, Progress } from '../core/context.ts';
import type { Feed } from '../core/feed.ts';
import type { Outcome } from '../core/result.ts';
import type { RunWorker, Sealer, RunProgress, Runs } from '../core/runs.ts';
import type { Clock, Journal, Logger, Redactor } from '../core/services.ts';
import { waitAtMost, onAbort } from '../../shared/async.ts';
import type { Expiry } from '../machine/expiry.ts';
import { ActiveRun, type Stop, type GroupWriter } from './active-run.ts';
import { readLines } from './view.ts';
import { isParked, keptLonger, type RunFacts, type RunLife } from './records.ts';
import type { RunStore, StoredRun } from './run-store.ts';
import { cancellation } from '../core/calls/call.ts';

export interface RunExecutorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Pick<Journal, 'record'>;
  readonly redactor: Redactor;
  readonly expiry: Expiry;
  /** The worker of a tool, loaded with its first run; undefined for a tool that makes no runs. */
  readonly worker: (tool: string) => Promise<RunWorker> | undefined;
  readonly sealer: Sealer;
  readonly store: RunStore;
  /** Notified of every step of a run. */
  readonly feed: Pick<Feed, 'run'>;
  /** Called once, when it is closed and no longer writes to a run. */
  readonly onLeft: () => void;
}

/** A run in progress. */
export interface Job {
  readonly work: ActiveRun;
  /** Resolves when its end is on disk; rejects if the disk refused it. */
  readonly stopped: Promise<Ending>;
  /** The same, once its items are sealed or could not be. */
  readonly ended: Promise<Ending>;
  readonly shutdown: Stop;
}

export interface Task {
  readonly tool: string;
  readonly args: JsonObject;
  readonly call: CallScope | null;
  readonly session: ClientSession | null;
}

/** A run and its writer. */
interface Held {
  readonly run: StoredRun;
  readonly writer: GroupWriter;
}

/** How the work on a run ended: with a reason, unless it completed. */
export type Ending = { readonly outcome: Outcome } & (
  | { readonly status: 'completed'; readonly error: null }
  | { readonly status: 'failed' | Stop['status']; readonly error: SpillwayError }
);

const NOTHING: Outcome = { state: {}, coverage: [] };
/** The worker's own limit is shorter. */
const CLOSE_MS = 1_000;
/** Additional time, to finish writes that have begun. */
const LEAVE_MS = 500;
/**
 * Runs that call tools have a separate limit: two that each wait for a crawl would otherwise block the
 * crawls. They mostly wait.
 */
const CALLING_AT_ONCE = 16;
const ELSEWHERE_AT_ONCE = 100;

/** Works on runs: at most `LIMITS.runsAtOnce`; the others wait in order of arrival. */
export class RunExecutor {
  readonly #queue = new PQueue({ concurrency: LIMITS.runsAtOnce });
  readonly #calling = new PQueue({ concurrency: CALLING_AT_ONCE });
  readonly #elsewhere = new PQueue({ concurrency: ELSEWHERE_AT_ONCE });
  readonly #jobs = new Map<string, Job>();
  #isClosing = false;
  #hasLeft = false;

  constructor(private readonly options: RunExecutorOptions) {}

  get(runId: string): Job | undefined {
    return this.#jobs.get(runId);
  }

  /** Starts or queues a run that this server owns, or only ends it. */
  start(run: StoredRun, task: Task & { readonly stop?: Stop }): Job {
    const { runId } = run;
    const { tool } = task;
    const { journal } = this.options;
    const work = new ActiveRun(run, {
      ...this.options,
      record: (event, facts) => journal.record({ ...facts, event, tool }),
    });
    const shutdown = shutdownStop(run);
    const stopped = new Promise<Ending>((resolve, reject) => {
      work.onStopWhileQueued((stop) => void this.#leaveQueue(work, tool, stop).then(resolve, reject));
      const stop = task.stop ?? (this.#isClosing ? shutdown : undefined);
      if (stop !== undefined) work.stop(stop);
      const { calls_tools: callsTools, is_elsewhere: isElsewhere } = run.facts();
      const here = callsTools ? this.#calling : this.#queue;
      const queue = isElsewhere ? this.#elsewhere : here;
      void queue.add(async () => {
        if (work.stopped === undefined) await this.#takeTurn(work, task).then(resolve, reject);
      });
    });
    const sealed = stopped.then(
      (ending) => this.#seal(work, ending),
      (thrown: unknown) => {
        // The store says that it is active, but no server works on it.
        work.status = 'interrupted';
        throw thrown;
      },
    );
    const ended = this.#forget(work, sealed);
    for (const promise of [stopped, ended]) promise.catch(() => undefined);
    const job = { work, stopped, ended, shutdown };
    this.#jobs.set(runId, job);
    return job;
  }

  /** Forgets a run once its end is sealed and its log is written. */
  async #forget<T>(work: ActiveRun, sealed: Promise<T>): Promise<T> {
    try {
      return await sealed;
    } finally {
      await work.log.flush();
      this.#jobs.delete(work.runId);
    }
  }

  /** Ends a run whose turn has not come. */
  async #leaveQueue(work: ActiveRun, tool: string, { status, reason }: Stop): Promise<Ending> {
    // A run whose end was not written counts as interrupted: its owner has stopped.
    if (this.#hasLeft) throw reason;
    const ending = { status, outcome: NOTHING, error: reason };
    return this.#end(work, this.#hold(work), { tool, ending });
  }

  async #takeTurn(work: ActiveRun, task: Task): Promise<Ending> {
    work.status = 'running';
    const { runId } = work;
    const { tool } = task;
    const held = this.#hold(work);
    const stopListening = work.onProgress((progress) =>
      this.options.feed.run({ runId, tool, progress, items: held.writer.tally.items }),
    );
    const ending = await this.#perform(work, held, task).finally(stopListening);
    return this.#end(work, held, { tool, ending });
  }

  #hold(work: ActiveRun): Held {
    const run = this.options.store.open(work.runId);
    return { run, writer: work.writerOf(run) };
  }

  async #perform(work: ActiveRun, held: Held, task: Task): Promise<Ending> {
    const { tool } = task;
    try {
      writeLife(held.run, (life) => ({ ...life, status: 'running' }));
      const worker = await this.options.worker(tool);
      if (worker === undefined)
        throw new SpillwayError('api_not_found', `The tool ${tool} does not create runs.`);
      const outcome = await work.work(held, worker, task);
      const { stopped } = work;
      if (stopped !== undefined) return { status: stopped.status, outcome, error: stopped.reason };
      return { status: 'completed', outcome, error: null };
    } catch (thrown) {
      const { stopped } = work;
      const error = toSpillwayError(thrown);
      const outcome = { ...NOTHING, state: error.state ?? {} };
      if (stopped !== undefined) return { status: stopped.status, outcome, error: stopped.reason };
      // A run that waits for a person or a date is resumed; it has not failed.
      return { status: error.code === 'workflow_waits' ? 'interrupted' : 'failed', outcome, error };
    }
  }

  /** Writes the last progress and how the run ended. */
  async #end(
    work: ActiveRun,
    { run, writer }: Held,
    { tool, ending }: { readonly tool: string; readonly ending: Ending },
  ): Promise<Ending> {
    const { clock, expiry, journal, logger } = this.options;
    const { status, outcome, error } = ending;
    const kept = error && keptError(error, work);
    const shown = kept && { code: kept.code, message: kept.message };
    const { single, source } = outcome;
    const cleaned = {
      ...work.redact({ state: outcome.state, coverage: [...outcome.coverage] }),
      ...(single === undefined ? {} : { single }),
      ...(source === undefined ? {} : { source: source === null ? null : work.redact(source) }),
    };
    if (error?.code === 'internal_error')
      logger.error({ run_id: work.runId, stack: error.stack ?? error.message }, 'a run failed');
    try {
      await writer.idle();
      run.write(() => {
        run.putTally(writer.tally);
        const life = run.life();
        run.putLife({
          ...life,
          status,
          error: status === 'interrupted' && !isParked({ error: kept }) && isParked(life) ? life.error : kept,
          outcome: cleaned,
          owner: null,
          ended_at_ms: status === 'interrupted' ? null : clock.now(),
          output_handle: null,
          lifetime: keptLonger(expiry.begin(), kept),
        });
      });
    } catch (thrown) {
      logger.error({ run_id: work.runId, err: thrown }, 'the end of a run was not written');
      // The caller that asked for this end must learn that it is not on disk.
      const { code, message, hint } = toSpillwayError(thrown);
      throw new SpillwayError(code, message, { hint, cause: error ?? thrown });
    }
    work.status = status;
    const { items, progress } = writer.tally;
    const facts = { status, items, ...progress, ...(shown === null ? {} : { error: shown }) };
    const notes = cleaned.coverage.length === 0 ? {} : { notes: cleaned.coverage };
    work.note('run_ended', { ...facts, ...notes });
    journal.record({ event: EVENTS[status], tool, run_id: work.runId, ...facts });
    return ending;
  }

  async #seal(work: ActiveRun, ending: Ending): Promise<Ending> {
    if (ending.status === 'interrupted') return ending;
    await this.#sealById(work.runId).catch((thrown: unknown) => {
      // The run stays readable; a request for its handle fails with the same error, or succeeds then.
      const { code, message } = toSpillwayError(thrown);
      work.note('run_not_sealed', { code, message });
      this.options.logger.warn({ run_id: work.runId, code, message }, 'a run was not sealed');
    });
    return ending;
  }

  async #sealById(runId: string): Promise<void> {
    await this.seal(this.options.store.open(runId));
  }

  /** Stores the items of an ended run and keeps the handle. @throws `store_full`, `store_write_failed` */
  async seal(run: StoredRun): Promise<string> {
    const { tool, source } = run.facts();
    const items = readLines(run, run.tally().items);
    const { output_handle: handle } = await this.options.sealer.seal({ tool, untrustedFrom: source }, items);
    writeLife(run, (life) => ({ ...life, output_handle: handle }));
    return handle;
  }

  /** Stops everything; active runs can be resumed. If the disk hangs, the runs are released later. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { work, shutdown } of this.#jobs.values()) work.stop(shutdown);
    const ended = this.#allEnded();
    await waitAtMost(ended, CLOSE_MS);
    this.#hasLeft = true;
    await waitAtMost(ended.then(this.options.onLeft), LEAVE_MS);
  }

  async #allEnded(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.allSettled([...this.#jobs.values()].map(({ ended }) => ended));
  }
}

const EVENTS = {
  completed: 'run_ended',
  failed: 'run_ended',
  cancelled: 'run_cancelled',
  interrupted: 'run_interrupted',
} as const;

const shutdownStop = (run: StoredRun): Stop => ({
  status: 'interrupted',
  reason: new SpillwayError('cancelled', 'The server stopped during the run.', {
    hint: hintAfter(run.facts()),
  }),
});

function hintAfter({ is_redacted: isRedacted }: RunFacts): string {
  if (isRedacted) return 'Its arguments contain a secret that is not stored; start a new run.';
  return 'Call run_resume to continue it.';
}

function keptError(
  { code, message, hint, retryable, body }: SpillwayError,
  work: ActiveRun,
): RunLife['error'] {
  return {
    code,
    message: work.redact(message),
    ...(hint === ERRORS[code].hint ? {} : { hint: work.redact(hint) }),
    ...(retryable === ERRORS[code].retryable ? {} : { retryable }),
    ...(body === undefined ? {} : { body: work.redact(body) }),
  };
}

function writeLife(run: StoredRun, change: (life: RunLife) => RunLife): void {
  run.write(() => run.putLife(change(run.life())));
}

/** A life that begins, for a new or resumed run. */
export function newRunLife(expiry: Expiry): Omit<RunLife, 'owner'> {
  return {
    status: 'queued',
    ended_at_ms: null,
    error: null,
    outcome: null,
    output_handle: null,
    lifetime: expiry.begin(),
  };
}

/** Notifications are at least this far apart. */
const NOTIFY_MS = 500;

/**
 * Waits for a run's end. `ended` rejects if its end could not be written; `stop` is called in the same turn
 * as the abort, before a server that leaves with its client interrupts the run.
 */
async function waitFor(
  ended: Promise<unknown>,
  how: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly stop: (reason: unknown) => void },
): Promise<'ended' | 'timeout' | 'aborted'> {
  const { timeoutMs, signal, stop } = how;
  let finish: (how: 'aborted') => void = () => undefined;
  const aborted = new Promise<'aborted'>((resolve) => (finish = resolve));
  const stopListening = onAbort(signal, () => {
    stop(signal.reason);
    finish('aborted');
  });
  const first = Promise.race([ended.then(() => 'ended' as const), aborted]);
  return await waitAtMost(first, timeoutMs)
    .then((how) => how ?? 'timeout')
    .finally(stopListening);
}

/** Forwards a run's progress: only increases, and not every step, unless each has a message. */
function progressNotifier(notify: (progress: Progress) => void): (progress: RunProgress) => void {
  let lastDone = -1;
  let lastAt = -Infinity;
  return (progress) => {
    const now = performance.now();
    const { done, queued, failed, rate_per_second: rate, message } = progress;
    if (done <= lastDone || (message === undefined && now - lastAt < NOTIFY_MS)) return;
    lastDone = done;
    lastAt = now;
    notify({
      done,
      total: done + queued,
      message: message ?? `${done} done, ${queued} queued, ${failed} failed, ${rate} per second`,
    });
  };
}

/** How the work on a run ended; null if it takes longer. Cancelling the call stops it. */
export async function waitForJob(
  { work, ended, stopped }: Job,
  { timeoutMs, signal, progress }: Parameters<Runs['wait']>[1],
): Promise<Ending | null> {
  const notify = progressNotifier(progress);
  const stopListening = work.onProgress(notify);
  // A step that began before anyone listened.
  if (work.progress().message !== undefined) notify(work.progress());
  const stop = (reason: unknown): void => work.stop({ status: 'cancelled', reason: cancellation(reason) });
  const how = await waitFor(ended, { signal, timeoutMs, stop }).finally(stopListening);
  if (how === 'timeout') return null;
  if (how === 'ended') return ended;
  await stopped;
  throw cancellation(signal.reason);
}
