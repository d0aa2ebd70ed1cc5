import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type Anthropic from '@anthropic-ai/sdk';
import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { onAbort } from '../../../shared/base/async.ts';
import type { StepContext } from '../../core/context.ts';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  type ContinuePayload,
  type PendingHumanInputAction,
} from '../../people/human-contract.ts';
import { readTurn, type HumanInput } from '../../people/human-input.ts';
import type { ListedTool, SelectOptions, SpillwaySession } from '../types.ts';
import {
  humanInteractionTool,
  openToolUses,
  toJsonMessages,
  toMessageParams,
  toTurnCall,
} from './human/conversation.ts';
import { toAnthropicTools, toErrorResult, type OwnTool, ToolTurn, type PendingToolUse } from './tools.ts';

/** The parameters of the Messages API, except those that the loop fills in. */
export type LoopParams = Omit<Anthropic.MessageCreateParamsStreaming, 'messages' | 'stream' | 'tools'> & {
  /** In addition to Spillway's: tools that the API runs itself. */
  readonly tools?: readonly Anthropic.ToolUnion[] | undefined;
};

/** Options of {@link runToolLoop}. */
export interface ToolLoopOptions {
  /** Made by the caller, with the caller's key. */
  readonly client: Pick<Anthropic, 'messages'>;
  readonly session: SpillwaySession;
  readonly params: LoopParams;
  /** The conversation so far. It is copied. */
  readonly messages: readonly Anthropic.MessageParam[];
  /** Ends the loop, its requests and its calls, as closing its session does. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum requests to the model. Default 50. */
  readonly maxTurns?: number | undefined;
  /** Maximum tool calls of one turn that run concurrently, at least 1. Default 4. */
  readonly maxConcurrentCalls?: number | undefined;
  /** The caller's own tools. Spillway's tools take precedence. */
  readonly ownTools?: readonly OwnTool[] | undefined;
  /** At each turn, shows the model the tools that fit the conversation instead of all listed ones. */
  readonly select?: Pick<SelectOptions, 'budget_tokens' | 'selector'> | undefined;
  /**
   * Made with `createHumanInput`: the model may ask a person (`requestHumanInput`), and the loop pauses
   * meanwhile.
   */
  readonly human?: HumanInput | undefined;
}

/** Why a loop ended: the model's stop reason, or one of the loop's own. */
export type LoopEnd =
  | Exclude<Anthropic.StopReason, 'tool_use' | 'pause_turn'>
  /** A person is asked: decide the calls of `pending`, then iterate again. */
  | 'pending'
  /** The model asks a person: pass the answer to `continue`, then iterate again. */
  | 'human_input'
  /** A tool asked the loop to stop. */
  | 'stopped'
  | 'max_turns'
  | 'aborted';

/** The events of a loop. */
export type ToolLoopEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'message'; readonly message: Anthropic.Message }
  | { readonly type: 'tool_call'; readonly toolUse: Anthropic.ToolUseBlock }
  | { readonly type: 'tool_result'; readonly block: Anthropic.ToolResultBlockParam }
  /** A question to a person: its call, with its name and its state. */
  | {
      readonly type: 'human_input';
      readonly state: 'requires_human_input' | 'answered';
      readonly toolCallId: string;
      readonly toolName: string;
    }
  | {
      readonly type: 'end';
      readonly reason: LoopEnd;
      /** The model's last message; null if it said nothing. */
      readonly message: Anthropic.Message | null;
      readonly pending: readonly PendingToolUse[];
      /** With the reason `human_input`: the payload that a client gets and `continue` takes back. */
      readonly humanInput?: PendingHumanInputAction;
    };

type Events<End> = AsyncGenerator<ToolLoopEvent, End, void>;

const MAX_TURNS = 50;
const MAX_CONCURRENT_CALLS = 4;

