import PQueue from 'p-queue';
import { ERRORS, SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { defined, type JsonObject } from '../../shared/base/json.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { Progress } from '../core/context.ts';
import type { LiveFeed } from '../activity/feed.ts';
import type { Outcome } from '../core/result.ts';
import type { Sealer } from '../core/output/serialise.ts';
import type { RunWorker, RunProgress, Runs } from '../core/runs.ts';
import type { Journal } from '../core/services.ts';
import { pause } from '../core/slices.ts';
import { defer, onAbort, waitAtMost } from '../../shared/base/async.ts';
import type { Expiry } from '../core/machine/expiry.ts';
import { ActiveRun, type ActiveRunServices, type RunBy, type Stop } from './active-run.ts';
import { NO_END, readLines } from './view.ts';
import { isParked, lengthenLifetime, type RunLife } from './records.ts';
import type { StoredRun } from './run-store.ts';
import { cancellation } from '../core/calls/call.ts';

export interface RunExecutorOptions extends Omit<ActiveRunServices, 'record'> {
  readonly journal: Pick<Journal, 'record'>;
  readonly expiry: Expiry;
  /** The worker of a tool, loaded with its first run; undefined for a tool that makes no runs. */
  readonly worker: (tool: string) => Promise<RunWorker> | undefined;
  readonly sealer: Sealer;
  /** Notified of every step of a run. */
  readonly feed: Pick<LiveFeed, 'run'>;
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

export interface Task extends RunBy {
  readonly tool: string;
  /** Loads them when the turn of the run comes, so that those that wait hold none. @throws SpillwayError `run_not_resumable` */
  readonly args: () => JsonObject;
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

/** Works on runs: at most `LIMITS.runsAtOnce`; the others wait in order of arrival. */
export class RunExecutor {
  readonly #queue = new PQueue({ concurrency: LIMITS.runsAtOnce });
  readonly #calling = new PQueue({ concurrency: CALLING_AT_ONCE });
  readonly jobs = new Map<string, Job>();
  readonly #sealing = new Map<string, Promise<string | null>>();
  #isClosing = false;
  #hasLeft = false;

  constructor(private readonly options: RunExecutorOptions) {}

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
    const stop = task.stop ?? (this.#isClosing ? shutdown : undefined);
    if (stop !== undefined) work.stop(stop);
    const stopped = this.#run(work, task);
    const ended = this.#sealRun(work, stopped);
    for (const promise of [stopped, ended]) promise.catch(() => undefined);
    const job = { work, stopped, ended, shutdown };
    this.jobs.set(runId, job);
    return job;
  }

  /** Works on a run when its turn comes, unless it is stopped before. */
  async #run(work: ActiveRun, task: Task): Promise<Ending> {
    const queue = work.run.facts().calls_tools ? this.#calling : this.#queue;
    const turn = defer<Ending>();
    const perform = async (): Promise<void> => {
      const ending = this.#perform(work, task);
      turn.resolve(ending);
      await ending;
    };
    queue.add(perform, { signal: work.signal }).catch(() => {
      // The queue gives up an aborted task at once; one that has begun comes to its own end.
      if (work.stopped !== undefined) turn.resolve(endingOf(work.stopped));
    });
    const ending = await turn.promise;
    // A run whose end was not written counts as interrupted: its owner has stopped.
    if (this.#hasLeft && work.status === 'queued' && work.stopped !== undefined) throw work.stopped.reason;
    return this.#end(work, task.tool, ending);
  }

  /** Seals a run once its end is on disk, and forgets it. */
  async #sealRun(work: ActiveRun, stopped: Promise<Ending>): Promise<Ending> {
    try {
      const ending = await stopped;
      if (ending.status !== 'interrupted') await this.seal(work.run);
      return ending;
    } catch (thrown) {
      // The store says that it is active, but no server works on it.
      work.status = 'interrupted';
      throw thrown;
    } finally {
      work.flushLog();
      this.jobs.delete(work.run.runId);
    }
  }

  async #perform(work: ActiveRun, task: Task): Promise<Ending> {
    const { tool } = task;
    const { runId } = work.run;
    work.status = 'running';
    const stopListening = work.progressed.add((progress) =>
      this.options.feed.run({ runId, tool, progress, items: work.tally.items }),
    );
    try {
      writeLife(work.run, (life) => ({ ...life, status: 'running' }));
      const worker = await this.options.worker(tool);
      if (worker === undefined)
        throw new SpillwayError('api_not_found', `The tool ${tool} does not create runs.`);
      // Large arguments were written in this turn; reading them takes another.
      await pause();
      const outcome = await work.work(worker, { ...task, args: task.args() });
      if (work.stopped !== undefined) return endingOf(work.stopped, outcome);
      const { failure: error } = outcome;
      return error === undefined
        ? { status: 'completed', outcome, error: null }
        : { status: 'failed', outcome, error };
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      const outcome = { ...NOTHING, state: error.state ?? {} };
      if (work.stopped !== undefined) return endingOf(work.stopped, outcome);
      // A run that waits for a person or a date is resumed; it has not failed.
      return { status: error.code === 'workflow_waits' ? 'interrupted' : 'failed', outcome, error };
    } finally {
      stopListening();
    }
  }

  /** Writes the last progress and how the run ended. */
  async #end(work: ActiveRun, tool: string, ending: Ending): Promise<Ending> {
    const { clock, expiry, journal, logger } = this.options;
    const { run, tally } = work;
    const { status, outcome, error } = ending;
    const kept = error && errorToKeep(error, work);
    const { single, source } = outcome;
    const cleaned = {
      state: work.keep(outcome.state),
      coverage: outcome.coverage.map((note) => work.keep(note)),
      ...defined({ single, source: typeof source === 'string' ? work.keep(source) : source }),
    };
    if (error?.code === 'internal_error')
      logger.error({ run_id: run.runId, stack: error.stack ?? error.message }, 'a run failed');
    try {
      run.write(() => {
        run.putTally(tally);
        const life = run.life();
        run.putLife({
          ...life,
          status,
          error: status === 'interrupted' && !isParked({ error: kept }) && isParked(life) ? life.error : kept,
          outcome: cleaned,
          owner: null,
          ended_at_ms: status === 'interrupted' ? null : clock.now(),
          output_handle: null,
          lifetime: lengthenLifetime(expiry.begin(), kept),
        });
      });
    } catch (thrown) {
      logger.error({ run_id: run.runId, err: thrown }, 'the end of a run was not written');
      // The caller that asked for this end must learn that it is not on disk.
      const { code, message, hint } = toSpillwayError(thrown);
      throw new SpillwayError(code, message, { hint, cause: error ?? thrown });
    }
    work.status = status;
    const { items, progress } = tally;
    const shown = kept === null ? {} : { error: { code: kept.code, message: kept.message } };
    const facts = { status, items, ...progress, ...shown };
    const notes = cleaned.coverage.length === 0 ? {} : { notes: cleaned.coverage };
    work.note('run_ended', { ...facts, ...notes });
    journal.record({ event: EVENTS[status], tool, run_id: run.runId, ...facts });
    return ending;
  }

  /**
   * The handle of an ended run whose items are stored, once for all who ask. Null if the store refuses them:
   * the run stays readable, and the next request for its handle tries again.
   */
  seal(run: StoredRun): Promise<string | null> {
    const { runId } = run;
    const sealing = this.#sealing.get(runId) ?? this.#store(run).finally(() => this.#sealing.delete(runId));
    this.#sealing.set(runId, sealing);
    return sealing;
  }

  async #store(run: StoredRun): Promise<string | null> {
    const { runId } = run;
    const { tool, source } = run.facts();
    try {
      const items = readLines(run, run.tally().items);
      const { output_handle: handle } = await this.options.sealer.seal(
        { tool, untrustedFrom: source },
        items,
      );
      writeLife(run, (life) => ({ ...life, output_handle: handle }));
      return handle;
    } catch (thrown) {
      const { code, message } = toSpillwayError(thrown);
      this.jobs.get(runId)?.work.note('run_not_sealed', { code, message });
      this.options.logger.warn({ run_id: runId, code, message }, 'a run was not sealed');
      return null;
    }
  }

  /**
   * Stops everything; active runs can be resumed. If the disk hangs, the runs are released later.
   * @param onLeft called once, when it no longer writes to a run
   */
  async close(onLeft: () => void): Promise<void> {
    this.#isClosing = true;
    for (const { work, shutdown } of this.jobs.values()) work.stop(shutdown);
    const ended = this.#allEnded();
    await waitAtMost(ended, CLOSE_MS);
    this.#hasLeft = true;
    await waitAtMost(ended.then(onLeft), LEAVE_MS);
  }

  async #allEnded(): Promise<void> {
    while (this.jobs.size > 0) await Promise.allSettled([...this.jobs.values()].map(({ ended }) => ended));
    await Promise.allSettled(this.#sealing.values());
  }
}

