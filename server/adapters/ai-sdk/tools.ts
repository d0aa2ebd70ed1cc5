import { dynamicTool, jsonSchema, type ModelMessage, type StopCondition, type Tool, type ToolSet } from 'ai';
import type { StepContext } from '../../core/context.ts';
import type { PendingInteraction } from '../../core/result.ts';
import { inOrder } from '../../library/order.ts';
import { endOfPending, tellPending } from '../../library/pending.ts';
import type { CallOptions, CallResult, ListedTool, SpillwaySession } from '../../library/types.ts';
import { ToolCallError, toModelOutput, toOutput, type ToolOutput } from './output.ts';

/** Options of {@link toAiSdkTools}. */
export interface AiSdkOptions {
  /** Tools of the caller's own, tried after Spillway's: they take no name over. */
  readonly ownTools?: ToolSet | undefined;
  /**
   * Told when a person is asked; the tool then waits until the call was decided
   * (`session.decide(toolCallId, …)`). Without it the AI SDK's approval asks: the answer is a
   * `tool-approval-request`, and a `tool-approval-response` in the next messages decides.
   */
  readonly onPending?: ((pending: PendingInteraction) => void) | undefined;
}

/**
 * The session's tools for the AI SDK. The set is alive: it shows what the session lists at each step,
 * since the list grows with `find_tools`, and finds by name what is not listed. A name that nobody
 * knows is answered with `unknown_tool`. A copy of it (`{ ...tools }`) is what is listed now.
 */
export function toAiSdkTools(session: SpillwaySession, options: AiSdkOptions = {}): ToolSet {
  const { ownTools = {} } = options;
  const asked = new Set<string>();
  const isOwn = (name: string): boolean => Object.hasOwn(ownTools, name) && !session.has(name);
  const shown = (): readonly string[] => [
    ...session.list().map(({ name }) => name),
    ...Object.keys(ownTools).filter(isOwn),
  ];
  const get = (name: string | symbol): ToolSet[string] | undefined => {
    if (typeof name === 'symbol') return undefined;
    return isOwn(name) ? ownTools[name] : makeTool(session, toolNamed(session, name), { ...options, asked });
  };
  return new Proxy<ToolSet>(
    {},
    {
      get: (_target, name) => get(name),
      has: (_target, name) => typeof name === 'string' && shown().includes(name),
      ownKeys: () => [...shown()],
      getOwnPropertyDescriptor: (_target, name) =>
        typeof name === 'string' && shown().includes(name)
          ? { value: get(name), enumerable: true, configurable: true, writable: false }
          : undefined,
    },
  );
}

/** For `stopWhen`: a tool asked its caller to stop, or its session was closed. */
export const stopRequested: StopCondition<ToolSet> = ({ steps }) =>
  steps.at(-1)?.content.some((part) => {
    if (part.type === 'tool-error')
      return part.error instanceof ToolCallError && part.error.result.stop === true;
    if (part.type !== 'tool-result') return false;
    return (part.output as Partial<ToolOutput> | null | undefined)?.stop === true;
  }) ?? false;

/** The AI SDK does not say who answers an approval. */
const A_PERSON = 'a person';

const ANYTHING = { title: '', description: '', inputSchema: { type: 'object' }, isReadOnly: false } as const;

const toolNamed = (session: SpillwaySession, name: string): ListedTool =>
  session.find(name) ?? { ...ANYTHING, name };

interface MakeOptions extends AiSdkOptions {
  /** Calls that the AI SDK asks a person about: it executes them once they were approved. */
  readonly asked: Set<string>;
}

function makeTool(
  session: SpillwaySession,
  { name, title, description, inputSchema }: ListedTool,
  { onPending, asked }: MakeOptions,
): Tool {
  const run = async (input: unknown, id: string, options: CallOptions): Promise<CallResult> => {
    if (asked.delete(id)) return session.decide(id, { approve: true, by: A_PERSON }, options);
    const result = await session.call<string>(name, input, { ...options, callId: id });
    if (result.pending === undefined || onPending === undefined) return result;
    tellPending(session, result.pending, onPending);
    return endOfPending(session, id, options.signal);
  };
  const runOrStop = async (input: unknown, id: string, options: CallOptions): Promise<CallResult> => {
    try {
      return await run(input, id, options);
    } catch (thrown) {
      // What waited for a person is forgotten with its session, which then answers no more than a stop.
      if (session.signal.aborted) return session.call<string>(name, input, { callId: id });
      throw thrown;
    }
  };
  return dynamicTool({
    title,
    description,
    // Arguments are checked by the executor, whose errors say what to do instead.
    inputSchema: jsonSchema({ ...inputSchema }),
    execute: (input, { toolCallId, abortSignal, messages }) => {
      const step = stepOf(messages);
      // The AI SDK runs the calls of a step all at once.
      return inOrder(session, { name, step, signal: abortSignal }, async () => {
        if (onPending === undefined) await refuseDenied(session, messages);
        return toOutput(await runOrStop(input, toolCallId, { signal: abortSignal, step }));
      });
    },
    toModelOutput: ({ output }) => toModelOutput(output as ToolOutput),
    ...(onPending !== undefined
      ? {}
      : {
          needsApproval: async (
            input: unknown,
            {
              toolCallId,
              messages,
            }: { readonly toolCallId: string; readonly messages: readonly ModelMessage[] },
          ) => {
            await refuseDenied(session, messages);
            if ((await session.ask(name, input, { callId: toolCallId })) === null) return false;
            asked.add(toolCallId);
            return true;
          },
        }),
  });
}

const nothing = (): void => undefined;

/** The ends of what was denied, by approval: a later call may have the id of one of these. */
const DENIED = new WeakMap<SpillwaySession, Map<string, Promise<void>>>();

/**
 * What a person denied waits no longer. The AI SDK tells no tool of it: the conversation does.
 * Resolves once all of it has ended, so that its ids are free.
 */
async function refuseDenied(session: SpillwaySession, messages: readonly ModelMessage[]): Promise<void> {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
  const callIds = new Map(
    parts.flatMap((part) =>
      part.type === 'tool-approval-request' ? [[part.approvalId, part.toolCallId] as const] : [],
    ),
  );
  const ends = DENIED.get(session) ?? new Map<string, Promise<void>>();
  DENIED.set(session, ends);
  for (const part of parts) {
    if (part.type !== 'tool-approval-response' || part.approved || ends.has(part.approvalId)) continue;
    const callId = callIds.get(part.approvalId);
    if (callId === undefined) continue;
    const reason = part.reason === undefined ? {} : { reason: part.reason };
    const end = session.decide(callId, { approve: false, by: A_PERSON, ...reason });
    // Someone else may have decided, or the conversation is older than the session.
    ends.set(part.approvalId, end.then(nothing, nothing));
  }
  await Promise.all(ends.values());
}

const STEPS = new WeakMap<object, StepContext>();

/** The calls of one step are given the same messages, as one array. */
function stepOf(messages: object): StepContext {
  const known = STEPS.get(messages);
  if (known !== undefined) return known;
  const step: StepContext = { id: crypto.randomUUID(), memory: new Map() };
  STEPS.set(messages, step);
  return step;
}
