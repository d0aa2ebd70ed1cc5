import { gateway, type LanguageModel, type ToolSet } from 'ai';
import { SpillwayError } from '../../../../shared/errors.ts';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  humanInteractionToolDefinition,
  questionOf,
} from '../../../human/contract.ts';

type Model = Exclude<LanguageModel, string>;

/** A part of a model's answer, or a chunk of its stream, as far as a pause has to know it. */
interface Part {
  readonly type: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean;
}

const isOwnCall = ({ type, providerExecuted }: Part): boolean =>
  type === 'tool-call' && providerExecuted !== true;

/** Whether a part asks a person. A malformed question does not: the AI SDK answers it with what is wrong. */
function asks({ toolName = '', input, ...part }: Part): boolean {
  if (!isOwnCall(part) || typeof input !== 'string') return false;
  try {
    return questionOf({ toolName, args: JSON.parse(input) as unknown }) !== null;
  } catch {
    return false;
  }
}

/**
 * Keeps the AI SDK from executing anything of a turn that asks a person. It learns of that from the model's answer,
 * before the AI SDK does; a stream gives its calls away only when it is complete, in their order.
 */
export class HumanTurns {
  #isHeld = false;

  /** The model, whose answers are looked at. */
  model(given: LanguageModel): LanguageModel {
    const model = modelOf(given);
    return new Proxy(model, {
      get: (target, name) => {
        if (name === 'doGenerate') return this.#generating(target);
        if (name === 'doStream') return this.#streaming(target);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  #generating(model: Model): (options: never) => Promise<unknown> {
    return async (options) => {
      this.#isHeld = false;
      const answer = await model.doGenerate(options);
      this.#isHeld = answer.content.some(asks);
      return answer;
    };
  }

  #streaming(model: Model): (options: never) => Promise<unknown> {
    return async (options) => {
      this.#isHeld = false;
      const answer = await model.doStream(options);
      const stream = answer.stream as ReadableStream<Part>;
      return { ...answer, stream: stream.pipeThrough(this.#holdCalls()) };
    };
  }

  #holdCalls(): TransformStream<Part, Part> {
    const held: Part[] = [];
    const give = (controller: TransformStreamDefaultController<Part>): void => {
      // The stream ends after its finish, too: that is not another turn.
      if (held.length > 0) this.#isHeld = held.some(asks);
      for (const part of held.splice(0)) controller.enqueue(part);
    };
    return new TransformStream({
      transform: (part, controller) => {
        if (part.type === 'finish') give(controller);
        // What follows a call stays behind it.
        if (held.length > 0 || isOwnCall(part)) held.push(part);
        else controller.enqueue(part);
      },
      flush: give,
    });
  }

  /**
   * The tools and the question to a person. The set stays alive: each step sees what it lists then.
   * @throws SpillwayError `invalid_argument` where another tool has the name of the question
   */
  tools(given: ToolSet): ToolSet {
    const name = HUMAN_INTERACTION_TOOL_NAME;
    if (Object.hasOwn(given, name) && !isDefinition(given[name]))
      throw new SpillwayError(
        'invalid_argument',
        `tools: ${name} is the name of a tool of yours, and that of the question to a person.`,
        { hint: 'Give your tool another name.' },
      );
    const get = (of: string | symbol): unknown => {
      if (of === name) return humanInteractionToolDefinition;
      const tool: unknown = Reflect.get(given, of);
      return typeof of === 'string' && typeof tool === 'object' && tool !== null
        ? this.#holdable(tool)
        : tool;
    };
    const keys = (): readonly (string | symbol)[] => [
      ...Reflect.ownKeys(given).filter((key) => key !== name),
      name,
    ];
    return new Proxy<ToolSet>(
      {},
      {
        get: (_target, of) => get(of),
        has: (_target, of) => of === name || Reflect.has(given, of),
        ownKeys: () => [...keys()],
        getOwnPropertyDescriptor: (_target, of) =>
          keys().includes(of)
            ? { value: get(of), enumerable: true, configurable: true, writable: false }
            : undefined,
      },
    );
  }

  /** A tool that cannot be executed, and needs no approval, while its turn is held. */
  #holdable(tool: object): object {
    const isWithheld = (name: string | symbol): boolean =>
      this.#isHeld && (name === 'execute' || name === 'needsApproval');
    // Not of the tool itself: a frozen one could not say that it has nothing to execute.
    return new Proxy(
      {},
      {
        get: (_target, name) => (isWithheld(name) ? undefined : (Reflect.get(tool, name, tool) as unknown)),
        has: (_target, name) => Reflect.has(tool, name),
      },
    );
  }
}

/** Whether a tool is the question itself, which a caller may have merged already. */
const isDefinition = (tool: ToolSet[string] | undefined): boolean =>
  tool?.execute === undefined && tool?.inputSchema === humanInteractionToolDefinition.inputSchema;

/** A name is one of the provider that the program chose, as everywhere in the AI SDK. */
function modelOf(model: LanguageModel): Model {
  if (typeof model !== 'string') return model;
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model);
}
