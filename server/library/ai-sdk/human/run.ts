import {
  generateText,
  type GenerateTextResult,
  type ModelMessage,
  type Output,
  type ToolSet,
  gateway,
  type LanguageModel,
} from 'ai';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  type ContinuePayload,
  type PendingHumanInputAction,
  humanInteractionToolDefinition,
  questionOf,
} from '../../../people/human-contract.ts';
import type { HumanInput } from '../../../people/human-input.ts';
import { getSharedHumanInput } from '../../continue-handler.ts';
import { invalidArgument } from '../../../../shared/base/errors.ts';
import { jsonIn } from '../../../../shared/base/json-schema.ts';
import { liveTools } from '../tools.ts';
import { pauseAt, resume, type ResumeOptions } from './resume.ts';

type Model = Exclude<LanguageModel, string>;

/** The fields of a part of an answer, or of a chunk of its stream, that a pause needs. */
interface StreamPart {
  readonly type: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean;
}

const isOwnCall = ({ type, providerExecuted }: StreamPart): boolean =>
  type === 'tool-call' && providerExecuted !== true;

/** Whether a part asks a person. A malformed question does not: the AI SDK answers it with an error. */
const asks = ({ toolName = '', input, ...part }: StreamPart): boolean =>
  isOwnCall(part) && typeof input === 'string' && questionOf({ toolName, args: jsonIn(input) }) !== null;

/**
 * Keeps the AI SDK from executing anything in a turn that asks a person. It sees the model's answer before
 * the AI SDK does; it releases the calls of a stream only when the stream is complete, in their order.
 */
class HumanTurns {
  #isHeld = false;

