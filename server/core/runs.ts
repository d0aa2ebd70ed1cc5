import type { z } from 'zod';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import type { OutputMode, OutputPage, OversizedItem } from '../../shared/core/descriptor.ts';
import type { ClientSession, Progress } from './context.ts';
import type { ListedRun } from '../../shared/core/feed.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { Clean, CleanJson, CleanRecord, CleanText } from '../libraries/redaction/clean.ts';
import type { Outcome, RedactionReport, OutputRequest } from './result.ts';
import type { OpenOutput } from './output/index.ts';
import { SpillwayError } from '../../shared/base/errors.ts';

/*
 * Runs: long jobs with an id, progress, a result, and a way to cancel and resume them
 * (`server/runs`). A run belongs to a tool; the work itself is the tool's `RunWorker`.
 */

/**
 * `queued` waits for its turn; `waiting`: its program waits for a person or a date; `interrupted`: its server has ended. Only `completed` is final; a cancelled,
 * failed or interrupted run can be resumed.
 */
export type RunStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'waiting'
  | 'interrupted';

export interface RunProgress {
  readonly done: number;
  readonly queued: number;
  readonly failed: number;
  /** Done per second, over the last half minute. */
  readonly rate_per_second: number;
  /** A step of a recipe, or why a crawl waits. */
  readonly message?: CleanText;
  readonly workers?: Clean<RunWorkers>;
}

/** Who reads for a run with `--queue`, and the hosts that took longest to answer. */
export type RunWorkers = NonNullable<ListedRun['progress']['workers']>;

export interface ToldProgress extends Pick<RunProgress, 'done' | 'queued' | 'failed'> {
  readonly message?: string;
  readonly workers?: RunWorkers;
}

/** A run as `run_status` shows it. Times are milliseconds since the epoch. */
export interface RunView {
  readonly run_id: CleanText;
  readonly tool: string;
  readonly status: RunStatus;
  readonly progress: RunProgress;
  /** Committed items. */
  readonly items: number;
  /** Their size as one stored array. */
  readonly size_bytes: number;
  readonly started_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly error: {
    readonly code: string;
    readonly message: CleanText;
    /** If it differs from the code's. */
    readonly hint?: CleanText;
    /** If it differs from the code's. */
    readonly retryable?: boolean;
    /** Details for programs. */
    readonly body?: CleanRecord;
    /** Whose text the message quotes. */
    readonly quotes?: CleanText;
  } | null;
  /** Addresses that a crawl left out. */
  readonly notes: readonly CleanText[];
  /** The sealed output, once the run has ended. */
  readonly output_handle: string | null;
  readonly output_mode: OutputMode;
  readonly output_inline_limit_bytes: number;
  /** The source of its items, for their notes: an address, or its tool. */
  readonly source: CleanText;
  /** The stored arguments: redacted. */
  readonly args: CleanRecord;
  /**
   * False if its arguments contain a secret that this server was not given: only the server that received it
   * can resume the run.
   */
  readonly has_arguments: boolean;
}

/** Keys and values in one ordered space of a run, stored with its items in one transaction. */
export interface RunState {
  get(key: RunKey): CleanJson | undefined;
  /**
   * Entries from `start` (inclusive) to `end` (exclusive) in key order, at most `limit`. They may include
   * entries committed while a caller iterates.
   */
  range(range: {
    readonly start: RunKey;
    readonly end: RunKey;
    readonly limit?: number;
  }): Iterable<{ readonly key: RunKey; readonly value: CleanJson }>;
}

/** Compared part by part, numbers before strings. Numbers are whole and not negative, strings have no zero. */
export type RunKey = readonly (string | number)[];

/** Changes of one commit. */
export interface RunChange extends RunState {
  put(key: RunKey, value: CleanJson): void;
  remove(key: RunKey): void;
}

