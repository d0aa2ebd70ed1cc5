import type { ModelMessage, Output } from 'ai';
import type { PendingHumanInputAction } from '../../../human/contract.ts';
import { createHumanLoop, type Generated, type HumanLoopOptions, type TextOutput } from './run.ts';
import { createHumanStream, type HumanStream, type HumanStreamOptions } from './stream.ts';

interface Messages {
  readonly messages: readonly ModelMessage[];
}

/**
 * Asks a model of the AI SDK that may ask a person (`requestHumanInput`), with the options of `generateText`. Answers
 * the pending action, or the response as it is. With `stream: true` it takes those of `streamText`, and answers a stream.
 * @throws SpillwayError `invalid_argument` where a tool of the caller has the name of the question
 */
export function runWithHumanInput<Out extends Output.Output = TextOutput>(
  options: HumanLoopOptions<Out> & Messages & { readonly stream?: false | undefined },
): Promise<Generated<Out> | PendingHumanInputAction>;
export function runWithHumanInput<Out extends Output.Output = TextOutput>(
  options: HumanStreamOptions<Out> & Messages & { readonly stream: true },
): HumanStream<Out>;
export function runWithHumanInput({
  messages,
  stream = false,
  ...options
}: (HumanLoopOptions | HumanStreamOptions) & Messages & { readonly stream?: boolean | undefined }):
  | Promise<Generated<Output.Output> | PendingHumanInputAction>
  | HumanStream<Output.Output> {
  return stream
    ? createHumanStream(options).run(messages)
    : createHumanLoop(options as HumanLoopOptions).run(messages);
}

/** Whether an answer of {@link runWithHumanInput} waits for a person. */
export const isPendingHumanInput = (answer: object): answer is PendingHumanInputAction =>
  'status' in answer && answer.status === 'requires_human_input';
