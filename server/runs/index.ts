import { isDeepStrictEqual } from 'node:util';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { inShort } from '../../shared/base/in-short.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { delay } from '../../shared/base/async.ts';
import { cancellation } from '../core/calls/call.ts';
import type { AdmittedBy, RunChange, RunResult, Runs, RunScope, RunStart, RunView } from '../core/runs.ts';
import { pause } from '../core/slices.ts';
import type { OpenOutput } from '../core/output/index.ts';
import { identifier } from '../libraries/redaction/clean.ts';
import { createExpiry, type Expiry } from '../core/machine/expiry.ts';
import { type RunBy, type Stop, readLog } from './active-run.ts';
import { RunOwner, notResumable, noWork, withheld } from './owner.ts';
import { readItems, readPage, openRun, endingOf, hasEnded, isActive, isOver, viewOf } from './view.ts';
import { EMPTY_TALLY, KEPT_ROOM, asUnseen, isParked, isUnseen, onceMore } from './records.ts';
import { RunStore, type StoredRun } from './run-store.ts';
import {
  waitForJob,
  newRunLife,
  RunExecutor,
  writeLife,
  type Job,
  type RunExecutorOptions,
} from './run-executor.ts';

export interface RunsOptions extends Omit<RunExecutorOptions, 'expiry'> {
  readonly home: string;
  /** `--output-page-bytes`: serialised content of one page. */
  readonly pageBytes: number;
  /** Identifies the boot that the monotonic clock counts from. Default: the system's. */
  readonly boot?: string;
}

/** Maximum runs that one list examines: the newest. */
const LOOKED_AT_MAX = 200;
/** Runs that are at work or wait for their turn. */
const ACTIVE_MAX = 1_000;
/** Longer arguments are stored apart from what a list of runs reads. */
const SHOWN_UNITS = 8_192;
/** Arguments with a secret, of all runs: they are in memory only. */
const WHOLE_UNITS = 32 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** Servers may run for weeks: expired runs are removed meanwhile. */
const SWEEP_MS = 3_600_000;

const PARKED_MS = 200;
const NEVER = new AbortController().signal;

class DiskRuns implements Runs {
  readonly #expiry: Expiry;
  readonly #store: RunStore;
  readonly #executor: RunExecutor;
  readonly #owner: RunOwner;
  /** Arguments that contain a secret, by run: on disk they are redacted. */
  readonly #whole = new Map<string, { readonly args: JsonObject; readonly sizeUnits: number }>();
  #sweeping: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  readonly #redact: RunScope['redact'] = (value) => this.options.redactor.value(value);

