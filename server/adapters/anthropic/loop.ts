import { setMaxListeners } from 'node:events';
import type Anthropic from '@anthropic-ai/sdk';
import { SpillwayError } from '../../../shared/errors.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import type { SpillwaySession } from '../../library/types.ts';
import { toAnthropicTools, toErrorResult, type OwnTool } from './tools.ts';
import { ToolTurn, type PendingToolUse } from './turn.ts';

/** What the loop asks the model with: the parameters of the Messages API, without what the loop fills in. */
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
  /** Ends the loop, as the end of its session does: what the model says and what tools do stops. */
  readonly signal?: AbortSignal | undefined;
  /** Most requests to the model. Default 50. */
  readonly maxTurns?: number | undefined;
  /** Most tool calls of one turn that run concurrently, at least 1. Default 4. */
  readonly maxConcurrentCalls?: number | undefined;
  /** Tools of the caller's own, tried after Spillway's. */
  readonly ownTools?: readonly OwnTool[] | undefined;
}

/** Why a loop ended: what the model said, or one of the loop's own reasons. */
export type LoopEnd =
  | Exclude<Anthropic.StopReason, 'tool_use' | 'pause_turn'>
  /** A person is asked: decide the calls of `pending`, then iterate again. */
  | 'pending'
  /** A tool asked for it. */
  | 'stopped'
  | 'max_turns'
  | 'aborted';

/** What a loop tells while it goes. */
export type ToolLoopEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'message'; readonly message: Anthropic.Message }
  | { readonly type: 'tool_call'; readonly toolUse: Anthropic.ToolUseBlock }
  | { readonly type: 'tool_result'; readonly block: Anthropic.ToolResultBlockParam }
  | {
      readonly type: 'end';
      readonly reason: LoopEnd;
      /** The last one of the model; null when it said nothing. */
      readonly message: Anthropic.Message | null;
      readonly pending: readonly PendingToolUse[];
    };

type Events<End> = AsyncGenerator<ToolLoopEvent, End, void>;

const MAX_TURNS = 50;
const MAX_CONCURRENT_CALLS = 4;

/**
 * Asks a model and runs the tools that it calls, until it has nothing more to call. The last event
 * says why it ended. Errors of the API are thrown as they are; tools never throw.
 * @throws SpillwayError `invalid_argument` for an option that does not fit
 */
export function runToolLoop(options: ToolLoopOptions): ToolLoop {
  return new ToolLoop(options);
}

/**
 * A conversation that runs its tools. After each end `messages` is one that the API takes, with exactly
 * one `tool_result` for each `tool_use`, but for calls that are pending: those get theirs when it is
 * iterated again. Iterating again continues it; say more to the model by adding a message before.
 * Leaving the loop midway cancels open calls, so that the conversation can still continue.
 */
export class ToolLoop implements AsyncIterable<ToolLoopEvent> {
  readonly messages: Anthropic.MessageParam[];
  readonly #options: ToolLoopOptions;
  /** The turn whose calls wait for a person. */
  #open: ToolTurn | null = null;
  #last: Anthropic.Message | null = null;
  #isRunning = false;

  constructor(options: ToolLoopOptions) {
    const { maxConcurrentCalls = MAX_CONCURRENT_CALLS } = options;
    if (!(maxConcurrentCalls >= 1))
      throw new SpillwayError('invalid_argument', 'runToolLoop: maxConcurrentCalls: must be at least 1.', {
        hint: 'Correct the named option.',
      });
    this.#options = options;
    this.messages = [...options.messages];
  }

