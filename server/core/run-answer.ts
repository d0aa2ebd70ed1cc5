import type { JsonObject } from '../../shared/json.ts';
import { MIME } from '../../shared/mime.ts';
import type { CallContext } from './context.ts';
import type { Produced } from './payload.ts';
import { produceJson } from './produce.ts';
import type { RunResult, Runs, RunView } from './runs.ts';

/** A run as an answer: its id, status and progress, never its items. */
export function describeRun(view: RunView): JsonObject {
  const { run_id, tool, status, progress, items, error, output_handle } = view;
  return {
    run_id,
    tool,
    status,
    progress: { ...progress },
    items,
    ...(error === null ? {} : { error: { ...error } }),
    ...(output_handle === null ? {} : { output_handle }),
  };
}

/** Answers the run id: the output comes by `run_output`. */
export function produceRunReceipt(view: RunView): Produced {
  const { run_id, status, progress } = view;
  return { ...produceJson({ run_id, status, progress: { ...progress } }), deliverAs: 'inline' };
}

/** Answers the items of a run that has ended. */
export function produceRunResult(result: RunResult, untrustedFrom: string): Produced {
  const { view, outcome, redacted } = result;
  return {
    payload: { kind: 'items', mimeType: MIME.json, items: result.items(), verbatim: true },
    done: Promise.resolve({ ...outcome, state: { ...outcome.state, ...describeRun(view) } }),
    untrustedFrom: () => untrustedFrom,
    redacted,
    ...(view.output_handle === null ? {} : { sealed: view.output_handle }),
  };
}

/**
 * Waits for a run as long as a call may (`--sync-wait-ms`), then answers its items, or its id while
 * it goes on. `async` answers the id at once.
 */
export async function answerRun(
  runs: Runs,
  view: RunView,
  how: {
    readonly async: boolean;
    readonly syncWaitMs: number;
    readonly untrustedFrom: string;
    readonly context: CallContext;
  },
): Promise<Produced> {
  if (how.async) return produceRunReceipt(view);
  const { signal, progress } = how.context;
  const result = await runs.wait(view.run_id, { timeoutMs: how.syncWaitMs, signal, progress });
  if (result === null) return produceRunReceipt(await runs.get(view.run_id));
  return produceRunResult(result, how.untrustedFrom);
}
