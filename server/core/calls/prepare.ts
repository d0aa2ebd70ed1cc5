import type { StepRisk } from '../../../shared/act/risks.ts';
import type { CallScope } from '../../../shared/policy/call-facts.ts';
import type { CleanRecord } from '../../redact/clean.ts';
import { callerOf, type ClientSession, type CallContext, type Progress, type OwnAnswer } from '../context.ts';
import {
  type ToolDefinition,
  isPassedThrough,
  isResumed,
  type OwnRuntime,
  type PassedThrough,
  type ProvidedRuntime,
  type Resumed,
} from '../registry/definition.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { Redactor, Clock, Logger } from '../services.ts';
import type { People, PersonDecision } from '../people.ts';
import {
  definitionOf,
  type ToolCall,
  CANCEL_GRACE,
  callLogger,
  KeptState,
  type CompletionHooks,
} from './call.ts';
import { z } from 'zod';
import { canonicalJson, type JsonObject, defined, isObject } from '../../../shared/json.ts';
import { describeIssue } from '../../../shared/json-schema.ts';
import { SpillwayError, invalidArgument, toSpillwayError } from '../../../shared/errors.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';
import { nearestNames } from '../registry/selector.ts';
import { abortable } from '../../../shared/async.ts';
import type { Meter, Feed } from '../feed.ts';
import type { OutputMode } from '../../../shared/output/descriptor.ts';
import { resolveOutput, type OutputRequest, type Produced } from '../result.ts';

/** Why a call goes no further. The steps of the path return it; none throws. */
export class Refusal {
  readonly state: JsonObject;

  constructor(
    readonly thrown: unknown,
    state: JsonObject = {},
  ) {
    this.state = state;
  }
}

/** A call with a known tool and valid arguments. */
export interface PreparedCall {
  readonly call: ToolCall;
  readonly definition: ToolDefinition;
  /** Validated, with defaults. */
  readonly args: JsonObject;
  readonly risks: readonly StepRisk[];
  readonly scope: CallScope;
}

interface PrepareParts {
  readonly registry: ToolRegistry;
  readonly services: {
    readonly redactor: Redactor;
    readonly people: Pick<People, 'asksClients' | 'home'>;
    /** SHA-256 of a text, in hexadecimal. */
    digest(text: string): string;
  };
}

/** Finds the tool of a call, parses its arguments, and determines its risks. */
export function prepare(call: ToolCall, { registry, services }: PrepareParts): PreparedCall | Refusal {
  try {
    call.signal.throwIfAborted();
    const definition = definitionOf(registry, call);
    // The schema accepts only JSON.
    const args = validateArguments(definition.manifest, call.args) as JsonObject;
    const risks = risksOf(definition, args);
    let scope: CallScope | null = null;
    return {
      call,
      definition,
      args,
      risks,
      // Made for the first who asks: a call that reaches no browser needs none.
      get scope() {
        return (scope ??= scopeOf({ call, definition, args }, services));
      },
    };
  } catch (thrown) {
    return new Refusal(thrown);
  }
}

/** The gate gets a frozen list. */
function risksOf({ manifest }: ToolDefinition, args: JsonObject): readonly StepRisk[] {
  return Object.freeze((manifest.risksOf?.(args) ?? []).map((risk) => Object.freeze(risk)));
}

/** Longer arguments are not shown to a person: nobody would read them. */
const SHOWN_UNITS = 16_384;

function scopeOf(
  { call, definition, args }: Pick<PreparedCall, 'call' | 'definition' | 'args'>,
  { redactor, people, digest }: PrepareParts['services'],
): CallScope {
  const text = textOf(args);
  const shown: CleanRecord | null = text === null || text.length > SHOWN_UNITS ? null : redactor.value(args);
  return {
    caller: callerOf(call),
    call: {
      call_id: call.callId,
      tool: definition.manifest.name,
      title: definition.presentation.title,
      args: shown,
      is_editable: shown !== null && canonicalJson(shown) === text,
      // Arguments without text match no other call: a yes permits only this call.
      args_hash: digest(text ?? call.callId),
    },
    // The agent's own client should ask its person.
    ...(people.asksClients && call.askPerson !== undefined ? { asks: 'client' as const } : {}),
    home: people.home,
  };
}

/** Null for arguments that are nested too deeply to serialise: their tools refuse them. */
function textOf(args: JsonObject): string | null {
  try {
    return canonicalJson(args);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

const PROBLEMS_MAX = 5;

/** The fields of the object at `path` of the arguments. */
function shapeAt(schema: z.ZodObject, path: readonly PropertyKey[]): z.ZodObject['shape'] {
  let shape = schema.shape;
  for (const part of path) {
    let inner: unknown = shape[String(part)];
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
    if (!(inner instanceof z.ZodObject)) return {};
    shape = inner.shape;
  }
  return shape;
}

function describeProblem(issue: z.core.$ZodIssue, manifest: ToolManifest): string {
  const known = Object.keys(shapeAt(manifest.input, issue.path));
  if (issue.code !== 'unrecognized_keys') {
    const fields = issue.code === 'invalid_type' && known.length > 0 ? ` of ${known.join(', ')}` : '';
    return `${describeIssue(issue, 'arguments')}${fields}`;
  }
  const prefix = issue.path.map((part) => `${String(part)}.`).join('');
  const suggestions = issue.keys.slice(0, PROBLEMS_MAX).map((key) => {
    const near = nearestNames(key, known);
    return `${prefix}${key.slice(0, 80)}: unknown field${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`;
  });
  const isClear = suggestions.every((suggestion) => suggestion.endsWith('?'));
  const taken = known.length > 0 ? known.join(', ') : 'none';
  return [...suggestions, ...(isClear ? [] : [`it takes ${taken}`])].join('; ');
}

/**
 * Parses arguments by the manifest's schema.
 * @throws SpillwayError `invalid_argument` with the path of each field and the values that it takes.
 */
export function validateArguments(manifest: ToolManifest, args: unknown): Record<string, unknown> {
  const parsed = manifest.input.safeParse(args === undefined ? {} : args);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, PROBLEMS_MAX)
    .map((issue) => describeProblem(issue, manifest));
  const details = problems.join('; ');
  throw invalidArgument(`${manifest.name}: ${details}${/[.?]$/.test(details) ? '' : '.'}`);
}

/** A person has to decide about the call. */
export interface Ask {
  readonly ask: JsonObject;
}

interface AuthoriseParts {
  readonly meter: Pick<Meter, 'check'>;
  /** Null for a call that was already allowed. */
  readonly gate: Gate | null;
  /** Instance of this server. */
  readonly server: string;
}

/** The reason why a call may not run, or null. */
export async function authorise(
  prepared: PreparedCall,
  { meter, gate, server }: AuthoriseParts,
): Promise<Ask | Refusal | null> {
  const { call, definition, args, risks } = prepared;
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
    return new Refusal(new SpillwayError('call_denied', `${tool} was denied by the gate.`));
  } catch (thrown) {
    return new Refusal(thrown);
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
