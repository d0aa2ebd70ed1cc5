import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { OutputMode } from '../../shared/output/mode.ts';
import { fence } from './boundaries.ts';
import { cancelledBy, type ToolCall } from './call.ts';
import { journalEntry } from './call-journal.ts';
import type { CallContext } from './context.ts';
import type { ToolDefinition } from './definition.ts';
import { failureResult, passedResult, pendingResult } from './funnel.ts';
import type { Decision, Gate } from './gate.ts';
import { callLogger } from './log-feed.ts';
import { boundNotes, redactionNotes, untrustedNote } from './notes.ts';
import type { Payload, Produced, RedactionReport } from './payload.ts';
import { PendingCalls } from './pending.ts';
import type { ToolRegistry } from './registry.ts';
import type { ToolResult } from './result.ts';
import type { PassedThrough, ProvidedRuntime, ToolRuntime } from './runtime.ts';
import type { Clock, Delivered, Journal, Logger, OutputPolicy, Redactor } from './services.ts';
import { validateArguments } from './validate.ts';
import { orLeft } from './within.ts';

/** What the executor needs of the rest of the server. */
export interface ExecutorServices {
  readonly policy: OutputPolicy;
  readonly redactor: Redactor;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gate: Gate;
  /** @throws SpillwayError `api_not_found` for an api that the identifier's runtimes lack */
  runtime(identifier: string, api: string): Promise<ToolRuntime>;
}

export interface ExecutorOptions {
  readonly registry: ToolRegistry;
  /** Loaded with the first call, so that a start reads nothing that a list does not need. */
  readonly services: () => Promise<ExecutorServices>;
  readonly outputModeDefault: OutputMode;
  /** Nonce fences around page text (`--content-boundaries`). */
  readonly contentBoundaries: boolean;
  /** `--sync-wait-ms`. */
  readonly syncWaitMs: number;
}

const DEFAULT_ENVELOPE_BYTES = 256;
/** Two fences of `fence()` with room for their blocks. */
const FENCES_BYTES = 320;

/** A call on its way through the pipeline. */
interface Step {
  readonly call: ToolCall;
  readonly services: ExecutorServices;
  /** Tasks for after its end. */
  readonly afterCompletion: (() => void | Promise<void>)[];
  /** A person allowed it: the gate is not asked again. */
  readonly isApproved: boolean;
}

