import { toSpillwayError, SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { OutputMode } from '../../shared/output/mode.ts';
import { fence } from './boundaries.ts';
import type { CallContext, ClientSession, Progress } from './context.ts';
import type { ToolDefinition } from './definition.ts';
import { failureResult } from './funnel.ts';
import { boundNotes, redactionNotes, untrustedNote } from './notes.ts';
import type { Payload, Produced } from './payload.ts';
import type { ToolRegistry } from './registry.ts';
import type { ToolResult } from './result.ts';
import type { ToolRuntime } from './runtime.ts';
import type { Clock, Delivered, Journal, Logger, OutputPolicy, Redactor } from './services.ts';
import type { RedactionReport } from './payload.ts';
import { validateArguments } from './validate.ts';

/** One call, from whatever adapter. */
export interface ToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
  readonly progress?: (progress: Progress) => void;
  /** Bytes of the adapter's envelope around the content; bounds a descriptor's preview. */
  readonly envelopeBytes?: number;
}

/** What the executor needs of the rest of the server. */
export interface ExecutorServices {
  readonly policy: OutputPolicy;
  readonly redactor: Redactor;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
  runtime(tool: string): Promise<ToolRuntime>;
}

export interface ExecutorOptions {
  readonly registry: ToolRegistry;
  /** Loaded with the first call, so that a start reads nothing that a list does not need. */
  readonly services: () => Promise<ExecutorServices>;
  readonly outputModeDefault: OutputMode;
  /** Nonce fences around page text (`--content-boundaries`). */
  readonly contentBoundaries: boolean;
}

const DEFAULT_ENVELOPE_BYTES = 256;
/** Two fences of `fence()` with room for their blocks. */
const FENCES_BYTES = 320;

/**
 * The one pipeline of every call: validate → authorise → run → redact → output policy → funnel →
 * journal. It never throws; every end is a {@link ToolResult}.
 */
export class Executor {
  readonly #options: ExecutorOptions;

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  get registry(): ToolRegistry {
    return this.#options.registry;
  }

  async execute(call: ToolCall): Promise<ToolResult> {
    let services: ExecutorServices;
    try {
      services = await this.#options.services();
    } catch (thrown) {
      return failureResult(toSpillwayError(thrown));
    }
    const startedAt = services.clock.monotonic();
    const afterCompletion: (() => void | Promise<void>)[] = [];
    let result: ToolResult;
    try {
      result = await this.#run(call, services, afterCompletion);
    } catch (thrown) {
      result = this.#fail(call, services, thrown, {});
    }
    const durationMs = Math.round(services.clock.monotonic() - startedAt);
    services.journal.record(journalEntry(call, result, { durationMs, redactor: services.redactor }));
    for (const task of afterCompletion) await settle(task, services.logger);
    return result;
  }

