import { z } from 'zod';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import type {
  AskPerson,
  PersonPages,
  ClientSession,
  Progress,
  StepContext,
  OwnTool,
  SampleModel,
  CallContext,
  CallEnd,
} from '../context.ts';
import type { OutputRequest } from '../result.ts';
import { PLAIN_ROW, type ToolDefinition } from '../registry/definition.ts';
import type { RankTools, ToolSelector } from '../registry/selector.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import { defineTool } from '../../../shared/tools/manifest.ts';
import { waitAtMost } from '../../../shared/async.ts';
import { loggerOf } from '../log.ts';
import type { Logger } from '../services.ts';

/**
 * The definition of one call's own tool. It is in no registry: there, every other session could call it.
 */
function ownDefinition(tool: OwnTool): ToolDefinition {
  const { name, title = name, description = '', isReadOnly = false } = tool;
  const manifest = defineTool({
    name,
    title,
    category: 'experimental',
    tier: 3,
    risk: isReadOnly ? 'none' : 'acts_on_page',
    description: { does: description, use: '', avoid: '' },
    input: z.looseObject({}),
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly,
      idempotentHint: false,
      openWorldHint: true,
    },
    spills: false,
    flags: { hidden: true, discoverable: false },
  });
  const presentation = Object.freeze({ title, description, inputSchema: { type: 'object' } });
  return Object.freeze({ kind: 'own', manifest, presentation, row: PLAIN_ROW, own: tool });
}

export interface ToolCall {
  /** Unique: a call whose id is active or pending is not executed again. */
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
  /** Called at each step, with how the output will be delivered. */
  readonly progress?: (progress: Progress, output: OutputRequest) => void;
  /** Bytes of the adapter's envelope around the content; bounds a descriptor's preview. */
  readonly envelopeBytes?: number;
  /** Bytes for progress in the same body, reserved if the output may be stored. */
  readonly progressBytes?: number;
  /** Replaces `--sync-wait-ms`: `Infinity` for a task, whose client does not wait. */
  readonly syncWaitMs?: number;
  readonly step?: StepContext;
  /** Shows a question to the person behind the client, if the client can. */
  readonly askPerson?: AskPerson;
  /** Shows pages to that person, if the client can. */
  readonly pages?: PersonPages;
  /** Asks the client's model, if the client offers it. */
  readonly rank?: RankTools;
  /** Passes another server's request to the client's model. */
  readonly sample?: SampleModel;
  /** Replaces the server's own selector. */
  readonly selector?: ToolSelector;
  /** The caller's own tool of this name. A tool of the registry takes precedence. */
  readonly own?: OwnTool;
  /**
   * The recipe that the call is a step of. The recipe gets the whole answer in every mode, and no model reads
   * it.
   */
  readonly recipe?: string;
  /** The caller is in this process: inline JSON is also returned as an object. */
  readonly wantsObject?: boolean;
}

/** @throws SpillwayError `unknown_tool` with the nearest names */
export function definitionOf(registry: ToolRegistry, { tool, own, recipe }: ToolCall): ToolDefinition {
  const definition = own === undefined || registry.has(tool) ? registry.get(tool) : ownDefinition(own);
  if (recipe === undefined) return definition;
  // A mode's presentation and time limits apply only to callers that see its tools.
  return { ...definition, row: { ...PLAIN_ROW, audience: definition.row.audience } };
}

/** Makes an abort reason that says who cancelled, with the code for the result. */
export function cancelledBy(who: string): SpillwayError {
  return new SpillwayError('cancelled', `The call was cancelled by ${who}.`);
}

/**
 * The error of a call whose signal was aborted: a coded reason as it is, `timeout` for a timer's signal, else
 * `cancelled`.
 */
export function cancellation(reason: unknown): SpillwayError {
  if (reason === undefined || reason === null)
    return new SpillwayError('cancelled', 'The call was cancelled.');
  const error = toSpillwayError(reason);
  if (reason === error || error.code !== 'internal_error') return error;
  return new SpillwayError('cancelled', `The call was cancelled: ${error.message}`, { cause: reason });
}

/** Some models reuse ids: a call never gets the result of another. */
export function isSameCall(one: ToolCall, other: ToolCall): boolean {
  if (one.session !== other.session || one.tool !== other.tool) return false;
  if (one.args === other.args) return true;
  try {
    return textOf(one.args) === textOf(other.args);
  } catch {
    return false;
  }
}

/** A model that repeats a call may write its members in another order. */
const textOf = (args: unknown): string | undefined =>
  JSON.stringify(args, (_name, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

export class KeptState {
  readonly #known: (() => JsonObject)[] = [];

  readonly keep: CallContext['keepState'] = (known) => void this.#known.push(known);

  /** @param produced what its payload knows */
  of(error: SpillwayError, produced: JsonObject = {}): JsonObject {
    const parts = [...this.#known.map(read), error.state ?? {}, produced];
    return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
  }
}

/** A bug here must not hide why the call has failed. */
function read(known: () => JsonObject): JsonObject {
  try {
    return known();
  } catch {
    return {};
  }
}

/** The same logger, each line of which says whose call it is about. */
export function callLogger(
  logger: Logger,
  call: { readonly callId: string; readonly session: Pick<ClientSession, 'id'>; readonly tool: string },
): Logger {
  const { callId, session, tool } = call;
  const whose = { client: session.id, call_id: callId, tool: tool.slice(0, 64) };
  return loggerOf((level, facts, message) => logger[level]({ ...whose, ...facts }, message));
}

type Task = (end: CallEnd) => void | Promise<void>;

/** How long a call's answer waits for cleanup. */
const CLEANUP_PATIENCE_MS = 700;

export class CompletionHooks {
  #tasks: Task[] | null = [];

  constructor(
    /** Names the call on each line. */
    readonly logger: Logger,
  ) {}

  get hasRun(): boolean {
    return this.#tasks === null;
  }

  readonly add = (task: Task): void => {
    // Work that continues after its call has ended was abandoned.
    if (this.#tasks === null) void this.#runInOrder([task], { isSuccess: false });
    else this.#tasks.push(task);
  };

  /** Runs the tasks in order; a failure is logged, and slow ones continue in the background. */
  async run(end: CallEnd): Promise<void> {
    const tasks = this.#tasks ?? [];
    this.#tasks = null;
    if (tasks.length > 0) await waitAtMost(this.#runInOrder(tasks, end), CLEANUP_PATIENCE_MS);
  }

  async #runInOrder(tasks: readonly Task[], end: CallEnd): Promise<void> {
    for (const task of tasks) {
      try {
        await task(end);
      } catch (thrown) {
        this.logger.warn({ err: thrown }, 'a completion hook failed');
      }
    }
  }
}

/** How long cancelled work may take to end by itself before its caller gets the abort reason instead. */
export const CANCEL_GRACE = { graceMs: 700 } as const;