/** About the call that ended a program, or whose outcome is unknown. */
export type RunDecision = { readonly do: 'retry' } | { readonly do: 'skip'; readonly result: JsonValue };

export interface RunScope {
  readonly runId: string;
  /** Of who resumed it last. */
  readonly decision: RunDecision | null;
  /** Aborted by cancel, the server's end, or the cancel of a waiting call. Its reason says which. */
  readonly signal: AbortSignal;
  /** The call that started it, or resumed it last. */
  readonly call: CallScope | null;
  /** The call's session. Its client may have left: a run continues. */
  readonly session: ClientSession | null;
  readonly state: RunState;
  /**
   * Redacts `items`, appends them, and applies `change`, all in one transaction: after a kill -9 either both
   * are there or neither. Commits are applied in the order of the calls; simultaneous ones share a
   * transaction. If `change` throws, only this commit is undone.
   */
  commit(step: {
    readonly items?: readonly JsonValue[];
    readonly change?: (change: RunChange) => void;
    /** False: a power cut may lose it, and everything after it until a durable commit. Default: true. */
    readonly isDurable?: boolean;
  }): Promise<void>;
  progress(progress: ToldProgress): void;
  /** Redacts values for `state`, which accepts only clean values. */
  readonly redact: <T extends JsonValue>(value: T) => Clean<T>;
  /** A line of the run's log and of the journal. */
  log(event: string, facts: JsonObject): void;
}

/** Who starts or resumes a run. */
export interface AdmittedBy {
  /** Null if no call does. */
  readonly call: CallScope | null;
  readonly signal: AbortSignal;
}

/** The work of one tool's runs. Called at first and after each resume with the same arguments. */
export interface RunWorker {
  /** Called before a run is created or resumed: throws the obstacle, such as `approval_required`. */
  admit?(args: JsonObject, by: AdmittedBy): Promise<void>;
  run(args: JsonObject, scope: RunScope): Promise<Outcome>;
}

export interface RunStart {
  readonly tool: string;
  /**
   * Validated arguments; stored redacted, so that only this server can resume a run whose arguments contain a
   * secret.
   */
  readonly args: JsonObject;
  /** Where its items will come from: an address. Stored redacted. */
  readonly source: string;
  readonly session: ClientSession;
  /** A run that no call started has none. */
  readonly call?: CallScope;
  /** For the call: whatever the run waits for before it is created. */
  readonly signal?: AbortSignal;
  readonly output: OutputRequest;
  /** It calls tools and may wait for their runs, which therefore must not wait for its turn to end. */
  readonly callsTools?: boolean;
}

export interface ResumedBy {
  readonly call?: CallScope | null;
  readonly signal?: AbortSignal;
  readonly session?: ClientSession;
  /** A condition that waits for nobody: if its server ends, the run is continued again. */
  readonly isParked?: boolean;
  readonly decision?: RunDecision | null;
}

/** One page of a run's items: the shape of `OutputPage` with the run, whose `total` may grow and whose `eof` is false until it ends. */
interface RunPage extends Omit<OutputPage, 'output_handle' | 'content' | 'oversized'> {
  readonly run_id: string;
  readonly status: RunStatus;
  /** Null until the run has ended. */
  readonly output_handle: string | null;
  readonly content: readonly CleanJson[];
  readonly oversized?: readonly OversizedItem[];
}

/** The newest runs of a home. */
interface RunList {
  /** Newest first. */
  readonly runs: readonly RunView[];
  readonly total: number;
  /** Runs that were not inspected, because there are very many. */
  readonly left: number;
}

/** The last lines of a run's log, oldest first. */
interface RunLogLines {
  /** `{ ts, event, … }`, redacted before they were written. */
  readonly lines: readonly CleanRecord[];
  /** Matching lines in total. */
  readonly total: number;
}

export interface RunEnding {
  readonly outcome: Outcome & { readonly source?: CleanText | null };
  readonly redacted: RedactionReport;
}