/**
 * The one pipeline of every call, be it plain, a task, or the start of a run: validate → authorise →
 * run → redact → output policy → funnel → journal. It never throws; every end is a {@link ToolResult}.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #pending = new PendingCalls();
  readonly #underWay = new Map<string, Promise<ToolResult>>();

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  get registry(): ToolRegistry {
    return this.#options.registry;
  }

  /** A call under an id that is under way or pending meets that call, and starts nothing. */
  execute(call: ToolCall): Promise<ToolResult> {
    const { callId } = call;
    const answer = this.#pending.answerOf(callId);
    if (answer !== undefined) return Promise.resolve(answer);
    const known = this.#underWay.get(callId);
    if (known !== undefined) return known;
    const running = this.#perform(call, false).finally(() => this.#underWay.delete(callId));
    this.#underWay.set(callId, running);
    return running;
  }

  /**
   * Decides a call that is pending, and executes it when it was approved. Answers its end.
   * @throws SpillwayError `call_not_pending` for one that was decided before, or never asked for.
   */
  decide(callId: string, decision: Decision): Promise<ToolResult> {
    return this.#pending.decide(callId, decision, async (call) => {
      if (decision.approve) {
        // The request that asked was answered long ago: the end of its session still ends the call.
        const signal = AbortSignal.any([call.signal, call.session.signal]);
        return this.#perform({ ...call, signal, args: decision.args ?? call.args }, true);
      }
      const { redactor } = await this.#options.services();
      const reason = decision.reason === undefined ? '' : `: ${decision.reason}`;
      return failureResult(
        new SpillwayError('call_denied', `${call.tool} was refused by ${decision.by}${reason}.`),
        redactor,
      );
    });
  }

  /**
   * Asks whether a person has to allow a call, and executes nothing: null when it may go on, or when
   * its execution will say what is wrong with it; else it is pending from now on.
   */
  async ask(call: ToolCall): Promise<ToolResult | null> {
    const answer = this.#pending.answerOf(call.callId);
    if (answer !== undefined) return answer;
    try {
      const services = await this.#options.services();
      const definition = this.registry.get(call.tool);
      const args = validateArguments(definition.manifest, call.args);
      const step: Step = { call, services, afterCompletion: [], isApproved: false };
      // What passed a schema of JSON is JSON.
      const asked = await this.#ask(step, definition, args as JsonObject);
      const { journal, redactor } = services;
      if (asked !== null) journal.record(journalEntry(call, asked, { durationMs: 0, redactor }));
      return asked;
    } catch {
      return null;
    }
  }

  /** The end of a call that was answered as pending. @throws SpillwayError `call_not_pending` */
  settled(callId: string): Promise<ToolResult> {
    return this.#pending.settled(callId);
  }

  async #perform(call: ToolCall, isApproved: boolean): Promise<ToolResult> {
    let services: ExecutorServices;
    try {
      services = await this.#options.services();
    } catch (thrown) {
      return failureResult(toSpillwayError(thrown));
    }
    const startedAt = services.clock.monotonic();
    const step: Step = { call, services, afterCompletion: [], isApproved };
    let result: ToolResult;
    try {
      result = await this.#run(step);
    } catch (thrown) {
      result = this.#fail(step, thrown, {});
    }
    const durationMs = Math.round(services.clock.monotonic() - startedAt);
    services.journal.record(journalEntry(call, result, { durationMs, redactor: services.redactor }));
    for (const task of step.afterCompletion) await settle(task, callLogger(services.logger, call));
    return result;
  }

  async #run(step: Step): Promise<ToolResult> {
    const { call, services } = step;
    call.signal.throwIfAborted();
    const definition = this.registry.get(call.tool);
    const { manifest, row } = definition;
    const args = validateArguments(manifest, call.args);
    // What passed a schema of JSON is JSON.
    const asked = step.isApproved ? null : await this.#ask(step, definition, args as JsonObject);
    if (asked !== null) return asked;
    const runtime: ProvidedRuntime = await (definition.runtime?.() ??
      services.runtime(manifest.identifier, manifest.api));
    const context: CallContext = {
      callId: call.callId,
      session: call.session,
      signal: call.signal,
      progress: call.progress ?? (() => undefined),
      output: outputOptions(definition, args, this.#options.outputModeDefault),
      execution: row.execution,
      syncWaitMs: call.syncWaitMs ?? this.#options.syncWaitMs,
      step: call.step ?? null,
      logger: callLogger(services.logger, call),
      clock: services.clock,
      registerAfterCompletion: (task) => step.afterCompletion.push(task),
    };
    // The schema that parsed `args` is the one that the runtime declares: the registry pairs them.
    const produced = await orLeft(runtime.run(args as never, context), call.signal);
    if (isPassedThrough(produced)) return passedResult(produced);
    return this.#deliver(step, { definition, output: context.output, produced });
  }

  /** Null when the call may go on. */
  async #ask(step: Step, definition: ToolDefinition, args: JsonObject): Promise<ToolResult | null> {
    const { call, services } = step;
    const { callId, session, signal } = call;
    const decision = await orLeft(services.gate.check({ callId, definition, args, session, signal }), signal);
    if ('allow' in decision) return null;
    const { redactor } = services;
    const answer = pendingResult({
      callId,
      tool: definition.manifest.name,
      args: redactor.value(args),
      interaction: redactor.value(decision.ask),
    });
    this.#pending.add(call, answer, () =>
      failureResult(cancelledBy('the end of the session, before anyone decided'), redactor),
    );
    return answer;
  }

  async #deliver(
    step: Step,
    {
      definition,
      output,
      produced,
    }: {
      readonly definition: ToolDefinition;
      readonly output: CallContext['output'];
      readonly produced: Produced;
    },
  ): Promise<ToolResult> {
    const { call, services } = step;
    const { row, presentation } = definition;
    const redacted = redact(services.redactor, produced);
    const fenced = this.#options.contentBoundaries && produced.untrustedFrom !== undefined;
    const { resultMeta } = presentation;
    const deliver = services.policy.deliver(
      { ...produced, payload: narrow(redacted.payload, row.text) },
      {
        ...output,
        mode: produced.deliverAs ?? output.mode,
        tool: call.tool,
        structured: presentation.outputSchema !== undefined,
        envelopeBytes:
          (call.envelopeBytes ?? DEFAULT_ENVELOPE_BYTES) +
          (fenced ? FENCES_BYTES : 0) +
          (resultMeta === undefined ? 0 : Buffer.byteLength(JSON.stringify(resultMeta)) + 16),
        signal: call.signal,
        notes: (outcome) => {
          const source = produced.untrustedFrom?.();
          const report = redacted.report();
          return [
            ...(row.note === null ? [] : [row.note]),
            ...(source === undefined ? [] : [untrustedNote(services.redactor.text(source))]),
            ...(report === null ? [] : redactionNotes(report)),
            ...boundNotes(outcome.coverage).map((note) => services.redactor.text(note)),
          ];
        },
      },
    );
    try {
      const delivered = await deliver;
      if (delivered.descriptor !== undefined)
        call.session.outputs.add({ descriptor: delivered.descriptor, tool: call.tool });
      return {
        ...successResult(delivered, fenced),
        ...(resultMeta === undefined ? {} : { meta: resultMeta }),
        ...(produced.stop === true ? { stop: true } : {}),
      };
    } catch (thrown) {
      return this.#fail(step, thrown, await stateOf(produced));
    }
  }

  #fail({ call, services }: Step, thrown: unknown, state: JsonObject): ToolResult {
    const error = toSpillwayError(call.signal.aborted ? (call.signal.reason ?? thrown) : thrown);
    if (error.code === 'internal_error') {
      const stack = services.redactor.text(
        (thrown instanceof Error ? thrown.stack : undefined) ?? error.message,
      );
      callLogger(services.logger, call).error({ stack }, 'call failed');
    }
    return failureResult(error, services.redactor, state);
  }
}

