import { z } from 'zod';
import { SpillwayError, toSpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { isObject, type JsonObject, isJsonList } from '../../../shared/base/json.ts';
import type {
  ClientSession,
  Progress,
  StepContext,
  OwnAnswer,
  OwnTool,
  CallContext,
  CallEnd,
} from '../context.ts';
import type { FlowSource } from '../../../shared/core/policy/call-facts.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { OutputRequest, ContentBlock, ToolResult } from '../result.ts';
import { PLAIN_ROW, type ToolDefinition, isForModels, type ToolAudience } from '../registry/definition.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import { defineTool, type ToolManifest } from '../../../shared/core/tools/manifest.ts';
import { waitAtMost } from '../../../shared/base/async.ts';
import { loggerOf, type Logger, type Journal, type JournalEntry } from '../services.ts';
import type { StepRisk } from '../../../shared/core/policy/call-risks.ts';
import { cut } from '../../../shared/base/cut.ts';
import { toolNames } from '../../../shared/core/tools/names.ts';
import type { LiveFeed } from '../../activity/feed.ts';
import type { LiveMeter } from '../../activity/meter.ts';
import { parseUrl } from '../../../shared/base/private-address.ts';

/**
 * The definition of one call's own tool. It is in no registry: there, every other session could call it.
 */
function ownDefinition(tool: OwnTool): ToolDefinition {
  const { name, title = name, description = '', isReadOnly = false } = tool;
  const manifest = defineTool({
    name,
    title,
    category: 'experimental',
    risk: isReadOnly ? 'none' : 'acts_on_page',
    does: description,
    input: z.looseObject({}),
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly,
      idempotentHint: false,
      openWorldHint: true,
    },
    flags: { hidden: true, discoverable: false },
  });
  const presentation = Object.freeze({ title, description, inputSchema: { type: 'object' } });
  return Object.freeze({ kind: 'own', manifest, presentation, row: PLAIN_ROW, own: tool });
}

/** Runs a caller's own tool. @throws SpillwayError `upstream_error` with its words, as its failure is not ours */
export async function runOwn(
  own: OwnTool,
  args: JsonObject,
  context: Pick<CallContext, 'callId' | 'signal' | 'progress'>,
): Promise<OwnAnswer> {
  try {
    return await own.run(args, context);
  } catch (thrown) {
    if (thrown instanceof SpillwayError || context.signal.aborted) throw thrown;
    const message = messageOf(thrown) || `${own.name} failed without a message.`;
    throw new SpillwayError('upstream_error', message, { cause: thrown });
  }
}

export interface ToolCall extends Pick<CallContext, 'askPerson' | 'pages' | 'rank' | 'sample' | 'selector'> {
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
  /** The caller's own tool of this name. A tool of the registry takes precedence. */
  readonly own?: OwnTool;
  /**
   * The recipe that the call is a step of. The recipe gets the whole answer in every mode, and no model reads
   * it.
   */
  readonly recipe?: string;
  /** The call of the program or recipe that makes it. */
  readonly parent?: string;
  /** From which sites its arguments have text, as an earlier server found. */
  readonly sources?: readonly FlowSource[];
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
export const buildCancelled = (who: string): SpillwayError =>
  new SpillwayError('cancelled', `The call was cancelled by ${who}.`);

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
    return formatSorted(one.args) === formatSorted(other.args);
  } catch {
    return false;
  }
}