const endingOf = ({ status, reason }: Stop, outcome = NOTHING): Ending => ({
  status,
  outcome,
  error: reason,
});

const EVENTS = {
  completed: 'run_ended',
  failed: 'run_ended',
  cancelled: 'run_cancelled',
  interrupted: 'run_interrupted',
} as const;

const shutdownStop = (run: StoredRun): Stop => ({
  status: 'interrupted',
  reason: new SpillwayError('cancelled', 'The server stopped during the run.', {
    hint: run.facts().is_redacted
      ? 'Its arguments contain a secret that is not stored; start a new run.'
      : 'Call run_resume to continue it.',
  }),
});

function errorToKeep(
  { code, message, hint, retryable, body, quotes }: SpillwayError,
  work: ActiveRun,
): RunLife['error'] {
  return {
    code,
    message: work.keep(message),
    ...(hint === ERRORS[code].hint ? {} : { hint: work.keep(hint) }),
    ...(retryable === ERRORS[code].retryable ? {} : { retryable }),
    // A program bounds what it waits for, and each question has its limits.
    ...(body === undefined ? {} : { body: code === 'workflow_waits' ? work.redact(body) : work.keep(body) }),
    ...(quotes === undefined ? {} : { quotes: work.keep(quotes) }),
  };
}

export function writeLife(run: StoredRun, change: (life: RunLife) => RunLife): void {
  run.write(() => run.putLife(change(run.life())));
}

/** A life that begins, for a new or resumed run. */
export const newRunLife = (expiry: Expiry): Omit<RunLife, 'owner'> => ({
  status: 'queued',
  ...NO_END,
  lifetime: expiry.begin(),
});

/** Notifications are at least this far apart. */
const NOTIFY_MS = 500;

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

/**
 * How the work on a run ended; null if it takes longer. Rejects if the end could not be written. Cancelling the
 * call stops the work in the same turn, before a server that leaves with its client interrupts the run.
 */
export async function waitForJob(
  { work, ended, stopped }: Job,
  { timeoutMs, signal, progress }: Parameters<Runs['wait']>[1],
): Promise<Ending | null> {
  const notify = progressNotifier(progress);
  const stopListening = work.progressed.add(notify);
  // A step that began before anyone listened.
  if (work.progress().message !== undefined) notify(work.progress());
  const stop = (): void => work.stop({ status: 'cancelled', reason: cancellation(signal.reason) });
  const stopWaiting = onAbort(signal, stop);
  try {
    return (await waitAtMost(ended, timeoutMs, signal)) ?? null;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    await stopped;
    throw cancellation(signal.reason);
  } finally {
    stopWaiting();
    stopListening();
  }
}
