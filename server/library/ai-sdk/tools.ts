import {
  dynamicTool,
  jsonSchema,
  type StopCondition,
  type Tool,
  type ToolSet,
  asSchema,
  type ToolExecutionOptions,
  generateText,
  type LanguageModel,
  type ModelMessage,
} from 'ai';
import { z } from 'zod';
import type { PendingInteraction } from '../../core/result.ts';
import { type AiSdkQuestion, Approvals, callable, runCall, getShared } from '../model-calls.ts';
import type { ListedTool, SpillwaySession, SelectOptions } from '../types.ts';
import { ToolCallError, toModelOutput, toOutput, type ToolOutput } from '../model-output.ts';
import { invalidArgument } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { isObject, type JsonObject } from '../../../shared/base/json.ts';
import type { OwnTool } from '../../core/context.ts';
import type { RankTools } from '../../core/registry/selector.ts';

/** Options of {@link toAiSdkTools}. */
export interface AiSdkOptions {
  /** The caller's own tools. Spillway's tools take precedence. */
  readonly ownTools?: ToolSet | undefined;
  /**
   * Called when a person is asked; the tool then waits for the decision (`session.decide(toolCallId, …)`).
   * Without it the AI SDK's approval asks: the answer is a `tool-approval-request`, and a
   * `tool-approval-response` in the next messages decides.
   */
  readonly onPending?: ((pending: PendingInteraction) => void) | undefined;
}

/**
 * The session's tools for the AI SDK. The set is live: it shows the tools that the session lists at each
 * step, since the list grows with `find_tools`, and finds unlisted ones by name. An unknown name is answered
 * with `unknown_tool`. A copy of it (`{ ...tools }`) has the tools listed now.
 */
export function toAiSdkTools(session: SpillwaySession, options: AiSdkOptions = {}): ToolSet {
  const { ownTools = {} } = options;
  const isOwn = (name: string): boolean => Object.hasOwn(ownTools, name) && !session.has(name);
  const shown = (): readonly string[] => [
    ...session.list().map(({ name }) => name),
    ...Object.keys(ownTools).filter(isOwn),
  ];
  const get = (name: string | symbol): ToolSet[string] | undefined => {
    if (typeof name === 'symbol') return undefined;
    const own = isOwn(name) ? ownTools[name] : undefined;
    return own === undefined
      ? makeTool(session, toolNamed(session, name), options)
      : guardOwnTool(session, { name, tool: own }, options.onPending);
  };
  return liveTools(get, shown);
}

/** A set whose members are looked up each time. @param has by default, what has a key */
export const liveTools = (
  get: (name: string | symbol) => unknown,
  keys: () => readonly (string | symbol)[],
  has = (name: string | symbol): boolean => keys().includes(name),
): ToolSet =>
  new Proxy<ToolSet>(
    {},
    {
      get: (_target, name) => get(name),
      has: (_target, name) => has(name),
      ownKeys: () => [...keys()],
      getOwnPropertyDescriptor: (_target, name) =>
        keys().includes(name)
          ? { value: get(name), enumerable: true, configurable: true, writable: false }
          : undefined,
    },
  );

const Stopping = z.object({ stop: z.literal(true) });

/** For `stopWhen`: a tool asked its caller to stop, or its session was closed. */
export const stopRequested = <Tools extends ToolSet>({
  steps,
}: Parameters<StopCondition<Tools>>[0]): boolean =>
  steps.at(-1)?.content.some((part) => {
    if (part.type === 'tool-error')
      return part.error instanceof ToolCallError && part.error.result.stop === true;
    return part.type === 'tool-result' && Stopping.safeParse(part.output).success;
  }) ?? false;

const ANYTHING = { title: '', description: '', inputSchema: { type: 'object' }, isReadOnly: false } as const;

const toolNamed = (session: SpillwaySession, name: string): ListedTool =>
  session.find(name) ?? { ...ANYTHING, name };

function makeTool(
  session: SpillwaySession,
  { name, title, description, inputSchema }: ListedTool,
  { onPending }: AiSdkOptions,
): Tool {
  return dynamicTool({
    title,
    description,
    // The executor checks arguments: its errors suggest a correction.
    inputSchema: jsonSchema({ ...inputSchema }),
    ...callable(session, name, onPending),
  });
}

type AnyTool = ToolSet[string];
type Execution = Pick<
  ToolExecutionOptions,
  'toolCallId' | 'messages' | 'abortSignal' | 'experimental_context'
> &
  Pick<AiSdkQuestion, 'isOver'>;

