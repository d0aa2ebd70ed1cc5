import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { defined, type JsonObject } from '../../../shared/json.ts';
import type { StepContext, OwnTool as SessionOwnTool } from '../../core/context.ts';
import type { PendingInteraction } from '../../core/result.ts';
import { MAX_IMAGE_UNITS, toModelParts, type ModelPart } from '../../library/model-output.ts';
import { inOrder, isReadOnly, pendingOutcome, notifyPending } from '../../library/model-calls.ts';
import type { CallResult, ListedTool, SpillwaySession } from '../../library/types.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { setMaxListeners } from 'node:events';
import { cancelledBy } from '../../core/calls/call.ts';
import { onAbort } from '../../../shared/async/abort.ts';

type ToolUse = Pick<Anthropic.ToolUseBlock, 'id' | 'name' | 'input'>;
type ResultContent = Exclude<Anthropic.ToolResultBlockParam['content'], undefined>;

/** A tool of the caller's own, in addition to Spillway's. Spillway's tools take precedence. */
export interface OwnTool {
  readonly tool: Anthropic.Tool;
  /** Errors that it throws become error results. */
  call(
    input: unknown,
    context: { readonly toolUseId: string; readonly signal: AbortSignal },
  ): Promise<ResultContent>;
}

/** How a `tool_use` block is handled. */
export interface HandleOptions {
  readonly signal?: AbortSignal | undefined;
  readonly step?: StepContext | undefined;
  readonly ownTools?: readonly OwnTool[] | undefined;
  /**
   * Called when a person is asked; the block then comes once the call was decided
   * (`session.decide(block.id, …)`). Without it the block says that a person is asked, and the
   * blocks behind it are called meanwhile.
   */
  readonly onPending?: ((pending: PendingInteraction) => void) | undefined;
}

/**
 * The session's tools as the Messages API takes them. Recreate them for each request: the list grows
 * with `find_tools`.
 * @param listed shown instead of all that is listed: what `session.select` chose
 */
export function toAnthropicTools(
  session: Pick<SpillwaySession, 'list' | 'has'>,
  ownTools: readonly OwnTool[] = [],
  listed: readonly ListedTool[] = session.list(),
): Anthropic.Tool[] {
  const tools = listed.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: toInputSchema(inputSchema),
  }));
  return [...tools, ...ownTools.map(({ tool }) => tool).filter(({ name }) => !session.has(name))];
}

/** The API takes no alternatives at the top; arguments are checked against the whole schema in any case. */
function toInputSchema(schema: JsonObject): Anthropic.Tool.InputSchema {
  const { anyOf: _anyOf, oneOf: _oneOf, allOf: _allOf, ...rest } = schema;
  return { ...rest, type: 'object' };
}

/**
 * Answers a `tool_use` block of a model with the one `tool_result` block that belongs to it. It never
 * throws: what failed is an error block with a code. Blocks of one message may be given all at once:
 * they are called in their order, and those that only read run concurrently. A tool of the caller's
 * own waits for those before it, and holds back none.
 */
export function handleToolUse(
  session: SpillwaySession,
  block: ToolUse,
  options: HandleOptions = {},
): Promise<Anthropic.ToolResultBlockParam> {
  const { signal, step } = options;
  return inOrder(session, { name: block.name, signal, step }, () => handle(session, block, options));
}

async function handle(
  session: SpillwaySession,
  block: ToolUse,
  options: HandleOptions,
): Promise<Anthropic.ToolResultBlockParam> {
  const answered = await answerToolUse(session, block, options);
  if (answered.result?.pending === undefined || options.onPending === undefined) return answered.block;
  notifyPending(session, answered.result.pending, options.onPending);
  return (await answerPending(session, block, options.signal)).block;
}

/** A `tool_result` block, and the result that it was made of; null for a call that was not made. */
export interface AnsweredToolUse {
  readonly block: Anthropic.ToolResultBlockParam;
  readonly result: CallResult | null;
}

/** {@link handleToolUse} with the result next to the block; a pending call is answered as pending. */
async function answerToolUse(
  session: SpillwaySession,
  block: ToolUse,
  { signal, step, ownTools = [] }: HandleOptions,
): Promise<AnsweredToolUse> {
  const isOurs = session.has(block.name);
  const own = isOurs ? undefined : ownTools.find(({ tool }) => tool.name === block.name);
  const result = await session.call<string>(block.name, block.input, {
    callId: block.id,
    ...defined({ signal, step }),
    ...(own === undefined ? {} : { own: toOwnTool(own, block.id) }),
  });
  return { block: own === undefined ? toToolResult(block, result) : toOwnResult(block, result), result };
}