const isPassedThrough = (produced: Produced | PassedThrough): produced is PassedThrough =>
  'passed' in produced;

/** What is known of the state when delivery failed: everything if the source had ended, else nothing. */
async function stateOf(produced: Produced): Promise<JsonObject> {
  const nothing: JsonObject = {};
  return Promise.race([
    produced.done.then(
      ({ state }) => state,
      () => nothing,
    ),
    new Promise<JsonObject>((resolve) => setImmediate(resolve, nothing)),
  ]);
}

/** Stored pages were redacted before they were stored and must give their bytes back exactly. */
function redact(
  redactor: Redactor,
  { payload, redacted }: Produced,
): { readonly payload: Payload; readonly report: () => RedactionReport | null } {
  if (payload.verbatim === true) return { payload, report: () => redacted ?? null };
  return redactor.payload(payload);
}

/** A JSON answer with the keys that the mode keeps. */
function narrow(payload: Payload, text: ToolDefinition['row']['text']): Payload {
  if (text === 'full' || payload.kind !== 'json') return payload;
  const { value } = payload;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return payload;
  const kept = Object.entries(value).filter(([key]) => text.includes(key));
  return { ...payload, value: Object.fromEntries(kept) };
}

function successResult(delivered: Delivered, fenced: boolean): ToolResult {
  const { descriptor, structured } = delivered;
  return {
    ok: true,
    content: fenced ? fence(delivered.content) : delivered.content,
    state: delivered.outcome.state,
    ...(descriptor === undefined ? {} : { descriptor }),
    ...(structured === undefined ? {} : { structured }),
  };
}

function outputOptions(
  definition: ToolDefinition,
  args: Record<string, unknown>,
  modeDefault: OutputMode,
): CallContext['output'] {
  if (!definition.manifest.spills) return { mode: 'inline', inlineLimitBytes: LIMITS.outputInlineLimitBytes };
  const mode = args['output_mode'];
  const limit = args['output_inline_limit_bytes'];
  return {
    mode: mode === 'inline' || mode === 'handle' || mode === 'auto' ? mode : modeDefault,
    inlineLimitBytes: typeof limit === 'number' ? limit : LIMITS.outputInlineLimitBytes,
  };
}

async function settle(task: () => void | Promise<void>, logger: Logger): Promise<void> {
  try {
    await task();
  } catch (thrown) {
    logger.warn({ err: thrown }, 'a task after completion failed');
  }
}
