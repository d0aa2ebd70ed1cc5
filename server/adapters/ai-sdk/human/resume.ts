import type { ModelMessage, ToolSet } from 'ai';
import type { ContinuePayload, PendingHumanInputAction } from '../../../human/contract.ts';
import type { HumanInput } from '../../../human/human-input.ts';
import { HUMAN_INTERACTION_TOOL_NAME } from '../../../human/contract.ts';
import { openCalls, toJsonMessages, toModelMessages, toResultPart, withResults } from './conversation.ts';
import { executeCall } from './execute.ts';

/** What a paused task needs of the program that runs it. */
export interface ResumeOptions {
  readonly human: HumanInput;
  /** As the caller gave them. */
  readonly tools: ToolSet;
  readonly signal: AbortSignal | undefined;
  readonly context: unknown;
}

/**
 * The pending action for a conversation whose last turn asks a person; null for one that asks nobody.
 */
export async function pauseAt(
  messages: readonly ModelMessage[],
  { human, signal }: Pick<ResumeOptions, 'human' | 'signal'>,
): Promise<PendingHumanInputAction | null> {
  const json = toJsonMessages(messages);
  // Read back, since this is what comes with the answer.
  const { questions, waiting } = openCalls(toModelMessages(json));
  return questions.length === 0 ? null : human.pause({ messages: json, questions, waiting, signal });
}

/** The conversation with a result for each call of the turn that was paused, or the next question of that turn. */
export async function resume(
  payload: ContinuePayload,
  { human, ...options }: ResumeOptions,
): Promise<PendingHumanInputAction | { readonly status: 'resumed'; readonly messages: ModelMessage[] }> {
  const taken = await human.take({ ...payload, messages: toJsonMessages(payload.messages as never) });
  if (taken.status === 'requires_human_input') return taken;
  const { answers, args } = taken;
  const messages = toModelMessages(taken.messages);
  const { questions, waiting } = openCalls(messages);
  const before = messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === 'assistant'),
  );
  const calls = [
    ...questions.map(({ toolCallId }) => ({ toolCallId, toolName: HUMAN_INTERACTION_TOOL_NAME, args: {} })),
    ...waiting,
  ];
  // Tools of a session see one step in one array, and keep the order of its calls.
  const results = await Promise.all(
    calls.map(async (call) => {
      const answer = answers.get(call.toolCallId);
      if (answer !== undefined) return toResultPart(call, answer);
      return executeCall(call, args.get(call.toolCallId), { ...options, messages: before });
    }),
  );
  return {
    status: 'resumed',
    messages: withResults([...messages, ...toModelMessages(taken.later)], results),
  };
}
