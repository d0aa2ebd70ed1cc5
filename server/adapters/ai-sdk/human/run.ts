import { generateText, type GenerateTextResult, type ModelMessage, type Output, type ToolSet } from 'ai';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  type ContinuePayload,
  type PendingHumanInputAction,
} from '../../../human/contract.ts';
import type { HumanInput } from '../../../human/human-input.ts';
import { sharedHumanInput } from '../../../library/human.ts';
import { pauseAt, resume, type ResumeOptions } from './resume.ts';
import { HumanTurns } from './turn.ts';

type GenerateParams = Parameters<typeof generateText>[0];
/** What a model writes where no `output` is given. */
export type TextOutput = Output.Output<string, string>;
/** What `generateText` answers. */
export type Generated<Out extends Output.Output = TextOutput> = GenerateTextResult<ToolSet, Out>;

/** What human input adds to the options of `generateText` and `streamText`. */
export interface HumanOptions<Out extends Output.Output = Output.Output> {
  readonly tools?: ToolSet | undefined;
  /** The form of the answer, such as `Output.object({ schema })`. Default: text. */
  readonly output?: Out | undefined;
  /** Made with `createHumanInput`. Default: one of this process. */
  readonly human?: HumanInput | undefined;
}

/** Options of {@link createHumanLoop}: those of `generateText`, without messages. */
export type HumanLoopOptions<Out extends Output.Output = Output.Output> = Omit<
  GenerateParams,
  'messages' | 'prompt' | 'tools' | 'output'
> &
  HumanOptions<Out>;

/** A task over `generateText` that can wait for people. */
export interface HumanLoop<Out extends Output.Output = TextOutput> {
  /** Asks the model. Answers its response as it is, or the pending action when a person has to be asked. */
  run(messages: readonly ModelMessage[]): Promise<Generated<Out> | PendingHumanInputAction>;
  /**
   * Takes the answer of a person, executes what waited for it, and asks the model again.
   * @throws SpillwayError as `HumanInput.take` does
   */
  continue(payload: ContinuePayload): Promise<Generated<Out> | PendingHumanInputAction>;
}

const CONVERSATIONS = new WeakMap<object, readonly ModelMessage[]>();

/**
 * The whole conversation behind a response of {@link HumanLoop}, or behind an error that the model threw after a person
 * had answered: with the results of the calls that waited, which the response alone lacks. Null for anything else.
 */
export function conversationOf(response: object): readonly ModelMessage[] | null {
  return CONVERSATIONS.get(response) ?? null;
}

/** Remembers the conversation behind a response or an error. */
export function rememberConversation(of: unknown, messages: readonly ModelMessage[]): void {
  if (typeof of === 'object' && of !== null) CONVERSATIONS.set(of, messages);
}

type Holdable = Pick<GenerateParams, 'model' | 'prepareStep' | 'activeTools'> & HumanOptions;

/** The options of one request to the AI SDK, whose turns are held where they ask a person. */
export function holding(options: Holdable, messages: readonly ModelMessage[]): unknown {
  const { human: _human, tools = {}, model, prepareStep, activeTools, ...rest } = options;
  const turns = new HumanTurns();
  const preparing: GenerateParams['prepareStep'] = async (step) => {
    const prepared = await prepareStep?.(step);
    if (prepared?.model === undefined) return prepared;
    return { ...prepared, model: turns.model(prepared.model) };
  };
  return {
    ...rest,
    messages: [...messages],
    model: turns.model(model),
    tools: turns.tools(tools),
    ...(activeTools === undefined ? {} : { activeTools: [...activeTools, HUMAN_INTERACTION_TOOL_NAME] }),
    ...(prepareStep === undefined ? {} : { prepareStep: preparing }),
  };
}

/** @throws SpillwayError `invalid_argument` where a tool of the caller has the name of the question */
export const checkTools = ({ tools = {} }: HumanOptions): void => void new HumanTurns().tools(tools);

/** What a resumption needs of the options. */
export const resumeOptions = ({
  human = sharedHumanInput(),
  tools = {},
  abortSignal,
  experimental_context: context,
}: HumanOptions & Pick<HumanLoopOptions, 'abortSignal' | 'experimental_context'>): ResumeOptions => ({
  human,
  tools,
  signal: abortSignal,
  context,
});

/**
 * A task over `generateText` that pauses where the model asks a person, and continues with the answer.
 * @throws SpillwayError `invalid_argument` where a tool of the caller has the name of the question
 */
export function createHumanLoop<Out extends Output.Output = TextOutput>(
  options: HumanLoopOptions<Out>,
): HumanLoop<Out> {
  checkTools(options);
  const resuming = resumeOptions(options);
  const run: HumanLoop<Out>['run'] = async (messages) => {
    const params = holding(options, messages) as Parameters<typeof generateText<ToolSet, Out>>[0];
    const response = await generateText<ToolSet, Out>(params);
    const conversation = [...messages, ...response.response.messages];
    const pending = await pauseAt(conversation, resuming);
    if (pending !== null) return pending;
    rememberConversation(response, conversation);
    return response;
  };
  return {
    run,
    continue: async (payload) => {
      const resumed = await resume(payload, resuming);
      if (resumed.status === 'requires_human_input') return resumed;
      try {
        return await run(resumed.messages);
      } catch (thrown) {
        rememberConversation(thrown, resumed.messages);
        throw thrown;
      }
    },
  };
}
