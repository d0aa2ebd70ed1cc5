import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { defined, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { Listeners } from '../../shared/base/queue.ts';
import { abortable } from '../../shared/base/async.ts';
import { ReportSum, type Outcome, type RedactionReport } from '../core/result.ts';
import type { RunChange, RunProgress, RunScope, RunStatus, RunWorker } from '../core/runs.ts';
import type { Clock, Logger, Redactor } from '../core/services.ts';
import {
  type Clean,
  type CleanBytes,
  type CleanRecord,
  type CleanText,
  cleanJsonText,
  isoTime,
} from '../libraries/redaction/clean.ts';
import { CANCEL_GRACE } from '../core/calls/call.ts';
import { ITEM_LEAD_BYTES, redactItems, KEPT_ROOM, type RunTally } from './records.ts';
import { inShort } from '../../shared/base/in-short.ts';
import type { StoredRun } from './run-store.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoredRecord } from '../libraries/redaction/mark.ts';
import { parseAs } from '../../shared/base/json-schema.ts';

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

/** Who started or resumed a run. */
export type RunBy = Pick<RunScope, 'call' | 'session' | 'decision'>;
type Change = (change: RunChange) => void;

export interface ActiveRunServices {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redactor: Redactor;
  /** Writes a line of the journal. */
  readonly record: (event: string, facts: JsonObject) => void;
}

/** One commit: serialised items, and a change of the state. */
interface Step {
  readonly lines: readonly CleanBytes[];
  readonly redacted: RedactionReport | null;
  readonly change: Change | undefined;
  readonly isDurable: boolean;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Lines of a log that are kept. */
const KEPT_LINES = 5_000;

/** A run while this server works on it, or lets it wait: its scope, its progress, and a way to stop it. */
export class ActiveRun {
  status: RunStatus = 'queued';
  stopped: Stop | undefined;
  readonly #controller = new AbortController();
  /** Aborts when it is stopped. */
  readonly signal: AbortSignal = this.#controller.signal;
  /** Tells each step. */
  readonly progressed = new Listeners<RunProgress>();
  readonly #rate = new Rate();
  #counts: Omit<RunProgress, 'rate_per_second'>;
  #isClosed = false;
  #redacting: Promise<unknown> = Promise.resolve();
  #tally: RunTally;
  #waiting: Step[] = [];
  #writing: Promise<void> | undefined;
  #logged: { readonly at_ms: number; readonly line: string }[] = [];

  constructor(
    readonly run: StoredRun,
    private readonly services: ActiveRunServices,
  ) {
    this.#tally = run.tally();
    this.#counts = this.#tally.progress;
    this.#rate.add(services.clock.monotonic(), this.#counts.done);
  }

  get tally(): RunTally {
    return { ...this.#tally, progress: this.progress() };
  }

  progress(): RunProgress {
    const { done, queued, failed, message, workers } = this.#counts;
    const rate_per_second = this.#rate.perSecond(this.services.clock.monotonic(), done);
    return { done, queued, failed, rate_per_second, ...defined({ message, workers }) };
  }

  redact<T extends JsonValue>(value: T): Clean<T> {
    return this.services.redactor.value(value);
  }

  /** Of whatever is kept of the run besides its items and its worker's state: what a worker says has any length. */
  keep(value: string): CleanText;
  keep(value: JsonObject): CleanRecord;
  keep(value: string | JsonObject): CleanText | CleanRecord {
    return typeof value === 'string'
      ? this.redact(inShort(value, KEPT_ROOM))
      : this.redact(inShort(value, KEPT_ROOM));
  }

  /** Adds a line to the run's own log. Lines of one turn are written together. */
  note(event: string, facts: JsonObject): void {
    const at_ms = this.services.clock.now();
    const line = cleanJsonText({ ts: isoTime(at_ms), ...this.keep({ event, ...facts }) });
    this.#logged.push({ at_ms, line });
    queueMicrotask(() => this.flushLog());
  }

  /** On a full disk lines are lost, not the run. */
  flushLog(): void {
    const lines = this.#logged.splice(0);
    if (lines.length === 0) return;
    try {
      this.run.addLog(lines, KEPT_LINES);
    } catch (thrown) {
      this.services.logger.warn({ err: thrown }, 'the log of a run was not written');
    }
  }

  /** Tells the worker to end. The first reason to stop a run counts. */
  stop(stop: Stop): void {
    if (this.stopped !== undefined) return;
    this.stopped = stop;
    this.#controller.abort(stop.reason);
  }

  /**
   * Runs the worker to its end. If it does not stop when asked, it is abandoned: its later commits are
   * refused and its later reports ignored.
   */
  async work(worker: RunWorker, { args, ...by }: RunBy & { readonly args: JsonObject }): Promise<Outcome> {
    try {
      return await abortable(worker.run(args, this.#scope(by)), this.signal, CANCEL_GRACE);
    } finally {
      this.#isClosed = true;
      await this.#writing;
    }
  }

  #scope({ call, session, decision }: RunBy): RunScope {
    const { redactor, record, clock } = this.services;
    const { runId } = this.run;
    return {
      runId,
      signal: this.signal,
      call,
      session,
      decision,
      state: this.run,
      commit: ({ items = [], change, isDurable = true }) => {
        // Commits keep their order, although redaction takes each a different time.
        const redacted = this.#redacting.then(() => redactItems(redactor, items));
        this.#redacting = redacted.catch(() => undefined);
        return redacted.then((redaction) => this.#commit({ ...redaction, change, isDurable }));
      },
      redact: (value) => this.redact(value),
      progress: ({ message, workers, ...counts }) => {
        if (this.#isClosed) return;
        this.#counts = {
          ...counts,
          ...defined({
            message: message === undefined ? undefined : this.keep(message),
            workers: workers === undefined ? undefined : this.redact(workers),
          }),
        };
        this.#rate.add(clock.monotonic(), counts.done);
        this.progressed.notify(this.progress());
      },
      log: (event, facts) => {
        if (this.#isClosed) return;
        this.note(event, facts);
        record(event, { ...inShort(facts, KEPT_ROOM), run_id: runId });
      },
    };
  }

  /** Resolves when the step is on disk, with those that arrived while others were written. */
  #commit(step: Omit<Step, 'resolve' | 'reject'>): Promise<void> {
    if (this.#isClosed)
      throw (
        this.stopped?.reason ??
        new SpillwayError('internal_error', `The run ${this.run.runId} has already ended.`)
      );
    return new Promise((resolve, reject) => {
      // The disk's refusals are coded; errors thrown by the worker are not.
      this.#waiting.push({ ...step, resolve, reject: (thrown) => reject(toSpillwayError(thrown)) });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Collects the steps of one turn; other work of this thread runs between two groups.
      await nextTurn();
      this.#write(this.#waiting.splice(0));
    }
    this.#writing = undefined;
  }

  /** One transaction, in which a step that throws is undone separately. Settles every step. */
  #write(group: readonly Step[]): void {
    let tally = this.#tally;
    const writeStep = (step: Step): (() => void) => {
      try {
        this.run.write(() => {
          step.change?.(this.run);
          const next = this.#addItems(tally, step);
          this.run.putTally({ ...next, progress: this.progress() });
          tally = next;
        });
        return step.resolve;
      } catch (thrown) {
        return () => step.reject(thrown);
      }
    };
    try {
      const isDurable = group.some((step) => step.isDurable);
      const settled = this.run.write(() => group.map(writeStep), { isDurable });
      this.#tally = tally;
      for (const settle of settled) settle();
    } catch (refused) {
      for (const step of group) step.reject(refused);
    }
  }

  /** Appends the items of a step, and counts them. */
  #addItems(tally: RunTally, step: Step): RunTally {
    let { items, array_bytes } = tally;
    for (const line of step.lines) {
      this.run.addItem(items, array_bytes + ITEM_LEAD_BYTES, line);
      items += 1;
      array_bytes += ITEM_LEAD_BYTES + line.length;
    }
    const redacted = step.redacted === null ? tally.redacted : new ReportSum(tally.redacted, step.redacted);
    return { ...tally, items, array_bytes, redacted };
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