/**
 * Asks a model and runs the tools that it calls, until it calls no more. The last event says why it ended.
 * API errors are thrown unchanged; tools never throw.
 * @throws SpillwayError `invalid_argument` for a wrong option
 */
export function runToolLoop(options: ToolLoopOptions): ToolLoop {
  return new ToolLoop(options);
}

/**
 * A conversation that runs its tools. After each end, the API accepts `messages`: each `tool_use` has exactly
 * one `tool_result`, except pending calls, which get theirs in the next iteration. Iterating again continues
 * the conversation; to say more to the model, add a message first. Leaving the loop early cancels open calls,
 * so that the conversation can still continue.
 */
export class ToolLoop implements AsyncIterable<ToolLoopEvent> {
  readonly messages: Anthropic.MessageParam[];
  /** The turn whose calls wait for a person. */
  #open: ToolTurn | null = null;
  /** The question for which the loop waits. */
  #asked: PendingHumanInputAction | null = null;
  /** The question answered since the last iteration. */
  #answered: string | null = null;
  #last: Anthropic.Message | null = null;
  #isRunning = false;

  constructor(private readonly options: ToolLoopOptions) {
    const { maxConcurrentCalls = MAX_CONCURRENT_CALLS } = options;
    if (!(maxConcurrentCalls >= 1))
      throw invalidArgument(
        'runToolLoop: maxConcurrentCalls: must be at least 1.',
        'Correct the named option.',
      );
    if (options.human !== undefined) checkNames(options);
    this.messages = [...options.messages];
  }

  /**
   * Takes a person's answer to a question of this loop, or of another that shares its human input. Then
   * iterate: the calls that waited for the answer are made, and the model is asked again. While other
   * questions of the turn are open, iterating ends with the next of them.
   * @throws SpillwayError as `HumanInput.take` does; Error while the loop is iterated, or without `human`
   */
  async continue(payload: ContinuePayload): Promise<void> {
    const { human } = this.options;
    if (human === undefined) throw new Error('The loop has no human input to continue with.');
    if (this.#isRunning) throw new Error('The loop is already being iterated; wait until it ends.');
    const taken = await human.take({ ...payload, messages: toJsonMessages(payload.messages) });
    this.#answered = payload.toolCallId;
    if (taken.status === 'requires_human_input') {
      this.#asked = taken;
      return;
    }
    const toolUses = openToolUses(toMessageParams(taken.messages));
    const { malformed } = readTurn(toolUses.map(toTurnCall));
    const answers = new Map([...malformed, ...taken.answers]);
    this.#asked = null;
    this.messages.splice(0, Infinity, ...toMessageParams([...taken.messages, ...taken.later]));
    const step = { id: randomUUID(), memory: new Map() };
    this.#open = this.#newTurn(toolUses, step, { answers, inputs: taken.args });
  }

  /** @throws Error when it is iterated already */
  async *[Symbol.asyncIterator](): AsyncGenerator<ToolLoopEvent, void, void> {
    if (this.#isRunning) throw new Error('The loop is already being iterated; wait until it ends.');
    this.#isRunning = true;
    const cancel = new AbortController();
    // Each waiting call listens to it.
    setMaxListeners(0, cancel.signal);
    const { signal, session } = this.options;
    // A closed session has no working tools, so asking a model would be pointless.
    const stops = [signal, session.signal].map(
      (each) => each && onAbort(each, () => cancel.abort(each.reason)),
    );
    try {
      const reason = yield* this.#run(cancel);
      const asked = this.#asked === null ? {} : { humanInput: this.#asked };
      yield { type: 'end', reason, message: this.#last, pending: this.#open?.listPending() ?? [], ...asked };
    } finally {
      for (const stop of stops) stop?.();
      this.#isRunning = false;
    }
  }

  async *#run(cancel: AbortController): Events<LoopEnd> {
    const { signal } = cancel;
    if (this.#answered !== null) yield toHumanEvent(this.#answered, 'answered');
    this.#answered = null;
    if (this.#asked !== null) return yield* tellAsked(this.#asked);
    if (this.#open !== null) {
      const end = yield* this.#answer(this.#open, cancel);
      if (end !== null) return end;
    }
    const { maxTurns = MAX_TURNS } = this.options;
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const message = signal.aborted ? null : yield* this.#ask(signal);
      if (message === null) return 'aborted';
      const end = yield* this.#follow(message, cancel);
      if (end !== null) return end;
    }
    return 'max_turns';
  }

  /** One answer of the model, streamed as it arrives. Null if the loop was aborted meanwhile. */
  async *#ask(signal: AbortSignal): Events<Anthropic.Message | null> {
    const { client, session, params, ownTools, human } = this.options;
    const listed = await this.#select(signal);
    if (signal.aborted) return null;
    const given = [...toAnthropicTools(session, ownTools, listed), ...(params.tools ?? [])];
    const tools =
      human === undefined ? given : [...given.filter((tool) => !isQuestion(tool)), humanInteractionTool];
    const stream = client.messages.stream({ ...params, tools, messages: this.messages }, { signal });
    try {
      for await (const event of stream) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
          yield { type: 'text', text: event.delta.text };
      }
      return await stream.finalMessage();
    } catch (thrown) {
      if (signal.aborted) return null;
      throw thrown;
    } finally {
      if (!stream.ended) stream.abort();
    }
  }

  /** Undefined for everything that is listed. */
  async #select(signal: AbortSignal): Promise<readonly ListedTool[] | undefined> {
    const { session, select } = this.options;
    if (select === undefined) return undefined;
    try {
      return (await session.select({ ...select, messages: this.messages, signal })).tools;
    } catch (thrown) {
      if (signal.aborted) return undefined;
      throw thrown;
    }
  }

