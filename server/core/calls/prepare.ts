import { abortable } from '../../../shared/base/async.ts';
import type { StepRisk } from '../../../shared/core/policy/call-risks.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { defined, type JsonObject } from '../../../shared/base/json.ts';
import type { OutputMode } from '../../../shared/core/descriptor.ts';
import type { CallScope } from '../../../shared/core/policy/call-facts.ts';
import {
  type AskPerson,
  type ClientSession,
  type CallContext,
  type OwnAnswer,
  type SampleModel,
  type StepAside,
} from '../context.ts';
import type { LiveFeed } from '../../activity/feed.ts';
import type { LiveMeter } from '../../activity/meter.ts';
import type { OutputPolicy } from '../output/policy.ts';
import type { ActRecord } from '../../people/act-record.ts';
import type { KeptQuestions } from '../../people/kept-calls.ts';
import type { PersonDecision } from '../people.ts';
import {
  type ToolDefinition,
  type OwnRuntime,
  type PassedThrough,
  type ProvidedRuntime,
  type Resumed,
} from '../registry/definition.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import { resolveOutput, type OutputRequest, type Produced, type ToolResult } from '../result.ts';
import type { Clock, Journal, Logger, Redactor } from '../services.ts';
import {
  CANCEL_GRACE,
  definitionOf,
  buildErrorState,
  type CallRecord,
  type CompletionHooks,
  type KnownState,
  type ToolCall,
  runOwn,
} from './call.ts';
import { parseArguments, type ParsedArguments } from './arguments.ts';
import { scopeOf, withFiles, type ScopeServices } from './scope.ts';

/** Why a call goes no further. The steps of the path return it; none throws. */
export class CallRefusal {
  constructor(
    readonly thrown: unknown,
    readonly state: JsonObject = {},
  ) {}
}

export interface ExecutorServices extends ScopeServices {
  readonly policy: OutputPolicy;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gate: Gate;
  readonly kept: Pick<KeptQuestions, 'keep' | 'take' | 'forget' | 'leave' | 'adopt'>;
  readonly acts: Pick<ActRecord, 'begin' | 'end'>;
  readonly journal: Pick<Journal, 'record'>;
  readonly feed: Pick<LiveFeed, 'begun' | 'progress' | 'ended'>;
  /** {@link CallContext.leaves} for a call. */
  leaves(scope: CallScope, site: string, signal: AbortSignal): Promise<void>;
  /** Instance of this server. */
  readonly server: string;
  /** @throws SpillwayError `api_not_found` for an api that the identifier's runtimes lack */
  runtime(identifier: string, api: string): Promise<OwnRuntime>;
}

export interface ExecutorOptions {
  readonly registry: ToolRegistry;
  /** Loaded with the first call, so that a start loads only what a list needs. */
  readonly services: () => Promise<ExecutorServices>;
  /** For failures before the services are loaded, too. */
  readonly redactor: Redactor;
  readonly outputModeDefault: OutputMode;
  /** Nonce fences around page text (`--content-boundaries`). */
  readonly contentBoundaries: boolean;
  /** `--sync-wait-ms`. */
  readonly syncWaitMs: number;
  readonly meter: Pick<LiveMeter, 'check' | 'warning' | 'countAnswer' | 'countSent'>;
  /** Puts the commands of this installation into a text. */
  readonly ownCommands: (text: string) => string;
  /** Called with each call that has ended. */
  readonly ended?: (call: ToolCall, result: ToolResult) => void;
}

/** Options, services, and the record that is kept with them. */
export type LoadedServices = ExecutorOptions & ExecutorServices & { readonly record: CallRecord };

/** A call with a known tool and valid arguments. */
export interface PreparedCall extends Pick<ParsedArguments, 'given' | 'coerced'> {
  readonly call: ToolCall;
  readonly definition: ToolDefinition;
  /** Validated, with defaults. */
  readonly args: JsonObject;
  readonly risks: readonly StepRisk[];
  readonly scope: CallScope;
  readonly sends: CallContext['sends'];
}

