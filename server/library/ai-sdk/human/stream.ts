import {
  createUIMessageStreamResponse,
  streamText,
  type ModelMessage,
  type Output,
  type StreamTextResult,
  type ToolSet,
  type UIMessageChunk,
} from 'ai';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  type ContinuePayload,
  type PendingHumanInputAction,
} from '../../../people/human-contract.ts';
import { resume, pauseAt } from './resume.ts';
import {
  checkTools,
  holdTurns,
  rememberConversation,
  resumeOptions,
  type HumanLoopOptions,
  type HumanOptions,
  type TextOutput,
  createHumanLoop,
  type Generated,
} from './run.ts';

type StreamParams = Parameters<typeof streamText>[0];
/** The result of `streamText`. */
type Streamed<Out extends Output.Output> = StreamTextResult<ToolSet, Out>;

/** Options of {@link createHumanStream}: those of `streamText`, without messages. */
export type HumanStreamOptions<Out extends Output.Output = Output.Output> = Omit<
  StreamParams,
  'messages' | 'prompt' | 'tools' | 'output'
> &
  HumanOptions<Out>;

/** The data part of a stream about a question to a person; a later one with the same id replaces it. */
export type HumanInputPart = UIMessageChunk & {
  readonly type: 'data-human-input';
  readonly id: string;
  readonly data: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly state: 'requires_human_input' | 'answered';
    /** The question; absent once it was answered. */
    readonly args?: PendingHumanInputAction['interaction']['args'];
    readonly expiresAt?: string;
  };
};

/** A stream that can end at a question to a person. */
export interface HumanStream<Out extends Output.Output = TextOutput> {
  /**
   * The answer of `streamText`, unchanged. Null if another question of the same turn is open and no model was
   * asked.
   */
  readonly response: Streamed<Out> | null;
  /**
   * The pending action once the stream has ended; null if the model has finished. Consume the stream, or call
   * this, which does.
   */
  outcome(): Promise<PendingHumanInputAction | null>;
  /** The stream for a chat, with a {@link HumanInputPart} for each question. */
  toUIMessageStream(): ReadableStream<UIMessageChunk>;
  toUIMessageStreamResponse(init?: ResponseInit): Response;
}

/** A task over `streamText` that can wait for people. */
export interface HumanStreaming<Out extends Output.Output = TextOutput> {
  run(messages: readonly ModelMessage[]): HumanStream<Out>;
  /** @throws SpillwayError as `HumanInput.take` does */
  continue(payload: ContinuePayload): Promise<HumanStream<Out>>;
}

/**
 * A task over `streamText` that pauses when the model asks a person, and continues with the answer.
 * @throws SpillwayError `invalid_argument` if a tool of the caller has the question's name
 */
export function createHumanStream<Out extends Output.Output = TextOutput>(
  options: HumanStreamOptions<Out>,
): HumanStreaming<Out> {
  checkTools(options);
  const resuming = resumeOptions(options);
  const run = (messages: readonly ModelMessage[], answered?: HumanInputPart): HumanStream<Out> => {
    const params = holdTurns(options as HumanLoopOptions<Out>, messages);
    const response = streamText<ToolSet, Out>(params as Parameters<typeof streamText<ToolSet, Out>>[0]);
    const end = async (): Promise<PendingHumanInputAction | null> => {
      const conversation = [...messages, ...(await response.response).messages];
      const pending = await pauseAt(conversation, resuming);
      if (pending === null) rememberConversation(response, conversation);
      return pending;
    };
    let ended: ReturnType<typeof end> | null = null;
    return toStream(response, () => (ended ??= end()), answered);
  };
  return {
    run,
    continue: async (payload) => {
      const resumed = await resume(payload, resuming);
      if (resumed.status === 'requires_human_input')
        return toStream(null, async () => resumed, partAnswered(payload));
      return run(resumed.messages, partAnswered(payload));
    },
  };
}

function toStream<Out extends Output.Output>(
  response: Streamed<Out> | null,
  outcome: HumanStream['outcome'],
  answered: HumanInputPart | undefined,
): HumanStream<Out> {
  const toUIMessageStream = (): ReadableStream<UIMessageChunk> => {
    const source = response?.toUIMessageStream() ?? emptyMessage();
    return source.pipeThrough(withParts(answered, outcome));
  };
  return {
    response,
    outcome: async () => {
      await response?.consumeStream();
      return outcome();
    },
    toUIMessageStream,
    toUIMessageStreamResponse: (init = {}) =>
      createUIMessageStreamResponse({ ...init, stream: toUIMessageStream() }),
  };
}

/** Adds the data parts: answered questions first, the open one last. */
function withParts(
  answered: HumanInputPart | undefined,
  outcome: HumanStream['outcome'],
): TransformStream<UIMessageChunk, UIMessageChunk> {
  let last: UIMessageChunk | null = null;
  let isFailed = false;
  return new TransformStream({
    transform: (chunk, controller) => {
      if (chunk.type === 'abort' || chunk.type === 'error') isFailed = true;
      // The end of the message follows the question, which is known once the source has ended.
      if (chunk.type === 'finish') last = chunk;
      else controller.enqueue(chunk);
      if (chunk.type === 'start' && answered !== undefined) controller.enqueue(answered);
    },
    flush: async (controller) => {
      if (!isFailed) for (const part of buildInputParts(await outcome())) controller.enqueue(part);
      if (last !== null) controller.enqueue(last);
    },
  });
}

function buildInputParts(pending: PendingHumanInputAction | null): readonly HumanInputPart[] {
  if (pending === null) return [];
  const { interaction } = pending;
  const { expiresAt } = interaction;
  return [interaction, ...interaction.others].map(({ toolCallId, toolName, args }) => ({
    type: 'data-human-input',
    id: toolCallId,
    data: { toolCallId, toolName, state: 'requires_human_input', args, expiresAt },
  }));
}

const partAnswered = ({ toolCallId }: ContinuePayload): HumanInputPart => ({
  type: 'data-human-input',
  id: toolCallId,
  data: { toolCallId, toolName: HUMAN_INTERACTION_TOOL_NAME, state: 'answered' },
});

const emptyMessage = (): ReadableStream<UIMessageChunk> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue({ type: 'start' });
      controller.enqueue({ type: 'finish' });
      controller.close();
    },
  });

interface Messages {
  readonly messages: readonly ModelMessage[];
}

/**
 * Asks a model of the AI SDK that may ask a person (`requestHumanInput`), with the options of `generateText`.
 * Returns the pending action, or the unchanged response. With `stream: true` it takes the options of
 * `streamText` and returns a stream.
 * @throws SpillwayError `invalid_argument` if a tool of the caller has the question's name
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
