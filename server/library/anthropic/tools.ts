import { setMaxListeners } from 'node:events';
import type Anthropic from '@anthropic-ai/sdk';
import { toSpillwayError, type SpillwayError } from '../../../shared/base/errors.ts';
import { defined, isObject, type JsonObject } from '../../../shared/base/json.ts';
import { parseJson } from '../../../shared/base/json-schema.ts';
import type { StepContext, OwnTool as SessionOwnTool } from '../../core/context.ts';
import type { PendingInteraction } from '../../core/result.ts';
import { MAX_IMAGE_UNITS, toModelParts, type ModelPart } from '../model-output.ts';
import { inOrder, isReadOnly, awaitOutcome, notifyPending } from '../model-calls.ts';
import type { CallAnswer } from '../../people/human-input.ts';
import type { CallResult, ListedTool, SpillwaySession } from '../types.ts';
import { buildCancelled } from '../../core/calls/call.ts';
import { onAbort } from '../../../shared/base/async.ts';

type ToolUse = Pick<Anthropic.ToolUseBlock, 'id' | 'name' | 'input'>;
type ResultContent = Exclude<Anthropic.ToolResultBlockParam['content'], undefined>;

/** A tool of the caller's own, in addition to Spillway's. Spillway's tools take precedence. */
export interface OwnTool {
  readonly tool: Anthropic.Tool;
  /** Errors that it throws become error results. A value in another form is shown as its JSON. */
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
   * Called when a person is asked; the block then arrives after the decision (`session.decide(block.id, …)`).
   * Without it, the block says that a person is asked, and later blocks are called meanwhile.
   */
  readonly onPending?: ((pending: PendingInteraction) => void) | undefined;
}

/**
 * The session's tools in the Messages API's form. Recreate them for each request: the list grows with
 * `find_tools`.
 * @param listed shown instead of all listed tools: the choice of `session.select`
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

/** The API rejects alternatives at the top level; arguments are checked against the whole schema anyway. */
function toInputSchema(schema: JsonObject): Anthropic.Tool.InputSchema {
  const { anyOf: _anyOf, oneOf: _oneOf, allOf: _allOf, ...rest } = schema;
  return { ...rest, type: 'object' };
}

/**
 * Answers a model's `tool_use` block with its `tool_result` block. It never throws: a failure is an error
 * block with a code. You may pass all blocks of a message at once: they are called in order, and read-only
 * ones run concurrently. The caller's own tool waits for earlier calls, and no call waits for it.
 */
export function handleToolUse(
  session: SpillwaySession,
  block: ToolUse,
  options: HandleOptions = {},
): Promise<Anthropic.ToolResultBlockParam> {
  const { signal, step, onPending } = options;
  return inOrder(session, { name: block.name, signal, step }, async () => {
    const answered = await answerToolUse(session, block, options);
    if (answered.result?.pending === undefined || onPending === undefined) return answered.block;
    notifyPending(session, answered.result.pending, onPending);
    return (await answerPending(session, block, signal)).block;
  });
}

/** A `tool_result` block with its result; null for a call that was not made. */
interface AnsweredToolUse {
  readonly block: Anthropic.ToolResultBlockParam;
  readonly result: CallResult | null;
}

/** {@link handleToolUse}, which also returns the result; a pending call is answered as pending. */
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

/**
 * The end of a pending call. It never throws: a call that was forgotten, or ended with its session, is an
 * error.
 */
async function answerPending(
  session: SpillwaySession,
  toolUse: Pick<ToolUse, 'id'>,
  signal: AbortSignal | undefined,
): Promise<AnsweredToolUse> {
  try {
    const result = await awaitOutcome(session, toolUse.id, signal);
    const toBlockOf = result.own === undefined ? toToolResult : toOwnResult;
    return { block: toBlockOf(toolUse, result), result };
  } catch (thrown) {
    return { block: toErrorResult(toolUse, toSpillwayError(thrown)), result: null };
  }
}

/** A result as the block that answers `toolUse`. */
function toToolResult(toolUse: Pick<ToolUse, 'id'>, result: CallResult): Anthropic.ToolResultBlockParam {
  // The API accepts only text if `is_error` is set.
  const parts = toModelParts(result, result.ok ? MAX_IMAGE_UNITS : 0);
  return resultBlock(toolUse.id, result.ok, parts.map(toBlock));
}