  /** Adds a message to the conversation and makes its calls. Null if the model continues. */
  async *#follow(message: Anthropic.Message, cancel: AbortController): Events<LoopEnd | null> {
    this.#last = message;
    const { stop_reason: reason } = message;
    const content = toSendable(message.content);
    const toolUses = content.filter((block) => block.type === 'tool_use');
    // A refusal is not part of the conversation: the API would refuse anything after it.
    if (reason !== 'refusal' && content.length > 0) this.messages.push({ role: 'assistant', content });
    if (reason === 'tool_use' && toolUses.length > 0) return yield* this.#call(message, toolUses, cancel);
    // A truncated call may differ from the one that the model meant.
    if (reason !== 'refusal' && toolUses.length > 0)
      this.messages.push({
        role: 'user',
        content: toolUses.map((use) => toErrorResult(use, describeUncalled(reason))),
      });
    yield { type: 'message', message };
    if (reason === 'pause_turn') return null;
    return reason === 'tool_use' || reason === null ? 'end_turn' : reason;
  }

  /** Runs the calls of a message. If any of them asks a person, it pauses and runs none. */
  async *#call(
    message: Anthropic.Message,
    toolUses: readonly Anthropic.ToolUseBlock[],
    cancel: AbortController,
  ): Events<LoopEnd | null> {
    const step = { id: message.id, memory: new Map() };
    const { human, signal } = this.options;
    if (human === undefined) return yield* this.#answer(this.#newTurn(toolUses, step), cancel, message);
    const asking = readTurn(toolUses.map(toTurnCall));
    if (asking.questions.length === 0) {
      const turn = this.#newTurn(toolUses, step, { answers: asking.malformed });
      return yield* this.#answer(turn, cancel, message);
    }
    this.#asked = await human.pause({ ...asking, messages: toJsonMessages(this.messages), signal });
    yield { type: 'message', message };
    for (const toolUse of toolUses) yield { type: 'tool_call', toolUse };
    return yield* tellAsked(this.#asked);
  }

  #newTurn(
    toolUses: readonly Anthropic.ToolUseBlock[],
    step: StepContext,
    known: Pick<ConstructorParameters<typeof ToolTurn>[0], 'answers' | 'inputs'> = {},
  ): ToolTurn {
    const { session, ownTools = [], maxConcurrentCalls = MAX_CONCURRENT_CALLS } = this.options;
    return new ToolTurn({ session, toolUses, step, ownTools, maxConcurrentCalls, ...known });
  }

  /** Answers each call of a turn; an open call waits for the people who were asked. */
  async *#answer(
    turn: ToolTurn,
    cancel: AbortController,
    message?: Anthropic.Message,
  ): Events<LoopEnd | null> {
    const { signal } = cancel;
    const wasOpen = this.#open === turn;
    this.#open = turn;
    let isLeft = true;
    try {
      if (message !== undefined) yield { type: 'message', message };
      if (!wasOpen) for (const toolUse of turn.toolUses) yield { type: 'tool_call', toolUse };
      if (wasOpen) for await (const block of turn.settle(signal)) yield { type: 'tool_result', block };
      for await (const block of turn.run(signal)) yield { type: 'tool_result', block };
      if (signal.aborted) for await (const block of turn.settle(signal)) yield { type: 'tool_result', block };
      isLeft = false;
    } finally {
      if (isLeft) await turn.finish(cancel);
      if (turn.listPending().length === 0) {
        this.#open = null;
        this.#take(turn);
      }
    }
    if (this.#open !== null) return 'pending';
    if (signal.aborted) return 'aborted';
    return turn.isStopped ? 'stopped' : null;
  }

  /** Inserts the answers right after their calls: the caller may have added messages meanwhile. */
  #take(turn: ToolTurn): void {
    const at = this.messages.findLastIndex((message) => asksFor(message, turn.toolUses));
    this.messages.splice(at < 0 ? this.messages.length : at + 1, 0, turn.toMessage());
  }
}