/** A run that has ended, for the call that waited for it. */
export interface RunResult extends RunEnding {
  readonly view: RunView;
  items(): AsyncIterable<CleanJson>;
}

/** Runs of this server and of others that share its home. */
export interface Runs {
  /** Creates the run on disk and starts or queues it. @throws the error of its worker's admission */
  start(request: RunStart): Promise<RunView>;
  /** @throws `run_not_found`, `run_not_resumable`, `run_busy`, or what its worker does not admit */
  resume(runId: string, by?: ResumedBy): Promise<RunView>;
  /**
   * Waits until the run has ended, at most `timeoutMs`; null if it is still active, or parked. Aborting
   * `signal` cancels the run with its reason.
   */
  wait(
    runId: string,
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly progress: (progress: Progress) => void;
      /** Null also for a run whose question reached nobody, as it may wait for days. */
      readonly unlessUnseen?: boolean;
    },
  ): Promise<RunResult | null>;
  /** A question of a parked run reached nobody: `hint` replaces that of its error. @throws `run_not_found` */
  noteUnseen(runId: string, hint: string): Promise<void>;
  /** @throws `run_not_found` */
  get(runId: string): Promise<RunView>;
  /** Its items so far, as a stored list of them. @throws `run_not_found` */
  items(runId: string): Promise<OpenOutput>;
  /** @throws `run_not_found` */
  page(request: {
    readonly runId: string;
    readonly offset: number;
    readonly limit?: number | undefined;
  }): Promise<Clean<RunPage>>;
  /** At most `count` runs, of this server and of others that share its home. */
  list(query: {
    readonly count: number;
    readonly status?: RunStatus | undefined;
    readonly tool?: string | undefined;
  }): Promise<RunList>;
  /**
   * The last lines of a run's log, at most `count` and no more than fit in a page. `since` is in milliseconds
   * since the epoch. @throws `run_not_found`
   */
  log(query: {
    readonly runId: string;
    readonly count: number;
    readonly since?: number | undefined;
  }): Promise<RunLogLines>;
  /** No outcome while it is active. Makes no handle. @throws `run_not_found` */
  getEnding(runId: string): Promise<RunEnding>;
  /** @throws `run_not_found`, `run_not_resumable` when it has not ended */
  result(runId: string): Promise<RunResult>;
  /** Runs whose programs wait for a person or a date, and continued ones whose server has ended. */
  listParked(): Promise<readonly RunView[]>;
  /** @throws `run_not_found` */
  state(runId: string): Promise<RunState>;
  /** Changes that state from outside, in one transaction. @throws `run_not_found` */
  change<T>(runId: string, work: (change: RunChange, redact: RunScope['redact']) => T): Promise<T>;
  /** Ends a run; resolves when it has stopped. @throws `run_not_found`, `run_busy` */
  cancel(runId: string, by: string): Promise<RunView>;
  /** Validated arguments of a run. @throws `run_not_found` */
  args(runId: string): Promise<{ readonly tool: string; readonly args: JsonObject }>;
  /** Stops a running run; it can be resumed. */
  close(): Promise<void>;
}

/**
 * A value stored by a run, parsed when it is read: a disk is as untrusted as a wire.
 * @param what names the value in the error: `The counts of the crawl`
 * @returns undefined if nothing was stored
 * @throws `store_corrupt` for a record that no run wrote
 */
export function parseStored<T>(
  schema: z.ZodType<T>,
  value: JsonValue | undefined,
  what: string,
): T | undefined {
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw buildStoreCorrupt(what, parsed.error);
}

/** `store_corrupt`: a value differs from the one that the run stored. */
export const buildStoreCorrupt = (what: string, cause?: unknown): SpillwayError =>
  new SpillwayError('store_corrupt', `${what} cannot be read back: the stored value is malformed.`, {
    hint: 'run_output still reads the items of the run. Start the work again to complete it.',
    cause,
  });
