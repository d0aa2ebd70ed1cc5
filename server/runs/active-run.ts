import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { Listeners } from '../../shared/queue.ts';
import { abortable } from '../../shared/async.ts';
import { ReportSum, type Outcome, type RedactionReport } from '../core/result.ts';
import type { RunProgress, RunScope, RunState, RunStatus, RunWorker, RunChange } from '../core/runs.ts';
import type { Clock, Logger, Redactor } from '../core/services.ts';
import { type Clean, type CleanBytes, cleanJsonText, isoTime, type CleanRecord } from '../redact/clean.ts';
import { CANCEL_GRACE } from '../core/calls/call.ts';
import { redactItems, type RunTally } from './records.ts';
import type { StoredRun } from './run-store.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoredRecord } from '../redact/mark.ts';
import { defined } from '../../shared/json.ts';
import { parseAs } from '../../shared/json-schema.ts';

const WINDOW_MS = 30_000;
/** Samples are at least this far apart, so that a fast run keeps few. */
const STEP_MS = 500;

/** Counts the work of the last half minute. Time is monotonic, in milliseconds. */
class Rate {
  readonly #samples: { readonly at: number; readonly done: number }[] = [];

  add(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < STEP_MS) return;
    this.#samples.push({ at, done });
    // The newest sample older than the window marks its beginning.
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

interface ActiveRunServices {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  /** Writes a line of the journal. */
  readonly record: (event: string, facts: JsonObject) => void;
}

/** A run while this server works on it, or lets it wait: its scope, its progress, and a way to stop it. */
export class ActiveRun {
  readonly runId: string;
  readonly log: RunLog;
  status: RunStatus = 'queued';
  readonly #controller = new AbortController();
  readonly #rate = new Rate();
  readonly #listeners = new Listeners<RunProgress>();
  #counts: Omit<RunProgress, 'rate_per_second'>;
  #onStopWhileQueued: (stop: Stop) => void = () => undefined;
  #stop: Stop | undefined;
  #isClosed = false;
  #redacting: Promise<unknown> = Promise.resolve();

  constructor(
    run: StoredRun,
    private readonly services: ActiveRunServices,
  ) {
    this.runId = run.runId;
    this.#counts = run.tally().progress;
    this.#rate.add(services.clock.monotonic(), this.#counts.done);
    this.log = new RunLog(run, services);
  }

  get stopped(): Stop | undefined {
    return this.#stop;
  }

  progress(): RunProgress {
    const { done, queued, failed, message, workers } = this.#counts;
    const rate_per_second = this.#rate.perSecond(this.services.clock.monotonic(), done);
    return { done, queued, failed, rate_per_second, ...defined({ message, workers }) };
  }

  redact<T extends JsonValue>(value: T): Clean<T> {
    return this.services.redactor.value(value);
  }

  /** Writes a line of the run's own log. */
  note(event: string, facts: JsonObject): void {
    this.log.add(this.redact<JsonObject>({ event, ...facts }));
  }