  constructor(private readonly options: RunsOptions) {
    this.#expiry = createExpiry(options.clock, LIMITS.runTtlDays * DAY_MS, options.boot);
    this.#store = new RunStore(options.home);
    this.#owner = new RunOwner(this.#store);
    this.#executor = new RunExecutor({ ...options, expiry: this.#expiry });
    // Now and then every hour. The timer does not keep the process alive.
    this.#sweep();
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  #sweep(): void {
    const { logger } = this.options;
    const services = {
      expiry: this.#expiry,
      logger,
      isFree: (runId: string) => this.#executor.jobs.get(runId) === undefined,
      onRemoved: (runId: string) => void this.#whole.delete(runId),
    };
    this.#sweeping = this.#sweeping
      .then(() => this.#owner.sweep(services))
      .catch((thrown: unknown) => logger.warn({ err: thrown }, 'sweeping the runs failed'));
  }

  async start(request: RunStart): Promise<RunView> {
    const { tool, args, source, session, call = null, output } = request;
    await this.#admit(tool, args, { call, signal: request.signal });
    const { clock, journal } = this.options;
    const kept = await this.options.redactor.large({ args: { ...args }, source: inShort(source, KEPT_ROOM) });
    const isRedacted = !isDeepStrictEqual(kept.args, { ...args });
    const sizeUnits = JSON.stringify(kept.args).length;
    await pause();
    this.#expectRoom(isRedacted ? sizeUnits : 0);
    const isLong = sizeUnits > SHOWN_UNITS;
    const facts = {
      version: 1 as const,
      tool,
      args: isLong ? this.#redact(inShort(kept.args, KEPT_ROOM)) : kept.args,
      has_long_args: isLong,
      is_redacted: isRedacted,
      source: kept.source,
      session: session.id,
      output_mode: output.mode,
      output_inline_limit_bytes: output.inlineLimitBytes,
      started_at_ms: clock.now(),
      calls_tools: request.callsTools ?? false,
    };
    const run = this.#store.create((run_id) => ({
      facts: { ...facts, run_id },
      args: kept.args,
      life: this.#owner.own(newRunLife(this.#expiry)),
      tally: EMPTY_TALLY,
    }));
    if (isRedacted) this.#whole.set(run.runId, { args, sizeUnits });
    journal.record({
      event: 'run_started',
      tool,
      run_id: run.runId,
      // Of the call that it belongs to, if one started it.
      call_id: call?.call?.call_id,
      client_session: session.id,
    });
    return this.#launch(run, { call, session, decision: null });
  }

  async resume(runId: string, by?: Parameters<Runs['resume']>[1]): Promise<RunView> {
    // A run that has just ended may still be sealed.
    await this.#awaitSettled(runId);
    const run = this.#store.open(runId);
    const { tool } = run.facts();
    const hasArgs = this.#hasArgs(run);
    const hasWork = (await this.options.worker(tool)) !== undefined;
    if (hasWork && hasArgs && this.#view(run).status !== 'completed')
      await this.#admit(tool, this.#argsOf(run), { call: by?.call ?? null, signal: by?.signal });
    const job = this.#executor.jobs.get(runId);
    if (job !== undefined) throw notResumable(runId, `is ${job.work.status}`);
    this.#owner.claim(run, ({ status, error }) => {
      if (status === 'completed') throw notResumable(runId, 'is complete');
      if (!hasWork) throw noWork(runId, tool);
      if (!hasArgs) throw withheld(runId);
      const life = newRunLife(this.#expiry);
      return by?.isParked === true ? { ...life, error: onceMore(error) } : life;
    });
    this.options.journal.record({ event: 'run_resumed', tool, run_id: runId });
    // In the same turn as the claim, so that no second resume comes between.
    const { call = null, session = null, decision = null } = by ?? {};
    return this.#launch(run, { call, session, decision });
  }

  /** A person may have to be asked about the run's purpose. */
  async #admit(
    tool: string,
    args: JsonObject,
    { signal = NEVER, ...by }: Omit<AdmittedBy, 'signal'> & { readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const work = await this.options.worker(tool);
    await work?.admit?.(args, { ...by, signal });
  }

  #launch(run: StoredRun, by: RunBy): RunView {
    const { tool } = run.facts();
    const args = (): JsonObject => this.#argsOf(run);
    this.#executor.start(run, { tool, args, ...by }).ended.then(
      ({ status }) => void (status === 'completed' && this.#whole.delete(run.runId)),
      () => undefined,
    );
    return this.#view(run);
  }

  #view(run: StoredRun): RunView {
    return viewOf(run, {
      work: this.#executor.jobs.get(run.runId)?.work,
      isElsewhere: (life) => this.#owner.isElsewhere(life),
      hasArguments: this.#hasArgs(run),
    });
  }

  #hasArgs(run: StoredRun): boolean {
    return !run.facts().is_redacted || this.#whole.has(run.runId);
  }

  /** The full arguments. @throws SpillwayError `run_not_resumable` if this server was not given them, or had no room to keep them */
  #argsOf(run: StoredRun): JsonObject {
    if (!run.facts().is_redacted) return run.args();
    const whole = this.#whole.get(run.runId);
    if (whole === undefined) throw withheld(run.runId);
    return whole.args;
  }

  /** Forgets arguments of runs that have stopped, the oldest first. @throws SpillwayError `too_many_runs` */
  #expectRoom(sizeUnits: number): void {
    const { jobs } = this.#executor;
    let left = WHOLE_UNITS - sizeUnits;
    for (const whole of this.#whole.values()) left -= whole.sizeUnits;
    for (const [runId, whole] of this.#whole) {
      if (left >= 0) break;
      if (jobs.has(runId)) continue;
      this.#whole.delete(runId);
      left += whole.sizeUnits;
    }
    if (jobs.size < ACTIVE_MAX && left >= 0) return;
    throw new SpillwayError(
      'too_many_runs',
      `${jobs.size} runs of this server are at work or wait for their turn.`,
    );
  }

  /** Resolves when no more work is done on an inactive run. */
  async #awaitSettled(runId: string): Promise<void> {
    const job = this.#executor.jobs.get(runId);
    if (job !== undefined && !isActive(job.work.status)) await job.ended.catch(() => undefined);
  }

  async wait(runId: string, options: Parameters<Runs['wait']>[1]): Promise<RunResult | null> {
    const until = performance.now() + options.timeoutMs;
    for (;;) {
      const leftMs = Math.max(0, until - performance.now());
      const job = this.#executor.jobs.get(runId);
      const ending = job === undefined ? null : await waitForJob(job, { ...options, timeoutMs: leftMs });
      if (ending?.status === 'interrupted' && !isParked(ending)) throw ending.error;
      const view = await this.get(runId);
      if (hasEnded(view.status)) return this.result(runId);
      if (leftMs === 0 || !isParked(view) || (options.unlessUnseen && isUnseen(view))) return null;
      if (!this.#isClosed) await this.#whileParked(runId, options.signal);
      if (this.#isClosed) throw new SpillwayError('cancelled', 'The server has stopped.');
    }
  }

  noteUnseen(runId: string, hint: string): Promise<void> {
    return this.#use(runId, (run) => writeLife(run, (life) => asUnseen(life, this.#redact(hint))));
  }

  /** Cancelling a call cancels its run, even if nobody works on it. */
  async #whileParked(runId: string, signal: AbortSignal): Promise<void> {
    try {
      await delay(PARKED_MS, signal);
    } catch (thrown) {
      await this.cancel(runId, 'its call');
      throw cancellation(thrown);
    }
  }

  async get(runId: string): Promise<RunView> {
    return this.#current(await this.#use(runId, (run) => this.#view(run)));
  }

  /** Without a handle that has expired or was evicted. */
  async #current(view: RunView): Promise<RunView> {
    const { output_handle: handle } = view;
    if (handle === null || (await this.options.sealer.isThere(handle))) return view;
    return { ...view, output_handle: null };
  }

  #views(stored: readonly StoredRun[]): RunView[] {
    return stored.flatMap((run) => {
      try {
        return [this.#view(run)];
      } catch (thrown) {
        // A run that is being removed or is damaged does not hide the others.
        this.options.logger.debug({ run_id: run.runId, err: thrown }, 'a run was not listed');
        return [];
      }
    });
  }

  async list({ count, status, tool }: Parameters<Runs['list']>[0]) {
    const left = Math.max(0, this.#store.count(tool) - LOOKED_AT_MAX);
    const matching = this.#views(this.#store.list({ limit: LOOKED_AT_MAX, tool })).filter(
      (view) => (status ?? view.status) === view.status,
    );
    const newest = matching.sort((a, b) => b.started_at_ms - a.started_at_ms).slice(0, count);
    return {
      runs: await Promise.all(newest.map((view) => this.#current(view))),
      total: matching.length,
      left,
    };
  }

  async listParked(): Promise<readonly RunView[]> {
    return this.#views(this.#store.listParked()).filter(
      (view) => view.status === 'waiting' && isParked(view),
    );
  }

  async state(runId: string) {
    return this.#store.open(runId);
  }

  change<T>(runId: string, work: (change: RunChange, redact: RunScope['redact']) => T): Promise<T> {
    return this.#use(runId, (run) => run.write(() => work(run, this.#redact)));
  }

  log({ runId, count, since }: Parameters<Runs['log']>[0]) {
    return this.#use(runId, (run) => {
      this.#executor.jobs.get(runId)?.work.flushLog();
      return readLog(run, { count, since, bytes: this.options.pageBytes });
    });
  }

  page({ runId, offset, limit }: Parameters<Runs['page']>[0]): ReturnType<Runs['page']> {
    return this.#use(runId, async (run) => {
      // The status first: a run that has ended gets no more items.
      const { status, output_handle } = this.#view(run);
      const page = await readPage(run, { offset, limit, pageBytes: this.options.pageBytes });
      const { next, total, content, oversized } = page;
      const eof = hasEnded(status) && next >= total;
      return {
        run_id: identifier('run', runId),
        status,
        output_handle: output_handle === null ? null : identifier('handle', output_handle),
        offset: page.offset,
        limit: page.limit,
        returned: page.returned,
        total,
        next_offset: eof ? null : next,
        content,
        eof,
        ...(oversized.length > 0 ? { oversized: oversized.map((item) => ({ ...item })) } : {}),
      };
    });
  }

  items(runId: string): Promise<OpenOutput> {
    return this.#use(runId, openRun);
  }

  getEnding(runId: string) {
    return this.#use(runId, endingOf);
  }

  async result(runId: string): Promise<RunResult> {
    await this.#awaitSettled(runId);
    const view = await this.get(runId);
    if (!hasEnded(view.status)) throw notResumable(runId, `has not ended: it is ${view.status}`);
    return this.#use(runId, async (run) => {
      // A server that has stopped stores nothing more.
      const sealed = view.output_handle ?? (this.#isClosed ? null : await this.#executor.seal(run));
      const { items } = run.tally();
      return {
        ...endingOf(run),
        view: { ...view, output_handle: sealed },
        items: () => readItems(this.#store.open(runId), items),
      };
    });
  }

  async cancel(runId: string, by: string): Promise<RunView> {
    const reason = new SpillwayError('cancelled', `The run was cancelled by ${by}.`);
    const stop = { status: 'cancelled', reason } as const;
    const job = this.#executor.jobs.get(runId) ?? (await this.#takeIdle(runId, stop));
    if (job !== undefined) {
      job.work.stop(stop);
      const { status } = await job.stopped;
      // A run that ended before its cancel is completed.
      if (status !== 'cancelled') await job.ended;
    }
    return this.get(runId);
  }

  /** An interrupted run is taken over, so that its end is written like any other; an ended one stays. */
  async #takeIdle(runId: string, stop: Stop): Promise<Job | undefined> {
    const run = this.#store.open(runId);
    const job = this.#executor.jobs.get(runId);
    if (job !== undefined || isOver(this.#view(run))) return job;
    this.#owner.claim(run);
    const { tool } = run.facts();
    const args = (): JsonObject => run.args();
    return this.#executor.start(run, { tool, args, call: null, session: null, decision: null, stop });
  }

  args(runId: string) {
    return this.#use(runId, (run) => ({ tool: run.facts().tool, args: run.args() }));
  }

  async #use<T>(runId: string, work: (run: StoredRun) => T | Promise<T>): Promise<T> {
    return work(this.#store.open(runId));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([this.#executor.close(() => this.#leave()), this.#sweeping]);
    this.#store.close();
  }

  #leave(): void {
    try {
      this.#owner.leave();
    } catch (thrown) {
      // Until the process ends, its runs count as being worked on.
      this.options.logger.warn({ err: thrown }, 'the release of the runs was not written');
    }
  }
}

/** Runs of a home. Nothing is opened, and SQLite not loaded, before the first use. */
export const createRuns = (options: RunsOptions): Runs => new DiskRuns(options);