async function* tellAsked({ interaction }: PendingHumanInputAction): Events<'human_input'> {
  for (const { toolCallId } of [interaction, ...interaction.others])
    yield toHumanEvent(toolCallId, 'requires_human_input');
  return 'human_input';
}

const toHumanEvent = (
  toolCallId: string,
  state: (ToolLoopEvent & { type: 'human_input' })['state'],
): ToolLoopEvent => ({ type: 'human_input', state, toolCallId, toolName: HUMAN_INTERACTION_TOOL_NAME });

const isQuestion = (tool: Anthropic.ToolUnion): boolean => tool === humanInteractionTool;

/** @throws SpillwayError `invalid_argument` where another tool has the name of the question */
function checkNames({ ownTools = [], params }: ToolLoopOptions): void {
  const taken = [...ownTools.map(({ tool }) => tool), ...(params.tools ?? [])].some(
    (tool) => 'name' in tool && tool.name === HUMAN_INTERACTION_TOOL_NAME && !isQuestion(tool),
  );
  if (!taken) return;
  throw invalidArgument(
    `runToolLoop: ${HUMAN_INTERACTION_TOOL_NAME} is the name of a tool of yours, and that of the question to a person.`,
    'Give your tool another name.',
  );
}

const asksFor = (
  { role, content }: Anthropic.MessageParam,
  [first]: readonly Anthropic.ToolUseBlock[],
): boolean =>
  role === 'assistant' &&
  typeof content !== 'string' &&
  content.some((block) => block.type === 'tool_use' && block.id === first?.id);

/** The API rejects blank text, and thinking at the end. */
function toSendable(content: readonly Anthropic.ContentBlock[]): Anthropic.ContentBlock[] {
  const blocks = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  const last = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  return blocks.slice(0, last + 1);
}

const describeUncalled = (reason: Anthropic.StopReason | null): SpillwayError =>
  new SpillwayError('cancelled', `The answer ended with ${reason ?? 'nothing'}; the call was not made.`);
