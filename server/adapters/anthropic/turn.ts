import { setMaxListeners } from 'node:events';
import type Anthropic from '@anthropic-ai/sdk';
import { cancelledBy } from '../../core/calls/call.ts';
import type { StepContext } from '../../core/context.ts';
import type { PendingInteraction } from '../../core/result.ts';
import { onAbort } from '../../../shared/async/abort.ts';
import { isReadOnly } from '../../library/order.ts';
import type { SpillwaySession } from '../../library/types.ts';
import { answerPending, answerToolUse, type AnsweredToolUse, type OwnTool } from './tools.ts';

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
  /** Of calls that are not made: what people answered, or why. */
  readonly answers?: ReadonlyMap<string, AnsweredToolUse>;
  /** Arguments that a person has changed, by the id of the call. */
  readonly inputs?: ReadonlyMap<string, unknown>;
}

/** The calls that one message of a model asks for. Each always gets exactly one answer. */
export class ToolTurn {
  readonly #options: TurnOptions;
  readonly #left: Anthropic.ToolUseBlock[];
  readonly #inFlight = new Map<string, Promise<AnsweredToolUse>>();
  readonly #answers = new Map<string, AnsweredToolUse>();
  /** Answers that were there before anything was called, and are not reported yet. */
  readonly #given: Anthropic.ToolResultBlockParam[] = [];
  /** Shared by all its calls: one that was decided between two iterations continues under it. */
  readonly #cancel = new AbortController();
  /** Asked for a stop by one of its results. */
  isStopped = false;

  constructor(options: TurnOptions) {
    this.#options = options;
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
    return this.#options.toolUses;
  }

  /** Those that wait for a person, in the order of the message. */
  pending(): readonly PendingToolUse[] {
    return this.#options.toolUses.flatMap((toolUse) => {
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
    const { session, step, ownTools, maxConcurrentCalls } = this.#options;
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
    const { session, toolUses } = this.#options;
    const open = [
      ...toolUses.filter(({ id }) => this.#inFlight.has(id)),
      ...this.pending().map(({ toolUse }) => toolUse),
    ];
    return open.length === 0 || [{ name }, ...open].every((use) => isReadOnly(session, use.name));
  }

  /** Waits for the ends of those that are pending; refuses undecided calls when `signal` aborts. */
  async *settle(signal: AbortSignal): AsyncGenerator<Anthropic.ToolResultBlockParam> {
    const { session } = this.#options;
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

  /** The message that answers the turn: one block a call, in the order of the message. */
  toMessage(): Anthropic.MessageParam {
    const content = this.#options.toolUses.flatMap(({ id }) => this.#answers.get(id)?.block ?? []);
    return { role: 'user', content };
  }
}