/** The end of a pending call. It never throws: one that went with its session, or was forgotten, is an error. */
async function answerPending(
  session: SpillwaySession,
  toolUse: Pick<ToolUse, 'id'>,
  signal: AbortSignal | undefined,
): Promise<AnsweredToolUse> {
  try {
    const result = await pendingOutcome(session, toolUse.id, signal);
    return {
      block: result.own === undefined ? toToolResult(toolUse, result) : toOwnResult(toolUse, result),
      result,
    };
  } catch (thrown) {
    return { block: toErrorResult(toolUse, toSpillwayError(thrown)), result: null };
  }
}

/** A result as the block that answers `toolUse`. */
function toToolResult(toolUse: Pick<ToolUse, 'id'>, result: CallResult): Anthropic.ToolResultBlockParam {
  // The API takes text alone where `is_error` is set.
  const content = toModelParts(result, result.ok ? MAX_IMAGE_UNITS : 0).map(toBlock);
  return {
    type: 'tool_result',
    tool_use_id: toolUse.id,
    ...(content.length === 0 ? {} : { content }),
    ...(result.ok ? {} : { is_error: true }),
  };
}

/** The block for a tool that was not called, or that failed in an adapter. */
export function toErrorResult(
  toolUse: Pick<ToolUse, 'id'>,
  error: SpillwayError,
): Anthropic.ToolResultBlockParam {
  const content = JSON.stringify({ error: error.toWire() }).toWellFormed();
  return { type: 'tool_result', tool_use_id: toolUse.id, content, is_error: true };
}

function toBlock(part: ModelPart): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } };
}

/** Redaction keeps the form of an answer. */
const OwnContent = z.custom<ResultContent>((value) => typeof value === 'string' || Array.isArray(value));

/** The block of a tool of the caller's own: its answer as it is, or why it was not called. */
function toOwnResult(toolUse: Pick<ToolUse, 'id'>, result: CallResult): Anthropic.ToolResultBlockParam {
  if (result.pending !== undefined) return toToolResult(toolUse, result);
  const content = result.ok ? OwnContent.parse(result.own) : result.text;
  return {
    type: 'tool_result',
    tool_use_id: toolUse.id,
    ...(content.length === 0 ? {} : { content }),
    ...(result.ok ? {} : { is_error: true }),
  };
}

/** A tool of the caller's own as the executor calls it. */
const toOwnTool = ({ tool, call }: OwnTool, toolUseId: string): SessionOwnTool => ({
  name: tool.name,
  description: tool.description,
  run: async (args, { signal }) => {
    try {
      return { value: await call(args, { toolUseId, signal }) };
    } catch (thrown) {
      if (thrown instanceof SpillwayError) throw thrown;
      throw new SpillwayError('upstream_error', messageOf(thrown), { cause: thrown });
    }
  },
});

/** A call of a turn that a person is asked about. */
export interface PendingToolUse {
  readonly toolUse: Anthropic.ToolUseBlock;
  /** Decide it with `session.decide(toolUse.id, …)`. */
  readonly pending: PendingInteraction;
}

interface TurnOptions {
  readonly session: SpillwaySession;
  readonly toolUses: readonly Anthropic.ToolUseBlock[];
  readonly step: StepContext;
  readonly maxConcurrentCalls: number;
  readonly ownTools: readonly OwnTool[];
  /** For calls that are not made: the answer of a person, or the reason. */
  readonly answers?: ReadonlyMap<string, AnsweredToolUse>;
  /** Arguments that a person has changed, by the id of the call. */
  readonly inputs?: ReadonlyMap<string, unknown>;
}

/** The calls that one message of a model asks for. Each always gets exactly one answer. */
export class ToolTurn {
  readonly #left: Anthropic.ToolUseBlock[];
  readonly #inFlight = new Map<string, Promise<AnsweredToolUse>>();
  readonly #answers = new Map<string, AnsweredToolUse>();
  /** Answers that were there before anything was called, and are not reported yet. */
  readonly #given: Anthropic.ToolResultBlockParam[] = [];
  /** Shared by all its calls: one that was decided between two iterations continues under it. */
  readonly #cancel = new AbortController();
  /** Asked for a stop by one of its results. */
  isStopped = false;