/** A model that repeats a call may write its members in another order. */
const formatSorted = (args: unknown): string | undefined =>
  JSON.stringify(args, (_name, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** The reports of a runtime on its work so far. */
export type KnownState = (() => JsonObject)[];

/** The state of a failed call. @param produced what its payload knows */
export function buildErrorState(
  known: KnownState,
  error: SpillwayError,
  produced: JsonObject = {},
): JsonObject {
  const parts = [...known.map(readState), error.state ?? {}, produced];
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

/** A bug here must not hide why the call has failed. */
function readState(known: () => JsonObject): JsonObject {
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

/** A call that has ended, or that waits for a person. */
interface EndedCall {
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** False for a call that was refused or left to wait before it took the path. */
  readonly isPerformed: boolean;
  /** A browser asks a person: the answer arrives later. */
  readonly isRaised: boolean;
  readonly durationMs: number;
  readonly risks: readonly StepRisk[];
  /** {@link ParsedArguments.coerced}. */
  readonly coerced: readonly string[];
  /** The person who approved it, if approval was needed. */
  readonly approvedBy?: string | undefined;
}

interface RecordParts {
  readonly registry: ToolRegistry;
  readonly meter: Pick<LiveMeter, 'countAnswer'>;
  /** Called with each call that has taken the path. */
  readonly ended?: (call: ToolCall, result: ToolResult) => void;
}

export type CallRecord = ReturnType<typeof createRecord>;

/** Tells the journal, people at the browsers, the meter and the recipes about calls. */
export function createRecord(
  { registry, meter, ended: tell }: RecordParts,
  {
    journal,
    feed,
  }: { readonly journal: Pick<Journal, 'record'>; readonly feed: Pick<LiveFeed, 'begun' | 'ended'> },
) {
  const audienceOf = ({ tool }: ToolCall): ToolAudience => registry.find(tool)?.row.audience ?? 'model';
  return {
    begun: (call: ToolCall): void =>
      feed.begun(call, () => ({
        ...nameCall(call, audienceOf(call)),
        args: summariseArguments(call.args),
        ...aboutOf(call, registry),
      })),
    ended: ({ call, result, ...known }: Pick<EndedCall, 'call' | 'result'> & Partial<EndedCall>): void => {
      const end = {
        isPerformed: false,
        isRaised: false,
        durationMs: 0,
        risks: [],
        coerced: [],
        ...known,
        call,
        result,
      };
      const contentBytes = result.content.reduce((sum, block) => sum + measureBlock(block), 0);
      const entry = journalEntry(end, audienceOf(call), contentBytes);
      journal.record({ ...entry, ...aboutOf(call, registry, result) });
      feed.ended(call, result, contentBytes);
      if (!end.isPerformed) return;
      tell?.(call, result);
      const definition = registry.find(call.tool);
      // Models read neither the answers of widgets nor those of a recipe's steps.
      if (end.isRaised || call.recipe !== undefined) return;
      if (definition !== undefined && !isForModels(definition)) return;
      const isKnown = definition !== undefined || call.own !== undefined;
      meter.countAnswer({ ...call, tool: isKnown ? call.tool : UNKNOWN }, result);
    },
  };
}

/** For people: steps, site, and the title of a foreign tool. */
function aboutOf({ tool, args }: ToolCall, registry: ToolRegistry, result?: ToolResult): JsonObject {
  const manifest = registry.find(tool)?.manifest;
  const { did, url, status } = result?.state ?? {};
  const done = isJsonList(did) ? did.flatMap((one) => (isObject(one) ? [one['step'] ?? ''] : [])) : null;
  const steps = done ?? listPlannedSteps(manifest?.stepsOf, args);
  const site = typeof url === 'string' ? (parseUrl(url)?.host ?? '') : '';
  const isForeign = manifest !== undefined && toolNames(tool) === null;
  return {
    ...(steps.length === 0 ? {} : { did: [...steps] }),
    ...(site === '' ? {} : { site: cut(site, SITE_UNITS) }),
    ...(typeof status === 'number' ? { status } : {}),
    ...(isForeign ? { title: cut(manifest.title, TITLE_UNITS) } : {}),
  };
}

/** Unknown tool names share one line of the meter. */
const UNKNOWN = '(unknown)';

const SITE_UNITS = 300;
const TITLE_UNITS = 100;

function listPlannedSteps(stepsOf: ToolManifest['stepsOf'], args: unknown): readonly string[] {
  try {
    return isObject(args) ? (stepsOf?.(args) ?? []) : [];
  } catch {
    // The caller's own getter threw.
    return [];
  }
}

const JOURNALLED_TEXT = 200;
const AGENT_UNITS = 100;
const COERCED_MAX = 20;
const ENDED_BY_SOMEONE: ReadonlySet<ErrorCode> = new Set(['cancelled', 'call_denied']);

/** Arguments for the journal, but for some: only scalars, nothing nested or unreadable. */
function summariseArguments(args: unknown, without: readonly string[] = []): JsonObject {
  const scalars = new Map<string, string | number | boolean>();
  try {
    for (const [key, value] of Object.entries(isObject(args) ? args : {}).slice(0, 20)) {
      const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      if (isScalar && !without.includes(key)) scalars.set(cut(key, 64), value);
    }
  } catch {
    // The caller's own getter threw.
  }
  return Object.fromEntries(scalars);
}

function measureBlock(block: ContentBlock): number {
  if (block.type === 'foreign') return Buffer.byteLength(JSON.stringify(block.block));
  return Buffer.byteLength(block.type === 'text' ? block.text : block.data);
}

function nameCall(call: ToolCall, audience: ToolAudience): JournalEntry {
  return {
    event: 'tool_call',
    tool: cut(call.tool, 64),
    call_id: call.callId,
    // A member called `session` would be redacted as a secret.
    client_session: call.session.id,
    agent: cut(call.session.name, AGENT_UNITS),
    ...(call.session.version === undefined ? {} : { agent_version: cut(call.session.version, AGENT_UNITS) }),
    ...(call.step === undefined ? {} : { step: call.step.id }),
    ...(call.recipe === undefined ? {} : { recipe: call.recipe }),
    ...(audience === 'widget' ? { audience } : {}),
  };
}

/** The journal's line about a call that has ended, or that waits for a person. */
function journalEntry(
  { call, result, durationMs, approvedBy, ...end }: EndedCall,
  audience: ToolAudience,
  contentBytes: number,
): JournalEntry {
  const { error } = result;
  const risks = [...new Set(end.risks.map(({ risk }) => risk))];
  return {
    ...nameCall(call, audience),
    ...(risks.length === 0 ? {} : { risks }),
    ok: result.ok,
    ...(result.pending === undefined ? {} : { pending: true }),
    ...(approvedBy === undefined ? {} : { approved_by: cut(approvedBy, JOURNALLED_TEXT) }),
    ...(error === undefined ? {} : { code: error.code }),
    // Who cancelled, or refused.
    ...(error !== undefined && ENDED_BY_SOMEONE.has(error.code)
      ? { message: cut(error.message, JOURNALLED_TEXT) }
      : {}),
    ...(result.descriptor === undefined ? {} : { handle: result.descriptor.output_handle }),
    duration_ms: durationMs,
    content_bytes: contentBytes,
    args: summariseArguments(call.args, result.state['hidden'] === undefined ? [] : end.coerced),
    ...(end.coerced.length === 0 ? {} : { coerced: end.coerced.slice(0, COERCED_MAX) }),
  };
}
