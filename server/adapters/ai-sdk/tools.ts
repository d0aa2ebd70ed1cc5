import { dynamicTool, jsonSchema, type StopCondition, type Tool, type ToolSet } from 'ai';
import { z } from 'zod';
import type { PendingInteraction } from '../../core/result.ts';
import { guardOwnTool } from './own-tools.ts';
import { callable } from '../../library/model-calls/callable.ts';
import type { ListedTool, SpillwaySession } from '../../library/types.ts';
import { rememberApprovals } from '../../library/model-calls/approvals.ts';
import { ToolCallError } from '../../library/model-calls/output.ts';

/** Options of {@link toAiSdkTools}. */
export interface AiSdkOptions {
  /** Tools of the caller's own, tried after Spillway's: they take no name over. */
  readonly ownTools?: ToolSet | undefined;
  /**
   * Called when a person is asked; the tool then waits until the call was decided
   * (`session.decide(toolCallId, …)`). Without it the AI SDK's approval asks: the answer is a
   * `tool-approval-request`, and a `tool-approval-response` in the next messages decides.
   */
  readonly onPending?: ((pending: PendingInteraction) => void) | undefined;
}

/**
 * The session's tools for the AI SDK. The set is alive: it shows what the session lists at each step,
 * since the list grows with `find_tools`, and finds by name what is not listed. An unknown name
 * knows is answered with `unknown_tool`. A copy of it (`{ ...tools }`) is what is listed now.
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

const Stopping = z.object({ stop: z.literal(true) });

/** For `stopWhen`: a tool asked its caller to stop, or its session was closed. */
export const stopRequested: StopCondition<ToolSet> = ({ steps }) =>
  steps.at(-1)?.content.some((part) => {
    if (part.type === 'tool-error')
      return part.error instanceof ToolCallError && part.error.result.stop === true;
    if (part.type !== 'tool-result') return false;
    return Stopping.safeParse(part.output).success;
  }) ?? false;

const ANYTHING = { title: '', description: '', inputSchema: { type: 'object' }, isReadOnly: false } as const;

const toolNamed = (session: SpillwaySession, name: string): ListedTool =>
  session.find(name) ?? { ...ANYTHING, name };

function makeTool(
  session: SpillwaySession,
  { name, title, description, inputSchema }: ListedTool,
  { onPending }: AiSdkOptions,
): Tool {
  const { approvals, parts } = callable(session, name, onPending);
  const tool = dynamicTool({
    title,
    description,
    // Arguments are checked by the executor, whose errors say what to do instead.
    inputSchema: jsonSchema({ ...inputSchema }),
    ...parts,
  });
  return rememberApprovals(tool, approvals);
}
