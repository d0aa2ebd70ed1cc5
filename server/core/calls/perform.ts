import { abortable } from '../../../shared/async.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { defined, isObject, type JsonObject } from '../../../shared/json.ts';
import type { OutputMode } from '../../../shared/output/descriptor.ts';
import { callLogger, CANCEL_GRACE, type ToolCall, KeptState, type CompletionHooks } from './call.ts';
import type { CallContext, Progress, OwnAnswer } from '../context.ts';
import type { Feed } from '../feed.ts';
import { resolveOutput, type OutputRequest, type Produced } from '../result.ts';
import {
  isPassedThrough,
  isResumed,
  type OwnRuntime,
  type PassedThrough,
  type ProvidedRuntime,
  type Resumed,
} from '../registry/definition.ts';
import type { Clock, Logger, Redactor } from '../services.ts';
import { Refusal, type PreparedCall } from './prepare.ts';

export type Work =
  | { readonly produced: Produced; readonly output: OutputRequest; readonly kept: KeptState }
  | { readonly passed: PassedThrough }
  | { readonly resumed: Resumed['resumed'] }
  | { readonly own: OwnAnswer };

/** When a browser's policy asks, nothing has been done yet. */
export interface BrowserAsks {
  /** `b1:q_…` */
  readonly questionId: string;
  readonly message: string;
  /** Refuses the call instead if it cannot wait. */
  readonly refuse: (thrown: unknown) => Refusal;
}

interface PerformParts {
  readonly services: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly redactor: Redactor;
    readonly feed: Feed;
    runtime(identifier: string, api: string): Promise<OwnRuntime>;
  };
  readonly options: { readonly outputModeDefault: OutputMode; readonly syncWaitMs: number };
  readonly hooks: CompletionHooks;
}

/** Does the work of a call. A runtime that ignores its signal is abandoned. */
export async function perform(
  prepared: PreparedCall,
  parts: PerformParts,
): Promise<Work | BrowserAsks | Refusal> {
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
      // Turns a synchronous throw into a rejection.
      const working = async (): Promise<OwnAnswer> => own.run(args, context);
      return { own: await abortable(working(), call.signal, CANCEL_GRACE) };
    }
    const loading: Promise<ProvidedRuntime> =
      definition.runtime?.() ?? services.runtime(manifest.identifier, manifest.api);
    const runtime = await abortable(loading, call.signal, CANCEL_GRACE);
    // The gate and loading take time: a call cancelled meanwhile starts nothing.
    call.signal.throwIfAborted();
    const produced = await start(runtime, args, context);
    if (isPassedThrough(produced)) return { passed: produced };
    if (isResumed(produced)) return produced;
    return { produced, output, kept };
  } catch (thrown) {
    return askedOrRefused(thrown, kept);
  }
}

/**
 * Turns an error from a call's work into its end: a browser's question, or a refusal.
 * @param produced the state that the payload knows
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
  // The schema that parsed `args` is the runtime's own: the registry pairs them.
  const working = runtime(args as never, context).then((produced) => {
    // The first failure is reported and later ones are dropped, but each rejection must be handled.
    if ('done' in produced) produced.done.catch(() => undefined);
    return produced;
  });
  return abortable(working, context.signal, CANCEL_GRACE);
}

function contextOf(
  prepared: PreparedCall,
  parts: PerformParts & { readonly output: OutputRequest; readonly kept: KeptState },
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
    step: call.step ?? null,
    ...defined({ askPerson, pages, rank, sample, selector }),
    logger: hooks.logger,
    clock,
    redact: (text) => redactor.text(text),
    registerAfterCompletion: hooks.add,
  };
}

/** A listener cannot make the tool fail, and is not called after the tool's end. */
function reportProgress(
  call: ToolCall,
  progress: Progress,
  { services, output, hooks }: PerformParts & { readonly output: OutputRequest },
): void {
  if (hooks.hasRun) return;
  services.feed.progress(call, progress);
  try {
    call.progress?.(progress, output);
  } catch (thrown) {
    callLogger(services.logger, call).warn({ err: thrown }, 'a progress listener failed');
  }
}