  /** The model, wrapped so that its answers can be inspected. */
  model(given: LanguageModel): LanguageModel {
    const model = modelOf(given);
    return new Proxy(model, {
      get: (target, name) => {
        if (name === 'doGenerate') return (options: never) => this.#generate(target, options);
        if (name === 'doStream') return (options: never) => this.#stream(target, options);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  async #generate(model: Model, options: never): Promise<unknown> {
    this.#isHeld = false;
    const answer = await model.doGenerate(options);
    this.#isHeld = answer.content.some(asks);
    return answer;
  }

  async #stream(model: Model, options: never): Promise<unknown> {
    this.#isHeld = false;
    const answer = await model.doStream(options);
    const stream = answer.stream as ReadableStream<StreamPart>;
    return { ...answer, stream: stream.pipeThrough(this.#holdCalls()) };
  }

  #holdCalls(): TransformStream<StreamPart, StreamPart> {
    const held: StreamPart[] = [];
    const give = (controller: TransformStreamDefaultController<StreamPart>): void => {
      // The end of the stream after its finish is not another turn.
      if (held.length > 0) this.#isHeld = held.some(asks);
      for (const part of held.splice(0)) controller.enqueue(part);
    };
    return new TransformStream({
      transform: (part, controller) => {
        if (part.type === 'finish') give(controller);
        // Parts after a call stay after it.
        if (held.length > 0 || isOwnCall(part)) held.push(part);
        else controller.enqueue(part);
      },
      flush: give,
    });
  }

  /**
   * The tools and the question to a person. The set stays live: each step sees the tools listed at that time.
   * @throws SpillwayError `invalid_argument` if another tool has the question's name
   */
  tools(given: ToolSet): ToolSet {
    const name = HUMAN_INTERACTION_TOOL_NAME;
    if (Object.hasOwn(given, name) && !isDefinition(given[name]))
      throw invalidArgument(
        `tools: ${name} is the name of a tool of yours, and that of the question to a person.`,
        'Give your tool another name.',
      );
    const get = (of: string | symbol): unknown => {
      if (of === name) return humanInteractionToolDefinition;
      const tool: unknown = Reflect.get(given, of);
      return typeof of === 'string' && typeof tool === 'object' && tool !== null
        ? this.#holdable(tool)
        : tool;
    };
    const keys = () => [...Reflect.ownKeys(given).filter((key) => key !== name), name];
    return liveTools(get, keys, (of) => of === name || Reflect.has(given, of));
  }

  /** A tool that cannot be executed, and needs no approval, while its turn is held. */
  #holdable(tool: object): object {
    const isWithheld = (name: string | symbol): boolean =>
      this.#isHeld && (name === 'execute' || name === 'needsApproval');
    // Not a change of the tool itself: it may be frozen.
    return new Proxy(
      {},
      {
        get: (_target, name) => (isWithheld(name) ? undefined : (Reflect.get(tool, name, tool) as unknown)),
        has: (_target, name) => Reflect.has(tool, name),
      },
    );
  }
}

/** Whether a tool is the question itself, which a caller may already have merged. */
const isDefinition = (tool: ToolSet[string] | undefined): boolean =>
  tool?.execute === undefined && tool?.inputSchema === humanInteractionToolDefinition.inputSchema;

/** A name refers to the program's default provider, as everywhere in the AI SDK. */
function modelOf(model: LanguageModel): Model {
  if (typeof model !== 'string') return model;
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model);
}

type GenerateParams = Parameters<typeof generateText>[0];
/** The output of a model without `output`. */
export type TextOutput = Output.Output<string, string>;
/** The result of `generateText`. */
export type Generated<Out extends Output.Output = TextOutput> = GenerateTextResult<ToolSet, Out>;

/** Options that human input adds to `generateText` and `streamText`. */
export interface HumanOptions<Out extends Output.Output = Output.Output> {
  readonly tools?: ToolSet | undefined;
  /** The form of the answer, such as `Output.object({ schema })`. Default: text. */
  readonly output?: Out | undefined;
  /** Made with `createHumanInput`. Default: one for this process. */
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
  /** Asks the model. Returns its response unchanged, or the pending action if a person has to be asked. */
  run(messages: readonly ModelMessage[]): Promise<Generated<Out> | PendingHumanInputAction>;
  /**
   * Takes the answer of a person, executes the calls that waited for it, and asks the model again.
   * @throws SpillwayError as `HumanInput.take` does
   */
  continue(payload: ContinuePayload): Promise<Generated<Out> | PendingHumanInputAction>;
}

const CONVERSATIONS = new WeakMap<object, readonly ModelMessage[]>();

/**
 * The whole conversation behind a response of {@link HumanLoop}, or behind an error that the model threw
 * after a person had answered. It includes the results of the calls that waited, which the response lacks.
 * Null for anything else.
 */
export function conversationOf(response: object): readonly ModelMessage[] | null {
  return CONVERSATIONS.get(response) ?? null;
}

/** Remembers the conversation behind a response or an error. */
export function rememberConversation(of: unknown, messages: readonly ModelMessage[]): void {
  if (typeof of === 'object' && of !== null) CONVERSATIONS.set(of, messages);
}

type Holdable = Pick<GenerateParams, 'model' | 'prepareStep' | 'activeTools'> & HumanOptions;

/** The options of one request to the AI SDK, whose turns are held if they ask a person. */
export function holdTurns(options: Holdable, messages: readonly ModelMessage[]): unknown {
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

export const resumeOptions = ({
  human = getSharedHumanInput(),
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
 * A task over `generateText` that pauses when the model asks a person, and continues with the answer.
 * @throws SpillwayError `invalid_argument` if a tool of the caller has the question's name
 */
export function createHumanLoop<Out extends Output.Output = TextOutput>(
  options: HumanLoopOptions<Out>,
): HumanLoop<Out> {
  checkTools(options);
  const resuming = resumeOptions(options);
  const run: HumanLoop<Out>['run'] = async (messages) => {
    const params = holdTurns(options, messages) as Parameters<typeof generateText<ToolSet, Out>>[0];
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
