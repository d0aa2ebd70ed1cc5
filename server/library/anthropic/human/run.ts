import type Anthropic from '@anthropic-ai/sdk';
import type { ContinuePayload, PendingHumanInputAction } from '../../../people/human-contract.ts';
import { getSharedHumanInput } from '../../continue-handler.ts';
import { ToolLoop, type ToolLoopEvent, type ToolLoopOptions } from '../loop.ts';

/** Options of {@link runWithHumanInput}: those of the loop. Human input defaults to one for this process. */
export interface HumanRunOptions extends ToolLoopOptions {
  /** Called with each event of the loop. */
  readonly onEvent?: ((event: ToolLoopEvent) => void) | undefined;
}

const CONVERSATIONS = new WeakMap<object, readonly Anthropic.MessageParam[]>();

/** The whole conversation behind a response of {@link runWithHumanInput}. Null for anything else. */
export const conversationOf = (response: object): readonly Anthropic.MessageParam[] | null =>
  CONVERSATIONS.get(response) ?? null;

/**
 * Runs a loop whose model may ask a person (`requestHumanInput`). Returns the pending action, or the model's
 * last message unchanged. Waits for calls that the gate asks about.
 * @throws the reason of an abort; API errors unchanged; SpillwayError `invalid_argument` for a wrong option
 */
export function runWithHumanInput(
  options: HumanRunOptions,
): Promise<Anthropic.Message | PendingHumanInputAction> {
  return finish(new ToolLoop({ ...options, human: options.human ?? getSharedHumanInput() }), options);
}

/**
 * Takes the answer of a person, makes the calls that waited for it, and continues the loop.
 * @throws SpillwayError as `HumanInput.take` does
 */
export async function continueWithHumanInput(
  payload: ContinuePayload,
  options: Omit<HumanRunOptions, 'messages'>,
): Promise<Anthropic.Message | PendingHumanInputAction> {
  const loop = new ToolLoop({ ...options, messages: [], human: options.human ?? getSharedHumanInput() });
  await loop.continue(payload);
  return finish(loop, options);
}

async function finish(
  loop: ToolLoop,
  { signal, session, onEvent }: Pick<HumanRunOptions, 'signal' | 'session' | 'onEvent'>,
): Promise<Anthropic.Message | PendingHumanInputAction> {
  for (;;) {
    for await (const event of loop) {
      onEvent?.(event);
      if (event.type !== 'end' || event.reason === 'pending') continue;
      if (event.humanInput !== undefined) return event.humanInput;
      signal?.throwIfAborted();
      session.signal.throwIfAborted();
      if (event.message === null) throw new Error('The model was not asked.');
      CONVERSATIONS.set(event.message, loop.messages);
      return event.message;
    }
  }
}