  async #run(
    call: ToolCall,
    services: ExecutorServices,
    afterCompletion: (() => void | Promise<void>)[],
  ): Promise<ToolResult> {
    call.signal.throwIfAborted();
    const definition = this.#options.registry.get(call.tool);
    const args = validateArguments(definition.manifest, call.args);
    const runtime = await services.runtime(definition.manifest.name);
    const context: CallContext = {
      callId: call.callId,
      session: call.session,
      signal: call.signal,
      progress: call.progress ?? (() => undefined),
      output: outputOptions(definition, args, this.#options.outputModeDefault),
      logger: services.logger,
      clock: services.clock,
      registerAfterCompletion: (task) => afterCompletion.push(task),
    };
    // The schema that parsed `args` is the one that the runtime declares: the registry pairs them.
    const produced = await runtime.run(args as never, context);
    return this.#deliver({ call, output: context.output, produced, services });
  }

  async #deliver(step: {
    call: ToolCall;
    output: CallContext['output'];
    produced: Produced;
    services: ExecutorServices;
  }): Promise<ToolResult> {
    const { call, produced, services } = step;
    const { output } = step;
    const redacted = redact(services.redactor, produced);
    const fenced = this.#options.contentBoundaries && produced.untrustedFrom !== undefined;
    const deliver = services.policy.deliver(
      { ...produced, payload: redacted.payload },
      {
        ...output,
        mode: produced.deliverAs ?? output.mode,
        tool: call.tool,
        envelopeBytes: (call.envelopeBytes ?? DEFAULT_ENVELOPE_BYTES) + (fenced ? FENCES_BYTES : 0),
        signal: call.signal,
        notes: (outcome) => {
          const source = produced.untrustedFrom?.();
          const report = redacted.report();
          return [
            ...(source === undefined ? [] : [untrustedNote(services.redactor.text(source))]),
            ...(report === null ? [] : redactionNotes(report)),
            ...boundNotes(outcome.coverage).map((note) => services.redactor.text(note)),
          ];
        },
      },
    );
    try {
      return successResult(await deliver, fenced);
    } catch (thrown) {
      return this.#fail(call, services, thrown, await stateOf(produced));
    }
  }

  #fail(call: ToolCall, services: ExecutorServices, thrown: unknown, state: JsonObject): ToolResult {
    const error = toSpillwayError(call.signal.aborted ? (call.signal.reason ?? thrown) : thrown);
    if (error.code === 'internal_error') {
      const stack = services.redactor.text(
        (thrown instanceof Error ? thrown.stack : undefined) ?? error.message,
      );
      services.logger.error({ tool: call.tool.slice(0, 64), stack }, 'call failed');
    }
    return failureResult(error, services.redactor, state);
  }
}

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

function successResult(delivered: Delivered, fenced: boolean): ToolResult {
  const result = {
    ok: true,
    content: fenced ? fence(delivered.content) : delivered.content,
    state: delivered.outcome.state,
  };
  return delivered.descriptor === undefined ? result : { ...result, descriptor: delivered.descriptor };
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

const JOURNALLED_TEXT = 200;

/**
 * Arguments as the journal keeps them: scalars, long strings cut, nothing nested. They are redacted
 * before they are cut, since half a secret is not known for one.
 */
function summariseArguments(args: unknown, redactor: Redactor): JsonObject {
  if (typeof args !== 'object' || args === null) return {};
  const scalars: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries<unknown>({ ...args }).slice(0, 20)) {
    if (typeof value === 'string') scalars[key.slice(0, 64)] = redactor.text(value).slice(0, JOURNALLED_TEXT);
    if (typeof value === 'number' || typeof value === 'boolean') scalars[key.slice(0, 64)] = value;
  }
  return scalars;
}

function contentBytes(result: ToolResult): number {
  return result.content.reduce(
    (sum, block) => sum + Buffer.byteLength(block.type === 'text' ? block.text : block.data),
    0,
  );
}

function journalEntry(
  call: ToolCall,
  result: ToolResult,
  { durationMs, redactor }: { readonly durationMs: number; readonly redactor: Redactor },
): JsonObject & { event: string } {
  return {
    event: 'tool_call',
    tool: call.tool.slice(0, 64),
    call_id: call.callId,
    session: call.session.id,
    ok: result.ok,
    ...(result.error === undefined ? {} : { code: result.error.code }),
    ...(result.descriptor === undefined ? {} : { handle: result.descriptor.output_handle }),
    duration_ms: durationMs,
    content_bytes: contentBytes(result),
    args: summariseArguments(call.args, redactor),
  };
}

async function settle(task: () => void | Promise<void>, logger: Logger): Promise<void> {
  try {
    await task();
  } catch (thrown) {
    logger.warn({ err: thrown }, 'a task after completion failed');
  }
}

/** Makes an abort reason of ours: who cancelled, with the code that the result shall carry. */
export function cancelledBy(who: string): SpillwayError {
  return new SpillwayError('cancelled', `The call was cancelled by ${who}.`);
}
