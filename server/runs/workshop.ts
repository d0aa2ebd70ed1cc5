import PQueue from 'p-queue';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Outcome } from '../core/payload.ts';
import type { RunWorker, Sealer } from '../core/runs.ts';
import type { Clock, Journal, Logger, Redactor } from '../core/services.ts';
import type { Expiry } from '../machine/expiry.ts';
import { ActiveRun, type Stop } from './active-run.ts';
import type { Claimant } from './claim.ts';
import type { Lease, OpenRun } from './folders.ts';
import { readLines } from './items.ts';
import { toRunError } from './run-error.ts';
import type { RunLife } from './records.ts';
import { factsOf } from './view.ts';

export interface WorkshopOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Pick<Journal, 'record'>;
  readonly redactor: Redactor;
  readonly expiry: Expiry;
  /** The worker of a tool, loaded with its first run; undefined for a tool that makes no runs. */
  readonly worker: (tool: string) => Promise<RunWorker> | undefined;
  readonly sealer: Sealer;
}

/** A run in the workshop. */
export interface Job {
  readonly work: ActiveRun;
  /** Resolves when its end is on the disk; rejects when the disk refused it. */
  readonly stopped: Promise<void>;
  /** The same, and its items are sealed, or could not be. */
  readonly ended: Promise<void>;
}

/** How the work on a run ended. */
interface Ending {
  readonly status: 'completed' | 'failed' | Stop['status'];
  readonly outcome: Outcome;
  readonly error: SpillwayError | null;
}

const NOTHING: Outcome = { state: {}, coverage: [] };
/** What a server that leaves gives its runs to stop; the worker's own time is shorter. */
const CLOSE_MS = 1_000;

/** Works on runs: at most `LIMITS.runsAtOnce`, the others wait in the order in which they came. */
export class Workshop {
  readonly #options: WorkshopOptions;
  readonly #queue = new PQueue({ concurrency: LIMITS.runsAtOnce });
  readonly #jobs = new Map<string, Job>();
  #isClosing = false;

  constructor(options: WorkshopOptions) {
    this.#options = options;
  }

  get(runId: string): Job | undefined {
    return this.#jobs.get(runId);
  }

  /** Starts or queues a run that this process owns, or only ends it. Takes the lease over. */
  start(lease: Lease, task: { readonly tool: string; readonly args: JsonObject; readonly stop?: Stop }): Job {
    const { run } = lease;
    const { tool, args } = task;
    const { journal } = this.#options;
    const work = new ActiveRun(run, {
      ...this.#options,
      record: (event, facts) => journal.record({ ...facts, event, tool }),
    });
    const stopped = new Promise<void>((resolve, reject) => {
      const end = (ending: Ending): Promise<void> => this.#end(work, tool, ending).then(resolve, reject);
      work.onStopWhileQueued(
        (stop) => void end({ status: stop.status, outcome: NOTHING, error: stop.reason }),
      );
      const stop = task.stop ?? (this.#isClosing ? leaving(run) : undefined);
      if (stop !== undefined) work.stop(stop);
      void this.#queue.add(async () => {
        if (work.stopped === undefined) await end(await this.#perform(work, tool, args));
      });
    });
    const ended = stopped
      .then(() => this.#seal(work, tool))
      .finally(async () => {
        await work.log.flush();
        this.#jobs.delete(run.runId);
        lease.release();
      });
    for (const promise of [stopped, ended]) promise.catch(() => undefined);
    const job = { work, stopped, ended };
    this.#jobs.set(run.runId, job);
    return job;
  }

  async #perform(work: ActiveRun, tool: string, args: JsonObject): Promise<Ending> {
    try {
      work.status = 'running';
      // What a server that died had appended and not committed.
      await work.run.file.cutTo(work.writer.tally.file_bytes);
      await writeLife(work.run, (life) => ({ ...life, status: 'running' }));
      const worker = await this.#options.worker(tool);
      if (worker === undefined) throw new SpillwayError('api_not_found', `The tool ${tool} makes no runs.`);
      const outcome = await work.work(worker, args);
      const { stopped } = work;
      if (stopped !== undefined) return { status: stopped.status, outcome, error: stopped.reason };
      return { status: 'completed', outcome, error: null };
    } catch (thrown) {
      const { stopped } = work;
      if (stopped !== undefined) return { status: stopped.status, outcome: NOTHING, error: stopped.reason };
      return { status: 'failed', outcome: NOTHING, error: toSpillwayError(thrown) };
    }
  }

