import { each } from '../../../shared/base/queue.ts';
import { defined, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { type Produced, asksForHandle } from '../result.ts';
import { ERRORS, isErrorCode, SpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { isoTime, type CleanJson } from '../../libraries/redaction/clean.ts';
import type { CallContext } from '../context.ts';
import type { RunResult, Runs, RunView } from '../runs.ts';
import { pause } from '../slices.ts';

/** A small JSON answer that is known at once: receipts, lists of tabs, health. */
export const produceJson = (
  value: JsonValue,
  state: JsonObject = {},
  coverage: readonly string[] = [],
): Produced => ({
  payload: { kind: 'json', mimeType: MIME.json, value },
  outcome: () => ({ state, coverage }),
});

/** One that was redacted before, or is of our own making. */
export const produceClean = (value: CleanJson, coverage: readonly string[] = []): Produced => ({
  clean: { kind: 'json', mimeType: MIME.json, value },
  outcome: () => ({ state: {}, coverage }),
});

/** An answer about a call, not its output: inline in every output mode. */
export function produceReceipt(value: JsonValue): Produced {
  return { ...produceJson(value), deliverAs: 'inline' };
}

/**
 * An answer that quotes a page, its title or its dialog, and is fenced like page text. It is too short to
 * need a note.
 */
export const fencePageQuote = (produced: Produced): Produced => ({
  ...produced,
  untrustedFrom: () => undefined,
});

const errorToShow = ({ code, message, hint }: NonNullable<RunView['error']>): JsonObject => ({
  code,
  message,
  ...(hint === undefined ? {} : { hint }),
});

/** A run as an answer: its id, status and progress, never its items. */
export function describeRun(view: RunView): JsonObject {
  const { run_id, tool, status, progress, items, size_bytes, error, output_handle } = view;
  return {
    run_id,
    tool,
    status,
    progress: { ...progress },
    items,
    size_bytes,
    started_at: isoTime(view.started_at_ms),
    ...(view.ended_at_ms === null ? {} : { ended_at: isoTime(view.ended_at_ms) }),
    ...(error === null ? {} : { error: errorToShow(error) }),
    ...(output_handle === null ? {} : { output_handle }),
  };
}

/** The same, with the questions of a waiting program, so that any platform can show them as forms. */
export const describeRunWhole = (view: RunView): JsonObject => ({
  ...describeRun(view),
  ...defined({ waiting: view.error?.body?.waiting }),
});

/** Returns the run id: `run_output` has the output. */
function produceRunReceipt(view: RunView): Produced {
  const { run_id, status, progress, error } = view;
  const waits = error === null ? {} : { error: errorToShow(error) };
  const source = error?.quotes;
  return {
    ...produceReceipt({ run_id, status, progress: { ...progress }, ...waits }),
    ...(source === undefined ? {} : { untrustedFrom: () => source }),
    isRunReceipt: true,
  };
}

/** How the call that started a run asked for its output: as a handle, now that its size is known. */
export function wantsHandle(view: RunView): boolean {
  const { output_mode: mode, output_inline_limit_bytes: inlineLimitBytes, size_bytes } = view;
  return asksForHandle({ mode, inlineLimitBytes }, size_bytes);
}

function nextOf({ run_id, has_arguments }: RunView): string {
  if (has_arguments) return `run_resume ${run_id} continues it.`;
  return 'its arguments contain a secret that this server does not have: resume it from the server that has it, or start a new run.';
}

export function runNotes(view: RunView): readonly string[] {
  const { status, error } = view;
  const next = nextOf(view);
  if (error?.code === 'workflow_waits') return [error.message];
  if (status === 'interrupted') return [`The run was interrupted: ${next}`];
  if (error === null) return [];
  return [`The run is ${status}: ${error.message} These are the items so far; ${next}`];
}

/** Returns the items of a run that has ended, in any way. */
export function produceRunResult(result: RunResult): Produced {
  const { view, outcome, redacted } = result;
  const coverage = [...runNotes(view), ...outcome.coverage];
  return {
    clean: { kind: 'items', mimeType: MIME.json, items: result.items() },
    outcome: () => ({ coverage, state: { ...outcome.state, ...describeRun(view) } }),
    ...(outcome.source === null ? {} : { untrustedFrom: () => outcome.source ?? view.source }),
    redacted,
    ...(view.output_handle === null ? {} : { sealed: view.output_handle }),
  };
}

/** The same for a single item that is the whole answer, which is stored as it is. */
async function produceAnswer(result: RunResult): Promise<Produced> {
  const { single } = result.outcome;
  const { sealed, ...produced } = produceRunResult(result);
  if (single === undefined) return { ...produced, ...(sealed === undefined ? {} : { sealed }) };
  let item: CleanJson | undefined;
  for await (const each of result.items()) item = each;
  if (item === undefined) return produced;
  await pause();
  if (typeof item === 'string' && single !== MIME.json)
    return { ...produced, clean: { kind: 'text', mimeType: single, chunks: each([item]) } };
  return { ...produced, clean: { kind: 'json', mimeType: MIME.json, value: item } };
}

/** A permanent failure is not resumed; its items stay. */
function nextAfter(code: ErrorCode, { error, items }: RunView): string {
  const own = error?.hint ?? ERRORS[code].hint;
  const isLeft = ERRORS[code].retryable && !own.includes('run_resume');
  const next = isLeft ? `${own} Then continue it with run_resume.` : own;
  return items === 0 ? next : `${next} Read its items with run_output.`;
}

function failureOf({ view, outcome }: RunResult): SpillwayError {
  const { run_id, error, items, status, progress } = view;
  const code = error !== null && isErrorCode(error.code) ? error.code : 'internal_error';
  const message = error?.message ?? 'The run failed.';
  const kept =
    items === 0 ? `The run is ${run_id}.` : `${run_id} keeps ${items} ${items === 1 ? 'item' : 'items'}.`;
  return new SpillwayError(code, `${message} ${kept}`, {
    hint: nextAfter(code, view),
    retryable: error?.retryable,
    quotes: error?.quotes,
    body: { run_id, status, items, progress: { ...progress } },
    state: { ...outcome.state, ...describeRun(view) },
  });
}

/** It did the rest of its work: a failure that ended the work leaves no coverage. */
const isFailedInPart = ({ view, outcome }: RunResult): boolean =>
  view.status === 'failed' && view.items > 0 && outcome.coverage.length > 0;

/**
 * Waits for a run as long as a call may (`--sync-wait-ms`), then returns its items, or its id while it is
 * active. With `async`, or in some modes, returns the id immediately. If the call is cancelled before its
 * answer is sent, the run is cancelled too: no client has the id.
 * A run that failed for a part of its work returns the handle of its items, with notes that name the part.
 * @throws the run's own error if it failed otherwise; its items stay readable.
 */
export async function answerRun(
  runs: Pick<Runs, 'wait' | 'get'>,
  view: RunView,
  how: {
    /** Overrides the mode's execution. */
    readonly async?: boolean | undefined;
    readonly context: CallContext;
    /** The output follows the options of the call that started the run, not of this one. */
    readonly isAsStarted?: boolean;
  },
): Promise<Produced> {
  const { signal, progress, session, execution, syncWaitMs, registerAfterCompletion, aside } = how.context;
  const wait = (timeoutMs: number): Promise<RunResult | null> =>
    runs.wait(view.run_id, { timeoutMs, signal, progress, unlessUnseen: true });
  registerAfterCompletion(async () => {
    // It ends with the signal's reason, which its own end reports.
    if (signal.aborted) await wait(0).catch(() => undefined);
  });
  const isAsync = how.async ?? execution === 'async';
  const result = isAsync && !signal.aborted ? null : await aside(() => wait(isAsync ? 0 : syncWaitMs));
  if (result === null) {
    session.tools.manage('has_run');
    return produceRunReceipt(isAsync ? view : await runs.get(view.run_id));
  }
  // Other tools read and continue runs.
  if (result.view.status !== 'completed') session.tools.manage('has_run');
  const isPartial = isFailedInPart(result);
  if (result.view.status === 'failed' && !isPartial) throw failureOf(result);
  const produced = await produceAnswer(result);
  return isPartial || (how.isAsStarted === true && wantsHandle(result.view))
    ? { ...produced, deliverAs: 'handle' }
    : produced;
}
