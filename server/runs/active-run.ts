import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { Listeners } from '../core/listeners.ts';
import type { Outcome } from '../core/result.ts';
import type { RunProgress, RunScope, RunState, RunStatus, RunWorker } from '../core/runs.ts';
import type { Clock, Logger, Redactor } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';
import { CANCEL_GRACE } from '../core/calls/call.ts';
import { abortable } from '../../shared/async/wait.ts';
import { GroupWriter, type Step } from './group-writer.ts';
import { redactItems } from './redaction.ts';
import { RunLog } from './run-log.ts';
import type { StoredRun } from './run-store.ts';

const WINDOW_MS = 30_000;
/** Samples are no closer than this, so that a fast run keeps few. */
const STEP_MS = 500;

/** Counts what was done in the last half minute. Time is monotonic, in milliseconds. */
class Rate {
  readonly #samples: { readonly at: number; readonly done: number }[] = [];

  add(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < STEP_MS) return;
    this.#samples.push({ at, done });
    // The newest sample that is older than the window is where the window begins.
    while ((this.#samples[1]?.at ?? at) < at - WINDOW_MS) this.#samples.shift();
  }

  /** Per second, with one decimal. */
  perSecond(at: number, done: number): number {
    const first = this.#samples[0];
    if (first === undefined || at <= first.at) return 0;
    return Math.round(((done - first.done) * 10_000) / (at - first.at)) / 10;
  }
}

export interface Stop {
  /** A server that stops interrupts its runs; any other end cancels them. */
  readonly status: 'cancelled' | 'interrupted';
  readonly reason: SpillwayError;
}

type RunBy = Pick<RunScope, 'call' | 'session'>;

export interface ActiveRunServices {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  /** Writes a line of the journal. */
  readonly record: (event: string, facts: JsonObject) => void;
}

/**
 * A run while this server works on it, or lets it wait: its scope, its progress, and a way to stop it.
 */
export class ActiveRun {
  readonly runId: string;
  readonly log: RunLog;
  status: RunStatus = 'queued';
  readonly #services: ActiveRunServices;
  readonly #controller = new AbortController();
  readonly #rate = new Rate();
  readonly #listeners = new Listeners<RunProgress>();
  #counts: Omit<RunProgress, 'rate_per_second'>;
  #onStopWhileQueued: (stop: Stop) => void = () => undefined;
  #stop: Stop | undefined;
  #isClosed = false;
  #redacting: Promise<unknown> = Promise.resolve();

  constructor(run: StoredRun, services: ActiveRunServices) {
    this.runId = run.runId;
    this.#services = services;
    this.#counts = run.tally().progress;
    this.#rate.add(services.clock.monotonic(), this.#counts.done);
    this.log = new RunLog(run, services);
  }

  get stopped(): Stop | undefined {
    return this.#stop;
  }

  progress(): RunProgress {
    const { done, queued, failed, message } = this.#counts;
    const rate_per_second = this.#rate.perSecond(this.#services.clock.monotonic(), done);
    return { done, queued, failed, rate_per_second, ...(message === undefined ? {} : { message }) };
  }

  redact<T extends JsonValue>(value: T): Clean<T> {
    return this.#services.redactor.value(value);
  }

  /** Writes a line of the run's own log. */
  note(event: string, facts: JsonObject): void {
    this.log.add(this.redact<JsonObject>({ event, ...facts }));
  }

  /** Calls back at each step until the answered function is called. */
  onProgress(listener: (progress: RunProgress) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Calls back when it is stopped before its turn has come. */
  onStopWhileQueued(listener: (stop: Stop) => void): void {
    this.#onStopWhileQueued = listener;
  }

  writerOf(run: StoredRun): GroupWriter {
    return new GroupWriter(run, () => this.progress());
  }

  /** Tells the worker to end. The first who stops a run is the one who did. */
  stop(stop: Stop): void {
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    if (this.status === 'queued') this.#onStopWhileQueued(stop);
    else this.#controller.abort(stop.reason);
  }

  /**
   * Runs the worker to its end. One that does not stop when asked is abandoned: what it
   * commits from then on is refused, and what it tells is not heard.
   */
  async work(
    { run, writer }: { readonly run: StoredRun; readonly writer: GroupWriter },
    worker: RunWorker,
    { args, ...by }: RunBy & { readonly args: JsonObject },
  ): Promise<Outcome> {
    const { signal } = this.#controller;
    try {
      return await abortable(worker.run(args, this.#scope(run, writer, by)), signal, CANCEL_GRACE);
    } finally {
      this.#isClosed = true;
      await writer.idle();
    }
  }

  #scope(state: RunState, writer: GroupWriter, { call, session }: RunBy): RunScope {
    const { redactor, record, clock } = this.#services;
    const { runId } = this;
    return {
      runId,
      signal: this.#controller.signal,
      call,
      session,
      state,
      commit: ({ items = [], change }) => {
        // Commits keep the order in which they were asked for, although each takes its own time to redact.
        const redacted = this.#redacting.then(() => redactItems(redactor, items));
        this.#redacting = redacted.catch(() => undefined);
        return redacted.then((redaction) => this.#commit(writer, { ...redaction, change }));
      },
      redact: (value) => this.redact(value),
      progress: ({ message, ...counts }) => {
        if (this.#isClosed) return;
        this.#counts = { ...counts, ...(message === undefined ? {} : { message: this.redact(message) }) };
        this.#rate.add(clock.monotonic(), counts.done);
        this.#listeners.notify(this.progress());
      },
      log: (event, facts) => {
        if (this.#isClosed) return;
        this.note(event, facts);
        record(event, { ...facts, run_id: runId });
      },
    };
  }

  async #commit(writer: GroupWriter, step: Step): Promise<void> {
    if (this.#isClosed)
      throw (
        this.#stop?.reason ?? new SpillwayError('internal_error', `The run ${this.runId} has already ended.`)
      );
    // The disk's refusals are coded; errors thrown by the worker are not disk errors.
    await writer.commit(step).catch((thrown: unknown) => {
      throw toSpillwayError(thrown);
    });
  }
}