  /** Writes the last progress and how the run ended. */
  async #end(work: ActiveRun, tool: string, { status, outcome, error }: Ending): Promise<void> {
    const { clock, redactor, expiry, journal, logger } = this.#options;
    const { runId } = work.run;
    if (error?.code === 'internal_error')
      logger.error({ run_id: runId, stack: redactor.text(error.stack ?? error.message) }, 'a run failed');
    const shown = error && { code: error.code, message: redactor.text(error.message) };
    try {
      await work.writer.commit({ lines: [], redacted: null, change: undefined });
      await writeLife(work.run, (life) => ({
        ...life,
        status,
        owner: null,
        ended_at_ms: status === 'interrupted' ? null : clock.now(),
        error: shown,
        outcome: {
          state: redactor.value(outcome.state),
          coverage: outcome.coverage.map((text) => redactor.text(text)),
        },
        output_handle: null,
        lifetime: expiry.begin(),
      }));
    } catch (thrown) {
      logger.error({ run_id: runId, err: thrown }, 'the end of a run was not written');
      // Whoever asked for this end has to hear that it is not on the disk.
      const { code, message, hint } = toRunError(thrown, work.run.path);
      throw new SpillwayError(code, message, { hint, cause: error ?? thrown });
    } finally {
      work.status = status;
    }
    const { items, progress } = work.writer.tally;
    const facts = { status, items, ...progress, ...(shown === null ? {} : { error: shown }) };
    work.log.add('run_ended', facts);
    journal.record({ event: EVENTS[status], tool, run_id: runId, ...facts });
  }

  async #seal(work: ActiveRun, tool: string): Promise<void> {
    if (work.status === 'interrupted') return;
    await this.seal(work.run, tool).catch((thrown: unknown) => {
      // The run stays readable; whoever asks for its handle meets the same error, or gets it then.
      const { code, message } = toSpillwayError(thrown);
      work.log.add('run_not_sealed', { code, message });
      this.#options.logger.warn({ run_id: work.run.runId, code, message }, 'a run was not sealed');
    });
  }

  /** Stores the items of an ended run and keeps the handle. @throws `store_full`, `store_write_failed` */
  async seal(run: OpenRun, tool: string): Promise<string> {
    const handle = await this.#options.sealer.seal(tool, readLines(run, run.environment.tally().items));
    await writeLife(run, (life) => ({ ...life, output_handle: handle }));
    return handle;
  }

  /** Stops everything; what is under way can be resumed. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const jobs = [...this.#jobs.values()];
    for (const { work } of jobs) work.stop(leaving(work.run));
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    await Promise.race([Promise.allSettled(jobs.map(({ ended }) => ended)), deadline]);
    clearTimeout(timer);
  }
}

const EVENTS = {
  completed: 'run_ended',
  failed: 'run_ended',
  cancelled: 'run_cancelled',
  interrupted: 'run_interrupted',
} as const;

const leaving = (run: OpenRun): Stop => ({
  status: 'interrupted',
  reason: new SpillwayError('cancelled', 'The server ended while the run went on.', {
    hint: factsOf(run).is_redacted
      ? 'Its arguments hold a secret that is not kept: start it again.'
      : 'Call run_resume to go on with it.',
  }),
});

async function writeLife(run: OpenRun, change: (life: RunLife) => RunLife): Promise<void> {
  await run.environment.write((transaction) => transaction.life(change(run.environment.life())));
}

/** A life that begins, for a run that is made or taken up again. */
export function beginLife(expiry: Expiry, claimant: Claimant): RunLife {
  return {
    status: 'queued',
    owner: claimant.owner,
    ended_at_ms: null,
    error: null,
    outcome: null,
    output_handle: null,
    lifetime: expiry.begin(),
  };
}