/** Without content that is empty. */
const resultBlock = (id: string, isOk: boolean, content: ResultContent): Anthropic.ToolResultBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content.length === 0 ? {} : { content }),
  ...(isOk ? {} : { is_error: true }),
});

/** The block for a tool that was not called, or that failed in an adapter. */
export function toErrorResult(
  toolUse: Pick<ToolUse, 'id'>,
  error: SpillwayError,
): Anthropic.ToolResultBlockParam {
  return resultBlock(toolUse.id, false, JSON.stringify({ error: error.toWire() }).toWellFormed());
}

function toBlock(part: ModelPart): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } };
}

/** Redaction keeps the form of an answer, so this holds before and after it. */
const isContent = (value: unknown): value is ResultContent =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((part) => isObject(part) && typeof part['type'] === 'string'));

/** An answer without checked types, as content or as plain JSON. */
function toAnswer(value: unknown): unknown {
  if (value === undefined) return '';
  if (isContent(value)) return value;
  const shown = (_name: string, part: unknown): unknown => (typeof part === 'bigint' ? String(part) : part);
  // In a list, what JSON lacks becomes null.
  return parseJson(JSON.stringify([value], shown).slice(1, -1));
}

/** The block of a caller's own tool: its answer, or why it failed. */
function toOwnResult(toolUse: Pick<ToolUse, 'id'>, result: CallResult): Anthropic.ToolResultBlockParam {
  if (result.pending !== undefined) return toToolResult(toolUse, result);
  const { ok, own, text } = result;
  const answer = isContent(own) ? own : JSON.stringify(own);
  return resultBlock(toolUse.id, ok, ok ? answer : text);
}

/** A caller's own tool in the executor's form. */
const toOwnTool = ({ tool, call }: OwnTool, toolUseId: string): SessionOwnTool => ({
  name: tool.name,
  description: tool.description,
  run: async (args, { signal }) => ({ value: toAnswer(await call(args, { toolUseId, signal })) }),
});

/** A call of a turn that needs a person's decision. */
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
  readonly answers?: ReadonlyMap<string, CallAnswer>;
  /** Arguments that a person has changed, by call id. */
  readonly inputs?: ReadonlyMap<string, unknown>;
}

/** The calls that one message of a model requests. Each always gets exactly one answer. */
export class ToolTurn {
  readonly #left: Anthropic.ToolUseBlock[];
  readonly #inFlight = new Map<string, Promise<AnsweredToolUse>>();
  readonly #answers = new Map<string, AnsweredToolUse>();
  /** Answers that exist before anything is called and are not reported yet. */
  readonly #given: Anthropic.ToolResultBlockParam[] = [];
  /** All its calls share it: a call that was decided between two iterations continues under it. */
  readonly #cancel = new AbortController();
  /** One of its results asked for a stop. */
  isStopped = false;

  constructor(private readonly options: TurnOptions) {
    const { toolUses, answers, inputs } = options;
    for (const [id, answer] of answers ?? []) {
      const text = JSON.stringify(answer.ok ? answer.value : { error: answer.error }).toWellFormed();
      const block = resultBlock(id, answer.ok, text);
      this.#answers.set(id, { block, result: null });
      this.#given.push(block);
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
  listPending(): readonly PendingToolUse[] {
    return this.options.toolUses.flatMap((toolUse) => {
      const pending = this.#answers.get(toolUse.id)?.result?.pending;
      return pending === undefined ? [] : [{ toolUse, pending }];
    });
  }

  /**
   * Makes the calls in order, several read-only ones at once, and answers each when it ends. A pending call
   * is held back, and so are the calls that wait for it.
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

  /** Cancels calls that run, wait or have not begun. All of them get a result. */
  async finish(cancel: AbortController): Promise<void> {
    cancel.abort(buildCancelled('the end of the loop'));
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
      ...this.listPending().map(({ toolUse }) => toolUse),
    ];
    return open.length === 0 || [{ name }, ...open].every((use) => isReadOnly(session, use.name));
  }

  /** Waits for the ends of pending calls; refuses undecided ones when `signal` aborts. */
  async *settle(signal: AbortSignal): AsyncGenerator<Anthropic.ToolResultBlockParam> {
    const { session } = this.options;
    const ends = this.listPending().map(({ toolUse }) => answerPending(session, toolUse, signal));
    // Aborted first, so that undecided calls are refused before the rest is cancelled.
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