/** Finds the tool of a call, parses its arguments, and determines its risks. */
export function prepare(call: ToolCall, services: LoadedServices): PreparedCall | CallRefusal {
  try {
    call.signal.throwIfAborted();
    const definition = definitionOf(services.registry, call);
    // The schema accepts only JSON.
    const { given, coerced, ...parsed } = parseArguments(definition.manifest, call.args);
    const args = parsed.args as JsonObject;
    const risks = risksOf(definition, args);
    let scope: CallScope | null = null;
    const prepared: PreparedCall = {
      call,
      definition,
      args,
      given,
      coerced,
      risks,
      // Built on first use: a call that reaches no browser needs none.
      get scope() {
        return (scope ??= scopeOf({ call, definition, args }, services));
      },
      sends: (files, texts) =>
        void (scope = withFiles({ scope: prepared.scope, of: call }, files, services, texts)),
    };
    return prepared;
  } catch (thrown) {
    return new CallRefusal(thrown);
  }
}

/** The gate gets a frozen list. */
const risksOf = ({ manifest }: ToolDefinition, args: JsonObject): readonly StepRisk[] =>
  Object.freeze((manifest.risksOf?.(args) ?? []).map((risk) => Object.freeze(risk)));

/** A person has to decide about the call. */
export interface Ask {
  readonly ask: JsonObject;
}

/** The reason why a call may not run, or null. A call that was already allowed has no gate. */
export async function authorise(
  { call, definition, args, risks }: PreparedCall,
  { meter, gate, server }: Pick<LoadedServices, 'meter' | 'server'> & { readonly gate: Gate | null },
): Promise<Ask | CallRefusal | null> {
  const { callId, session, signal, tool } = call;
  try {
    if (!isUnbudgeted(definition)) meter.check(session);
    if (gate === null) return null;
    // Turns a synchronous throw of the gate into a rejection.
    const checking = async (): Promise<GateDecision> =>
      gate.check({ callId, definition, args, risks, session, server, signal });
    const decision = await abortable(checking(), signal, CANCEL_GRACE);
    if (isAllowed(decision)) return null;
    if ('ask' in decision) return { ask: decision.ask };
    return new CallRefusal(new SpillwayError('call_denied', `${tool} was denied by the gate.`));
  } catch (thrown) {
    return new CallRefusal(thrown);
  }
}

/** Provider tools cannot claim this for themselves. */
const isUnbudgeted = ({ manifest, runtime, own }: ToolDefinition): boolean =>
  manifest.flags.unbudgeted && runtime === undefined && own === undefined;

/** A call that is about to run: validated, not started. */
export interface GatedCall {
  /** The id for the decision. */
  readonly callId: string;
  /** The tool, with its risk and annotations in `manifest`. */
  readonly definition: ToolDefinition;
  /** As they will run: validated, with defaults. */
  readonly args: JsonObject;
  /** {@link ToolManifest.risksOf} of its arguments. */
  readonly risks: readonly StepRisk[];
  /** The calling client: its name, version and id. */
  readonly session: ClientSession;
  /** Instance of this server, as in the ledger. */
  readonly server: string;
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal;
}

/** `ask` makes the call pending; `interaction` is the question. */
export type GateDecision = { readonly allow: true } | { readonly ask: JsonObject };

/**
 * A program's own decision, before anything touches a page; rules of people are judged in the extension. It
 * is asked once per call: its answer to `Questions.ask` also applies to the execution.
 * @throws SpillwayError to refuse
 */
export interface Gate {
  check(call: GatedCall): Promise<GateDecision>;
}

/** Lets every call through. */
export const openGate: Gate = { check: async () => ({ allow: true }) };

/** Any answer of a gate that is not a clear yes means no. */
const isAllowed = (decision: GateDecision): boolean =>
  'allow' in decision && decision.allow === true && !('ask' in decision);

export type Decision = PersonDecision;

export type Work =
  | { readonly produced: Produced; readonly output: OutputRequest; readonly kept: KnownState }
  | { readonly passed: PassedThrough }
  | { readonly resumed: Resumed['resumed'] }
  | { readonly own: OwnAnswer };

/** When a browser's policy asks, nothing has been done yet. */
export interface BrowserAsks {
  /** `b1:q_…` */
  readonly questionId: string;
  readonly message: string;
  /** Refuses the call instead if it cannot wait. */
  readonly refuse: (thrown: unknown) => CallRefusal;
}