  /** @throws Error when it is iterated already */
  async *[Symbol.asyncIterator](): AsyncGenerator<ToolLoopEvent, void, void> {
    if (this.#isRunning) throw new Error('The loop is already being iterated; wait until it ends.');
    this.#isRunning = true;
    const cancel = new AbortController();
    // Each call that waits listens to it.
    setMaxListeners(0, cancel.signal);
    const { signal, session } = this.#options;
    // A session that was closed has no tool left that works: nothing is asked of a model for it.
    const stops = [signal, session.signal].map(
      (each) => each && onAbort(each, () => cancel.abort(each.reason)),
    );
    try {
      const reason = yield* this.#run(cancel);
      yield { type: 'end', reason, message: this.#last, pending: this.#open?.pending() ?? [] };
    } finally {
      for (const stop of stops) stop?.();
      this.#isRunning = false;
    }
  }

  async *#run(cancel: AbortController): Events<LoopEnd> {
    const { signal } = cancel;
    if (this.#open !== null) {
      const end = yield* this.#answer(this.#open, cancel);
      if (end !== null) return end;
    }
    const { maxTurns = MAX_TURNS } = this.#options;
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const message = signal.aborted ? null : yield* this.#ask(signal);
      if (message === null) return 'aborted';
      const end = yield* this.#follow(message, cancel);
      if (end !== null) return end;
    }
    return 'max_turns';
  }

  /** One answer of the model, streamed as it comes. Null when the loop was aborted meanwhile. */
  async *#ask(signal: AbortSignal): Events<Anthropic.Message | null> {
    const { client, session, params, ownTools } = this.#options;
    const tools = [...toAnthropicTools(session, ownTools), ...(params.tools ?? [])];
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

  /** Takes a message into the conversation and runs what it calls. Null when the model continues. */
  async *#follow(message: Anthropic.Message, cancel: AbortController): Events<LoopEnd | null> {
    this.#last = message;
    const { stop_reason: reason } = message;
    const content = toSendable(message.content);
    const toolUses = content.filter((block) => block.type === 'tool_use');
    // A refusal is not part of the conversation: the API would refuse anything after it.
    if (reason !== 'refusal' && content.length > 0) this.messages.push({ role: 'assistant', content });
    if (reason === 'tool_use' && toolUses.length > 0) {
      const { session, ownTools = [], maxConcurrentCalls = MAX_CONCURRENT_CALLS } = this.#options;
      const step = { id: message.id, memory: new Map() };
      const turn = new ToolTurn({ session, toolUses, step, ownTools, maxConcurrentCalls });
      return yield* this.#answer(turn, cancel, message);
    }
    // What was cut off may not be what the model meant to call.
    if (reason !== 'refusal' && toolUses.length > 0)
      this.messages.push({
        role: 'user',
        content: toolUses.map((use) => toErrorResult(use, uncalled(reason))),
      });
    yield { type: 'message', message };
    if (reason === 'pause_turn') return null;
    return reason === 'tool_use' || reason === null ? 'end_turn' : reason;
  }

  /** Answers each call of a turn; one that was open waits for the people who are asked. */
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
      if (turn.pending().length === 0) {
        this.#open = null;
        this.#take(turn);
      }
    }
    if (this.#open !== null) return 'pending';
    if (signal.aborted) return 'aborted';
    return turn.isStopped ? 'stopped' : null;
  }

  /** Puts the answers right behind what asked for them: the caller may have said more meanwhile. */
  #take(turn: ToolTurn): void {
    const at = this.messages.findLastIndex((message) => asksFor(message, turn.toolUses));
    this.messages.splice(at < 0 ? this.messages.length : at + 1, 0, turn.toMessage());
  }
}

const asksFor = (
  { role, content }: Anthropic.MessageParam,
  [first]: readonly Anthropic.ToolUseBlock[],
): boolean =>
  role === 'assistant' &&
  typeof content !== 'string' &&
  content.some((block) => block.type === 'tool_use' && block.id === first?.id);

/** What a model says, as the API takes it back: it takes no blank text, and no thought at the end. */
function toSendable(content: readonly Anthropic.ContentBlock[]): Anthropic.ContentBlock[] {
  const blocks = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  const last = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
  return blocks.slice(0, last + 1);
}

const uncalled = (reason: Anthropic.StopReason | null): SpillwayError =>
  new SpillwayError('cancelled', `The answer ended with ${reason ?? 'nothing'}; the call was not made.`);