  /** Calls back at each step until the returned function is called. */
  onProgress(listener: (progress: RunProgress) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Calls back if it is stopped before its turn. */
  onStopWhileQueued(listener: (stop: Stop) => void): void {
    this.#onStopWhileQueued = listener;
  }

  writerOf(run: StoredRun): GroupWriter {
    return new GroupWriter(run, () => this.progress());
  }

  /** Tells the worker to end. The first reason to stop a run counts. */
  stop(stop: Stop): void {
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    if (this.status === 'queued') this.#onStopWhileQueued(stop);
    else this.#controller.abort(stop.reason);
  }

  /**
   * Runs the worker to its end. If it does not stop when asked, it is abandoned: its later commits are
   * refused and its later reports ignored.
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
    const { redactor, record, clock } = this.services;
    const { runId } = this;
    return {
      runId,
      signal: this.#controller.signal,
      call,
      session,
      state,
      commit: ({ items = [], change, isDurable = true }) => {
        // Commits keep their order, although redaction takes each a different time.
        const redacted = this.#redacting.then(() => redactItems(redactor, items));
        this.#redacting = redacted.catch(() => undefined);
        return redacted.then((redaction) => this.#commit(writer, { ...redaction, change, isDurable }));
      },
      redact: (value) => this.redact(value),
      progress: ({ message, workers, ...counts }) => {
        if (this.#isClosed) return;
        this.#counts = {
          ...counts,
          ...defined({
            message: message === undefined ? undefined : this.redact(message),
            workers: workers === undefined ? undefined : this.redact(workers),
          }),
        };
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

/** One commit: serialised items, and a change of the state. */
interface Step {
  readonly lines: readonly CleanBytes[];
  readonly redacted: RedactionReport | null;
  readonly change: ((change: RunChange) => void) | undefined;
  readonly isDurable: boolean;
}

interface Waiting extends Step {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Items of one transaction together: this much is in memory in addition to waiting items. */
const GROUP_BYTES = 4 * 1024 * 1024;
/** Two bytes precede each item of a stored array. */
const ITEM_LEAD_BYTES = 2;

/**
 * Commits steps in groups: steps that arrive while a group is being written form the next one. Simultaneous
 * commits share the fsyncs of one, and hold the thread once.
 */
export class GroupWriter {
  #tally: RunTally;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  /** @param progress what the tally of the next transaction contains */
  constructor(
    private readonly run: StoredRun,
    private readonly progress: () => RunTally['progress'],
  ) {
    this.#tally = run.tally();
  }

  get tally(): RunTally {
    return { ...this.#tally, progress: this.progress() };
  }

  /** Resolves when the step is on disk. */
  commit(step: Step): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...step, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  /** Waits until no write is pending. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Groups the steps of one turn; other work of this thread runs between groups.
      await nextTurn();
      this.#write(this.#takeGroup());
    }
    this.#writing = undefined;
  }

  #takeGroup(): Waiting[] {
    let sizeBytes = 0;
    const end = this.#waiting.findIndex((step, index) => {
      sizeBytes += bytesOf(step.lines);
      return index > 0 && sizeBytes > GROUP_BYTES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /** One transaction, in which a step that throws is undone separately. Settles every step. */
  #write(group: readonly Waiting[]): void {
    let tally = this.#tally;
    try {
      const isDurable = group.some((step) => step.isDurable);
      const writeAll = (): (() => void)[] =>
        group.map((step) => {
          try {
            this.run.write(() => {
              step.change?.(this.run.change());
              const next = addItems(this.run, tally, step);
              this.run.putTally({ ...next, progress: this.progress() });
              tally = next;
            });
            return step.resolve;
          } catch (thrown) {
            return () => step.reject(thrown);
          }
        });
      const settled = this.run.write(writeAll, { isDurable });
      this.#tally = tally;
      for (const settle of settled) settle();
    } catch (refused) {
      for (const step of group) step.reject(refused);
    }
  }
}

const bytesOf = (lines: readonly CleanBytes[]): number => lines.reduce((sum, line) => sum + line.length, 0);

/** Appends the items of a step, and counts them. */
function addItems(run: StoredRun, tally: RunTally, step: Step): RunTally {
  let { items, array_bytes } = tally;
  for (const line of step.lines) {
    run.addItem(items, array_bytes + ITEM_LEAD_BYTES, line);
    items += 1;
    array_bytes += ITEM_LEAD_BYTES + line.length;
  }
  const redacted = step.redacted === null ? tally.redacted : new ReportSum(tally.redacted, step.redacted);
  return { ...tally, items, array_bytes, redacted };
}

/** Lines that are kept. */
const KEPT_LINES = 5_000;
/** Most lines that wait for the disk; beyond that the newest are left out. */
const QUEUE_LINES = 1_000;

/** The log of one run: redacted lines `{ ts, event, … }`, the oldest forgotten first. */
class RunLog {
  readonly #services: { readonly clock: Clock; readonly logger: Logger };
  #queue: { readonly at_ms: number; readonly line: string }[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    private readonly run: StoredRun,
    services: { clock: Clock; logger: Logger },
  ) {
    this.#services = services;
  }

  /** Returns at once; on a full disk the line is lost, not the run. */
  add(facts: CleanRecord): void {
    if (this.#queue.length >= QUEUE_LINES) return;
    const at_ms = this.#services.clock.now();
    this.#queue.push({ at_ms, line: cleanJsonText({ ts: isoTime(at_ms), ...facts }) });
    this.#writing ??= this.#write();
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    await Promise.resolve();
    this.#writing = undefined;
    try {
      this.run.addLog(this.#queue.splice(0), KEPT_LINES);
    } catch (thrown) {
      this.#services.logger.warn({ err: thrown }, 'the log of a run was not written');
    }
  }
}

/**
 * The last lines of a log, oldest first: at most `count`, at most `bytes` of JSON, none
 * older than `since`. A larger line is reduced to its event and its size.
 */
export function readLog(
  run: StoredRun,
  { count, bytes, since = 0 }: { count: number; bytes: number; since?: number | undefined },
): { readonly lines: readonly CleanRecord[]; readonly total: number } {
  const kept = run.log(since, count);
  const lines: CleanRecord[] = [];
  let room = bytes;
  for (const line of kept.lines) {
    const entry = parseAs(StoredRecord, line);
    if (entry === null) continue;
    const sizeBytes = Buffer.byteLength(line);
    const shown = sizeBytes <= bytes ? entry : shorten(entry, sizeBytes);
    room -= sizeBytes <= bytes ? sizeBytes + 1 : Buffer.byteLength(JSON.stringify(shown));
    if (room < 0) break;
    lines.unshift(shown);
  }
  return { lines, total: kept.total };
}

const shorten = ({ ts, event }: CleanRecord, sizeBytes: number): CleanRecord => ({
  ts: ts ?? null,
  event: event ?? null,
  oversized_bytes: sizeBytes,
});
