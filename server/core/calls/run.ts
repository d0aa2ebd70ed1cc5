import { abortable } from '../../../shared/async/wait.ts';
import { toSpillwayError, SpillwayError } from '../../../shared/errors.ts';
import { defined, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { OutputMode } from '../../../shared/output/mode.ts';
import { CANCEL_GRACE, type ToolCall, KeptState, CompletionHooks } from './call.ts';
import type { CallContext, Progress, OwnAnswer } from '../context.ts';
import type { Feed } from '../feed.ts';
import { callLogger } from '../log.ts';
import {
  resolveOutput,
  type OutputRequest,
  type Produced,
  type Outcome,
  type RawPayload,
} from '../result.ts';
import {
  isPassedThrough,
  isResumed,
  type OwnRuntime,
  type PassedThrough,
  type ProvidedRuntime,
  type Resumed,
  type ToolDefinition,
} from '../registry/definition.ts';
import type { Runs, RunScope, RunWorker } from '../runs.ts';
import type { Clock, Logger, Redactor } from '../services.ts';
import { Refusal, type PreparedCall } from './prepare.ts';
import { MIME, type MimeType } from '../../../shared/mime.ts';
import { answerRun, type AnsweredRuns } from './produce.ts';

/** What the work of a call came to. */
export type Work =
  | { readonly produced: Produced; readonly output: OutputRequest; readonly kept: KeptState }
  | { readonly passed: PassedThrough }
  | { readonly resumed: Resumed['resumed'] }
  | { readonly own: OwnAnswer };

/** A browser whose policy asks has done nothing yet. */
export interface BrowserAsks {
  /** `b1:q_…` */
  readonly questionId: string;
  readonly message: string;
  /** Refuses the call instead, where it cannot wait. */
  readonly refuse: (thrown: unknown) => Refusal;
}

interface RunParts {
  readonly services: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly redactor: Redactor;
    readonly feed: Feed;
    readonly runs: Pick<Runs, 'start' | 'wait' | 'get'>;
    runtime(identifier: string, api: string): Promise<OwnRuntime>;
  };
  readonly options: { readonly outputModeDefault: OutputMode; readonly syncWaitMs: number };
  readonly hooks: CompletionHooks;
}

/** Does the work of a call. A runtime that ignores its signal is abandoned. */
export async function run(prepared: PreparedCall, parts: RunParts): Promise<Work | BrowserAsks | Refusal> {
  const { call, definition, args } = prepared;
  const { services, options } = parts;
  const { manifest, own } = definition;
  const kept = new KeptState();
  try {
    const modeDefault = call.recipe === undefined ? options.outputModeDefault : 'inline';
    const output = resolveOutput(manifest, args, modeDefault);
    const context = contextOf(prepared, { ...parts, output, kept });
    if (own !== undefined) {
      call.signal.throwIfAborted();
      // One that throws at once does so here as if it had waited.
      const working = async (): Promise<OwnAnswer> => own.run(args, context);
      return { own: await abortable(working(), call.signal, CANCEL_GRACE) };
    }
    const loading: Promise<ProvidedRuntime> =
      definition.runtime?.() ?? services.runtime(manifest.identifier, manifest.api);
    const runtime = await abortable(loading, call.signal, CANCEL_GRACE);
    // The gate and the loading take their time: what was cancelled meanwhile starts nothing.
    call.signal.throwIfAborted();
    const produced = await start(asRun(runtime, definition, services.runs), args, context);
    if (isPassedThrough(produced)) return { passed: produced };
    if (isResumed(produced)) return produced;
    return { produced, output, kept };
  } catch (thrown) {
    return askedOrRefused(thrown, kept);
  }
}

/**
 * What threw while it worked for a call, as its end: the question of a browser, or a refusal.
 * @param produced what the payload knows of the state
 */
export function askedOrRefused(
  thrown: unknown,
  kept: KeptState,
  produced?: JsonObject,
): BrowserAsks | Refusal {
  const refuse = (why: unknown): Refusal => new Refusal(why, kept.of(toSpillwayError(why), produced));
  const { questionId, message } = toSpillwayError(thrown);
  return questionId === undefined ? refuse(thrown) : { questionId, message, refuse };
}

function start(
  runtime: ProvidedRuntime,
  args: JsonObject,
  context: CallContext,
): Promise<Produced | PassedThrough | Resumed> {
  // The schema that parsed `args` is the one that the runtime declares: the registry pairs them.
  const working = runtime.run(args as never, context).then((produced) => {
    // The first failure is reported, and later ones are dropped, but each rejection must be handled.
    if ('done' in produced) produced.done.catch(() => undefined);
    return produced;
  });
  return abortable(working, context.signal, CANCEL_GRACE);
}

/** Of the time that a call waits: what its work may spend on a person's decision. */
const PERSON_SHARE = 0.8;

/** What a runtime knows of the call that it works for, and of the server's defaults. */
function contextOf(
  prepared: PreparedCall,
  parts: RunParts & { readonly output: OutputRequest; readonly kept: KeptState },
): CallContext {
  const { call, definition } = prepared;
  const { services, output, kept, hooks } = parts;
  const { clock, redactor } = services;
  const { askPerson, pages, rank, sample, selector } = call;
  const waitMs = call.syncWaitMs ?? parts.options.syncWaitMs;
  return {
    callId: call.callId,
    session: call.session,
    get call() {
      return prepared.scope;
    },
    givenNames: isObject(call.args) ? Object.keys(call.args) : [],
    signal: call.signal,
    progress: (progress) => reportProgress(call, progress, parts),
    keepState: kept.keep,
    output,
    execution: definition.row.execution,
    syncWaitMs: waitMs,
    personWaitMs: waitMs * PERSON_SHARE,
    step: call.step ?? null,
    ...defined({ askPerson, pages, rank, sample, selector }),
    logger: hooks.logger,
    clock,
    redact: (text) => redactor.text(text),
    registerAfterCompletion: hooks.add,
  };
}

/** A listener cannot make the tool fail, and is not called after its end. */
function reportProgress(
  call: ToolCall,
  progress: Progress,
  { services, output, hooks }: RunParts & { readonly output: OutputRequest },
): void {
  if (hooks.hasRun) return;
  services.feed.progress(call, progress);
  try {
    call.progress?.(progress, output);
  } catch (thrown) {
    callLogger(services.logger, call).warn({ err: thrown }, 'a progress listener failed');
  }
}

/**
 * A runtime each of whose calls is a run: started, waited for or left to itself as the call or the mode's row has it. The work
 * of the run is that which a provider brought, or one call of the runtime.
 */
function asRun(
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
      const error = toSpillwayError(thrown);
      throw error.with({ state: kept.of(error) });
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
