import type Anthropic from '@anthropic-ai/sdk';
import type { ContinuePayload, PendingHumanInputAction } from '../../../human/contract.ts';
import { sharedHumanInput } from '../../../library/continue-handler.ts';
import { ToolLoop, type ToolLoopEvent, type ToolLoopOptions } from '../loop.ts';

/** Options of {@link runWithHumanInput}: those of the loop, whose human input is one of this process by default. */
export interface HumanRunOptions extends ToolLoopOptions {
  /** Called with each event of the loop. */
  readonly onEvent?: ((event: ToolLoopEvent) => void) | undefined;
}

const CONVERSATIONS = new WeakMap<object, readonly Anthropic.MessageParam[]>();

/** The whole conversation behind a response of {@link runWithHumanInput}. Null for anything else. */
export const conversationOf = (response: object): readonly Anthropic.MessageParam[] | null =>
  CONVERSATIONS.get(response) ?? null;

/**
 * Runs a loop whose model may ask a person (`requestHumanInput`). Answers the pending action, or the last message of the
 * model as it is. Calls that the gate asks about are waited for.
 * @throws the reason of an abort; errors of the API as they are; SpillwayError `invalid_argument` for an option that does
 * not fit
 */
export function runWithHumanInput(
  options: HumanRunOptions,
): Promise<Anthropic.Message | PendingHumanInputAction> {
  return finish(new ToolLoop({ ...options, human: options.human ?? sharedHumanInput() }), options);
}

/**
 * Takes the answer of a person, calls what waited for it, and runs the loop on.
 * @throws SpillwayError as `HumanInput.take` does
 */
export async function continueWithHumanInput(
  payload: ContinuePayload,
  options: Omit<HumanRunOptions, 'messages'>,
): Promise<Anthropic.Message | PendingHumanInputAction> {
  const loop = new ToolLoop({ ...options, messages: [], human: options.human ?? sharedHumanInput() });
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