/** Does the work of a call. A runtime that ignores its signal is abandoned. */
export async function perform(
  prepared: PreparedCall,
  services: LoadedServices,
  path: { readonly hooks: CompletionHooks; readonly aside: StepAside },
): Promise<Work | BrowserAsks | CallRefusal> {
  const { call, definition, args } = prepared;
  const { manifest, own } = definition;
  const kept: KnownState = [];
  try {
    const modeDefault = call.recipe === undefined ? services.outputModeDefault : 'inline';
    const output = resolveOutput(manifest, args, modeDefault);
    const context = contextOf(prepared, services, { ...path, output, kept });
    if (own !== undefined) {
      call.signal.throwIfAborted();
      const working = (): Promise<OwnAnswer> =>
        abortable(runOwn(own, args, context), call.signal, CANCEL_GRACE);
      // It may make calls itself.
      return { own: await path.aside(working) };
    }
    const loading: Promise<ProvidedRuntime> =
      definition.runtime?.() ?? services.runtime(manifest.identifier, manifest.api);
    const runtime = await abortable(loading, call.signal, CANCEL_GRACE);
    // The gate and loading take time: a call cancelled meanwhile starts nothing.
    call.signal.throwIfAborted();
    const produced = await start(runtime, args, context);
    if ('passed' in produced) return { passed: produced };
    if ('resumed' in produced) return produced;
    return { produced, output, kept };
  } catch (thrown) {
    return buildQuestionOrRefusal(thrown, kept);
  }
}

/**
 * Turns an error from a call's work into its end: a browser's question, or a refusal.
 * @param produced the state that the payload knows
 */
export function buildQuestionOrRefusal(
  thrown: unknown,
  kept: KnownState,
  produced?: JsonObject,
): BrowserAsks | CallRefusal {
  const refuse = (why: unknown): CallRefusal =>
    new CallRefusal(why, buildErrorState(kept, toSpillwayError(why), produced));
  const { questionId, message } = toSpillwayError(thrown);
  return questionId === undefined ? refuse(thrown) : { questionId, message, refuse };
}

function start(
  runtime: ProvidedRuntime,
  args: JsonObject,
  context: CallContext,
): Promise<Produced | PassedThrough | Resumed> {
  // The schema that parsed `args` is the runtime's own: the registry pairs them.
  return abortable(runtime(args as never, context), context.signal, CANCEL_GRACE);
}

/** A question to a person or a model, during which other calls work. */
const asideOf = <Given, Answer>(
  ask: ((given: Given, signal: AbortSignal) => Promise<Answer>) | undefined,
  aside: StepAside,
) => ask && ((given: Given, signal: AbortSignal) => aside(() => ask(given, signal)));

function contextOf(
  prepared: PreparedCall,
  { clock, feed, redactor, syncWaitMs, leaves }: LoadedServices,
  how: {
    readonly hooks: CompletionHooks;
    readonly aside: StepAside;
    readonly output: OutputRequest;
    readonly kept: KnownState;
  },
): CallContext {
  const { call, definition } = prepared;
  const { hooks, aside, output, kept } = how;
  const { pages, rank, selector } = call;
  const askPerson: AskPerson | undefined = asideOf(call.askPerson, aside);
  const sample: SampleModel | undefined = asideOf(call.sample, aside);
  return {
    callId: call.callId,
    session: call.session,
    sends: (files, texts) => prepared.sends(files, texts),
    get call() {
      return prepared.scope;
    },
    leaves: async (site, text) => {
      if (text !== undefined) prepared.sends({ [site]: text });
      await leaves(prepared.scope, site, call.signal);
    },
    givenNames: prepared.given,
    signal: call.signal,
    // A listener cannot make the tool fail, and is not called after the tool's end.
    progress: (progress) => {
      if (hooks.hasRun) return;
      feed.progress(call, progress);
      try {
        call.progress?.(progress, output);
      } catch (thrown) {
        hooks.logger.warn({ err: thrown }, 'a progress listener failed');
      }
    },
    keepState: (known) => void kept.push(known),
    output,
    execution: definition.row.execution,
    syncWaitMs: call.syncWaitMs ?? syncWaitMs,
    step: call.step ?? null,
    ...defined({ askPerson, pages, rank, sample, selector }),
    logger: hooks.logger,
    clock,
    redact: (text) => redactor.text(text),
    registerAfterCompletion: hooks.add,
    aside,
  };
}