  constructor(private readonly options: TurnOptions) {
    const { toolUses, answers, inputs } = options;
    for (const answer of answers?.values() ?? []) {
      this.#answers.set(answer.block.tool_use_id, answer);
      this.#given.push(answer.block);
    }
    this.#left = toolUses
      .filter(({ id }) => answers?.has(id) !== true)
      .map((toolUse) => ({ ...toolUse, input: inputs?.get(toolUse.id) ?? toolUse.input }));
    setMaxListeners(0, this.#cancel.signal);
  }

  get toolUses(): readonly Anthropic.ToolUseBlock[] {
    return this.options.toolUses;
  }

  /** Those that wait for a person, in the order of the message. */
  pending(): readonly PendingToolUse[] {
    return this.options.toolUses.flatMap((toolUse) => {
      const pending = this.#answers.get(toolUse.id)?.result?.pending;
      return pending === undefined ? [] : [{ toolUse, pending }];
    });
  }

  /**
   * Runs the calls in their order, a few that only read at once, and answers each as it ends. One that
   * becomes pending stays back, and so does what has to wait for it.
   */
  async *run(signal: AbortSignal): AsyncGenerator<Anthropic.ToolResultBlockParam> {
    yield* this.#given.splice(0);
    if (this.#left.length + this.#inFlight.size === 0) return;
    const release = this.#follow(signal);
    try {
      for (;;) {
        const answer = await this.#next();
        if (answer === null) return;
        if (answer.result?.pending === undefined) yield answer.block;
      }
    } finally {
      release();
    }
  }

  /** Cancels the calls with the current iteration. Returns a function that detaches it. */
  #follow(signal: AbortSignal): () => void {
    return onAbort(signal, () => this.#cancel.abort(signal.reason));
  }

  /** Cancels calls that run, have not begun or wait. All of them get a result. */
  async finish(cancel: AbortController): Promise<void> {
    cancel.abort(cancelledBy('the end of the loop'));
    this.#cancel.abort(cancel.signal.reason);
    while ((await this.#next()) !== null);
    for await (const _block of this.settle(cancel.signal));
  }

  async #next(): Promise<AnsweredToolUse | null> {
    const { session, step, ownTools, maxConcurrentCalls } = this.options;
    while (this.#inFlight.size < maxConcurrentCalls) {
      const [toolUse] = this.#left;
      if (toolUse === undefined || !this.#mayBegin(toolUse)) break;
      this.#left.shift();
      this.#inFlight.set(
        toolUse.id,
        answerToolUse(session, toolUse, { signal: this.#cancel.signal, step, ownTools }),
      );
    }
    if (this.#inFlight.size === 0) return null;
    const answer = await Promise.race(this.#inFlight.values());
    this.#inFlight.delete(answer.block.tool_use_id);
    this.#keep(answer);
    return answer;
  }

  /** Each call sees the page as earlier calls leave it: only read-only calls run concurrently. */
  #mayBegin({ name }: Anthropic.ToolUseBlock): boolean {
    if (this.#cancel.signal.aborted) return true;
    const { session, toolUses } = this.options;
    const open = [
      ...toolUses.filter(({ id }) => this.#inFlight.has(id)),
      ...this.pending().map(({ toolUse }) => toolUse),
    ];
    return open.length === 0 || [{ name }, ...open].every((use) => isReadOnly(session, use.name));
  }

  /** Waits for the ends of those that are pending; refuses undecided calls when `signal` aborts. */
  async *settle(signal: AbortSignal): AsyncGenerator<Anthropic.ToolResultBlockParam> {
    const { session } = this.options;
    const ends = this.pending().map(({ toolUse }) => answerPending(session, toolUse, signal));
    // They are aborted first: undecided calls are refused before the rest is cancelled.
    const release = this.#follow(signal);
    try {
      for (const end of ends) {
        const answer = await end;
        this.#keep(answer);
        yield answer.block;
      }
    } finally {
      release();
    }
  }

  #keep(answer: AnsweredToolUse): void {
    this.#answers.set(answer.block.tool_use_id, answer);
    this.isStopped ||= answer.result?.stop === true;
  }

  /** The message that answers the turn: one block per call, in the order of the message. */
  toMessage(): Anthropic.MessageParam {
    const content = this.options.toolUses.flatMap(({ id }) => this.#answers.get(id)?.block ?? []);
    return { role: 'user', content };
  }
}