/** Whether a tool wants an approval of its own. */
export const isApprovalNeeded = async (
  { needsApproval: needed }: AnyTool,
  input: unknown,
  options: Omit<Execution, 'abortSignal'>,
): Promise<boolean> => (typeof needed === 'function' ? needed(input, options) : needed === true);

const isPending = (output: unknown): boolean =>
  isObject(output) && isObject(output['pending']) && Array.isArray(output['content']);

/**
 * A caller's own tool, whose calls go through the gate, the journal and the redactor. A tool without
 * `execute` is unchanged: its client executes it. A streaming tool returns only its last output, since
 * earlier ones are not redacted.
 */
function guardOwnTool(
  session: SpillwaySession,
  { name, tool }: { readonly name: string; readonly tool: AnyTool },
  onPending: ((pending: PendingInteraction) => void) | undefined,
): AnyTool {
  if (tool.execute === undefined) return tool;
  const execute = async (input: unknown, options: Execution): Promise<unknown> => {
    const { toolCallId: id, messages, abortSignal: signal } = options;
    const own = toOwnTool(name, tool, { input, options });
    const call = { id, name, input, messages, own };
    const result = await runCall(session, call, { signal, step: getShared(messages).step, onPending });
    const output = toOutput(result);
    return result.pending === undefined ? result.own : output;
  };
  const needsApproval = async (input: unknown, options: Execution): Promise<boolean> => {
    const { toolCallId: id, messages, isOver } = options;
    const isAsked = await isApprovalNeeded(tool, input, options);
    if (onPending !== undefined) return isAsked;
    const own = toOwnTool(name, tool, { input, options });
    return (await Approvals.of(session).isNeeded({ id, name, input, messages, own, isOver })) || isAsked;
  };
  return {
    ...tool,
    execute,
    toModelOutput: (given: OutputForModel) =>
      isPending(given.output) ? toModelOutput(given.output as ToolOutput) : show(tool, given),
    ...(onPending !== undefined && tool.needsApproval === undefined ? {} : { needsApproval }),
  } as AnyTool;
}

interface OutputForModel {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

/** An output in the form for a model: the tool's own, or else the AI SDK's. */
function show(tool: AnyTool, given: OutputForModel): unknown {
  const { output } = given;
  if (tool.toModelOutput !== undefined) return tool.toModelOutput(given);
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: output ?? null };
}

/** The tool in the executor's form. */
function toOwnTool(
  name: string,
  tool: AnyTool,
  { input, options }: { readonly input: unknown; readonly options: Execution },
): OwnTool {
  return {
    name,
    title: tool.title,
    description: tool.description,
    run: async (args, { signal }) => {
      const checked = isSameInput(args, input) ? input : await validInput(name, tool, args);
      const answer: unknown = tool.execute?.(checked as never, { ...options, abortSignal: signal });
      return { value: await lastOf(await answer) };
    },
  };
}

const isSameInput = (args: JsonObject, input: unknown): boolean =>
  JSON.stringify(args) === JSON.stringify(input);

/** Arguments that a person has changed. @throws SpillwayError `invalid_argument` */
export async function validInput(name: string, tool: AnyTool, args: JsonObject): Promise<unknown> {
  const checked = await asSchema(tool.inputSchema).validate?.(args);
  if (checked === undefined) return args;
  if (checked.success) return checked.value;
  throw invalidArgument(`${name}: ${messageOf(checked.error)}`);
}

/** The last value of a streaming tool, or the only one. */
export async function lastOf(answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
  let last: unknown;
  for await (const output of answer as AsyncIterable<unknown>) last = output;
  return last;
}

/** Options of {@link selectTools}. */
export interface SelectToolsOptions extends Pick<SelectOptions, 'budget_tokens' | 'selector' | 'signal'> {
  /** Names of the caller's own tools, shown at each step. */
  readonly ownTools?: readonly string[] | undefined;
}

/**
 * For `prepareStep`: shows the model, at each step, the tools that fit the conversation (`activeTools`). It
 * can still call any other by name.
 */
export function selectTools(
  session: SpillwaySession,
  { ownTools = [], ...options }: SelectToolsOptions = {},
): (step: { readonly messages: readonly ModelMessage[] }) => Promise<{ activeTools: string[] }> {
  return async ({ messages }) => {
    const { tools } = await session.select({ ...options, messages });
    return { activeTools: [...tools.map(({ name }) => name), ...ownTools] };
  };
}

/** For `createToolSelector`: asks a model of the AI SDK. */
export function rankWithModel(model: LanguageModel): RankTools {
  return async (prompt, abortSignal) =>
    (await generateText({ model, prompt, abortSignal, maxRetries: 0 })).text;
}
