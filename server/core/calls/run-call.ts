import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { MIME, type MimeType } from '../../../shared/mime.ts';
import type { CallContext } from '../context.ts';
import type { Outcome, Produced, RawPayload } from '../payload.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import { isPassedThrough, isResumed, type ProvidedRuntime } from '../registry/runtime.ts';
import type { RunScope, Runs, RunWorker } from '../runs.ts';
import { CompletionHooks, KeptState } from './call-memory.ts';
import { answerRun, type AnsweredRuns } from './run-answer.ts';

/**
 * A runtime each of whose calls is a run: started, waited for or left to itself as the call or the mode's row has it. The work
 * of the run is that which a provider brought, or one call of the runtime.
 */
export function asRun(
  runtime: ProvidedRuntime,
  { manifest, worker }: Pick<ToolDefinition, 'manifest' | 'worker'>,
  runs: AnsweredRuns & Pick<Runs, 'start'>,
): ProvidedRuntime {
  if (runtime.isRun !== true) return runtime;
  return {
    run: async (args, context) => {
      // The schema that parsed them is the one that the runtime declares.
      const given: JsonObject = args;
      const { name: tool } = manifest;
      const { session, call, signal, output } = context;
      const work = worker === undefined ? new CallWork(runtime, args, context) : undefined;
      const view = await runs.start({
        tool,
        args: given,
        source: tool,
        session,
        call,
        signal,
        output,
        callsTools: true,
        ...(work === undefined ? {} : { worker: work }),
      });
      const { async } = given;
      return answerRun(runs, view, {
        context,
        ...(typeof async === 'boolean' ? { async } : {}),
      });
    },
  };
}

/** Items of one commit: each takes its time, and readers see what is committed. */
const BATCH = 64;

/** One call of a runtime as the work of a run. It cannot be done again: it has the session and the call. */
class CallWork implements RunWorker {
  readonly #runtime: ProvidedRuntime;
  readonly #args: never;
  readonly #context: CallContext;

  constructor(runtime: ProvidedRuntime, args: never, context: CallContext) {
    this.#runtime = runtime;
    this.#args = args;
    this.#context = context;
  }

  async admit(): Promise<void> {
    await this.#runtime.admit?.(this.#args, this.#context);
  }

  async run(_stored: JsonObject, scope: RunScope): Promise<Outcome> {
    const { logger } = this.#context;
    const kept = new KeptState();
    const after = new CompletionHooks(logger);
    // A call that is cancelled while it waits says what its run has come to.
    this.#context.keepState(() => kept.of(NO_ERROR));
    let isSuccess = false;
    try {
      const produced = await this.#runtime.run(this.#args, this.#contextIn(scope, kept, after));
      if (isPassedThrough(produced) || isResumed(produced))
        throw new SpillwayError('internal_error', 'The work of a run returned no output of its own.');
      const outcome = await this.#commit(produced, scope);
      isSuccess = true;
      return outcome;
    } catch (thrown) {
      throw withState(toSpillwayError(thrown), kept);
    } finally {
      await after.run({ isSuccess });
    }
  }

  #contextIn(scope: RunScope, kept: KeptState, after: CompletionHooks): CallContext {
    return {
      ...this.#context,
      signal: scope.signal,
      keepState: kept.keep,
      execution: 'sync',
      syncWaitMs: Infinity,
      progress: ({ done, total = done, message }) =>
        scope.progress({
          done,
          queued: Math.max(0, total - done),
          failed: 0,
          ...(message === undefined ? {} : { message }),
        }),
      registerAfterCompletion: after.add,
    };
  }

  async #commit(produced: Produced, scope: RunScope): Promise<Outcome> {
    produced.done.catch(() => undefined);
    // The whole would be kept.
    if ('pick' in produced) throw new SpillwayError('internal_error', 'The work of a run picks nothing.');
    const single = await commitPayload('clean' in produced ? produced.clean : produced.payload, scope);
    const outcome = await produced.done;
    const source = produced.untrustedFrom?.() ?? null;
    return { ...outcome, source, ...(single === null ? {} : { single }) };
  }
}

/** Commits a payload as items. Returns its type where its one item is all of it, else null. */
async function commitPayload(payload: RawPayload, { commit }: RunScope): Promise<MimeType | null> {
  if (payload.kind === 'json') {
    if (Array.isArray(payload.value)) await commit({ items: payload.value });
    else await commit({ items: [payload.value] });
    return Array.isArray(payload.value) ? null : MIME.json;
  }
  if (payload.kind === 'text') {
    let text = '';
    for await (const chunk of payload.chunks) text += chunk;
    await commit({ items: [text] });
    return payload.mimeType;
  }
  if (payload.kind === 'bytes') {
    const chunks: Uint8Array[] = [];
    for await (const chunk of payload.chunks) chunks.push(Buffer.from(chunk));
    const data = Buffer.concat(chunks).toString('base64');
    await commit({ items: [{ mime_type: payload.mimeType, base64: data }] });
    return MIME.json;
  }
  let batch: JsonValue[] = [];
  for await (const item of payload.items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    await commit({ items: batch });
    batch = [];
  }
  if (batch.length > 0) await commit({ items: batch });
  return null;
}

const NO_ERROR = new SpillwayError('internal_error', '');

/** The same error with what the work had come to. */
function withState(error: SpillwayError, kept: KeptState): SpillwayError {
  const { code, message, hint, retryable, tabId, questionId, body } = error;
  const state = kept.of(error);
  return new SpillwayError(code, message, { hint, retryable, tabId, questionId, body, state, cause: error });
}
