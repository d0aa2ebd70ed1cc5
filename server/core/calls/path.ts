import { toSpillwayError, type SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { OutputMode } from '../../../shared/output/descriptor.ts';
import type { Feed, Meter } from '../feed.ts';
import type { KeptCalls, ActRecord, People } from '../people.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { OwnRuntime } from '../registry/definition.ts';
import type { ToolResult } from '../result.ts';
import type { Clock, Journal, Logger, Redactor } from '../services.ts';
import type { OutputPolicy } from '../output.ts';
import { callLogger, cancellation, CompletionHooks, type ToolCall, type CallRecord } from './call.ts';
import { deliver, presentFailure, type Approval } from './deliver.ts';
import { UNRECORDED_NOTE, failureResult, fitHint, fitNames, stackOf, withNote } from './results.ts';
import {
  authorise,
  prepare,
  Refusal,
  type Ask,
  type Gate,
  type PreparedCall,
  perform,
  type BrowserAsks,
} from './prepare.ts';

export interface ExecutorServices {
  readonly policy: OutputPolicy;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gate: Gate;
  readonly people: People;
  readonly kept: KeptCalls;
  readonly acts: ActRecord;
  readonly journal: Pick<Journal, 'record'>;
  readonly feed: Feed;
  /** Instance of this server. */
  readonly server: string;
  /** SHA-256 of a text, in hexadecimal. */
  digest(text: string): string;
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
  readonly meter: Meter;
  /** Puts the commands of this installation into a text. */
  readonly ownCommands: (text: string) => string;
  /** Called with each call that has ended. */
  readonly ended?: (call: ToolCall, result: ToolResult) => void;
}

/** Services and the record that is kept with them. */
export type LoadedServices = ExecutorServices & { readonly record: CallRecord };

export interface Entry extends Approval {
  /** It was already allowed: the gate is not asked again. */
  readonly isAllowed: boolean;
}

export interface PathParts {
  readonly options: ExecutorOptions;
  readonly load: () => Promise<LoadedServices>;
  /** Lets a call wait for a person. */
  readonly wait: (prepared: PreparedCall, asked: Ask | BrowserAsks) => ToolResult | Refusal;
  /** Whether a browser asks: then the call ends by itself. */
  readonly isRaised: (answer: ToolResult) => boolean;
}

/**
 * The path of every call: prepare → authorise → perform → deliver → record. Each step returns the next one's
 * input, or a {@link Refusal}. It never throws: each end is a {@link ToolResult}, including a question to a
 * person.
 */
export async function takePath(call: ToolCall, entry: Entry, parts: PathParts): Promise<ToolResult> {
  const { options, load } = parts;
  const services = await load().catch((thrown: unknown) => new Refusal(thrown));
  if (services instanceof Refusal) return refuse(call, services, options);
  const { record, logger, clock } = services;
  const hooks = new CompletionHooks(callLogger(logger, call));
  const begunAt = clock.monotonic();
  record.begun(call);
  const prepared = prepare(call, { registry: options.registry, services });
  const answer =
    prepared instanceof Refusal ? prepared : await answerOf(prepared, { entry, services, hooks, parts });
  const durationMs = Math.round(clock.monotonic() - begunAt);
  const ended = answer instanceof Refusal ? refuse(call, answer, options, logger) : answer;
  let result = await withLedger(call, ended, services);
  const end = {
    isPerformed: true,
    isRaised: parts.isRaised(result),
    risks: prepared instanceof Refusal ? [] : prepared.risks,
    durationMs,
    approvedBy: entry.approvedBy,
  };
  try {
    record.ended({ call, result, ...end });
  } catch (thrown) {
    result = refuse(call, new Refusal(thrown), options, logger);
    record.ended({ call, result, ...end });
  }
  const cleanedUp = hooks.run({ isSuccess: result.ok });
  // The canceller no longer waits.
  if (!call.signal.aborted) await cleanedUp;
  return result;
}

interface AnswerParts {
  readonly parts: PathParts;
  readonly entry: Entry;
  readonly services: LoadedServices;
  readonly hooks: CompletionHooks;
}

/** From a prepared call to its answer, which may be a question to a person. */
async function answerOf(
  prepared: PreparedCall,
  { parts, entry, services, hooks }: AnswerParts,
): Promise<ToolResult | Refusal> {
  const { options, wait } = parts;
  const { server, gate } = services;
  const { meter, contentBoundaries } = options;
  const permission = await authorise(prepared, { meter, server, gate: entry.isAllowed ? null : gate });
  if (permission instanceof Refusal) return permission;
  if (permission !== null) return wait(prepared, permission);
  const work = await perform(prepared, { options, services, hooks });
  if (work instanceof Refusal) return work;
  if ('questionId' in work) return wait(prepared, work);
  const { call } = prepared;
  const answer = await deliver(prepared, work, {
    services,
    meter,
    contentBoundaries,
    approval: entry,
    fitNote: (text) => options.ownCommands(fitNames(text, call, options.registry)),
    fitHint: (text) => fitHint(text, call, options),
  });
  return 'questionId' in answer ? wait(prepared, answer) : answer;
}

function refuse(
  call: ToolCall,
  { thrown, state }: Refusal,
  options: ExecutorOptions,
  logger?: Logger,
): ToolResult {
  const error = call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown);
  if (error.code === 'internal_error' && logger !== undefined) {
    const stack = stackOf(thrown) ?? error.message;
    callLogger(logger, call).error({ stack }, 'call failed');
  }
  return failure(call, error, options, state);
}

/** A redacted failure in the mode's format. */
export function failure(
  call: ToolCall,
  error: SpillwayError,
  options: Pick<ExecutorOptions, 'registry' | 'redactor' | 'ownCommands'>,
  state?: JsonObject,
): ToolResult {
  const { registry, redactor, ownCommands } = options;
  const known = { state, message: ownCommands(error.message), hint: fitHint(error.hint, call, options) };
  return presentFailure(failureResult(error, redactor, known), registry.find(call.tool));
}

/** Writes to the ledger how the acts of a call have ended. */
async function withLedger(call: ToolCall, result: ToolResult, { acts }: LoadedServices): Promise<ToolResult> {
  const recorded = acts.end(call.callId, result);
  // The canceller no longer waits.
  if (recorded === null || call.signal.aborted || (await recorded)) return result;
  return withNote(result, UNRECORDED_NOTE);
}
