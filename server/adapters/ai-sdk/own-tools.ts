import { asSchema, type ToolExecutionOptions, type ToolSet } from 'ai';
import { SpillwayError } from '../../../shared/errors.ts';
import { isObject, type JsonObject } from '../../../shared/json.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { OwnTool } from '../../core/own-tool.ts';
import type { PendingInteraction } from '../../core/result.ts';
import type { SpillwaySession } from '../../library/types.ts';
import { Approvals, rememberApprovals } from '../../library/model-calls/approvals.ts';
import { toModelOutput, toOutput, type ToolOutput } from '../../library/model-calls/output.ts';
import { runCall, stepOf } from '../../library/model-calls/run-call.ts';

type AnyTool = ToolSet[string];
type Execution = Pick<
  ToolExecutionOptions,
  'toolCallId' | 'messages' | 'abortSignal' | 'experimental_context'
>;

/** What a call that waits for a person leaves instead of the tool's output. */
const isPending = (output: unknown): boolean =>
  isObject(output) && isObject(output['pending']) && Array.isArray(output['content']);

/**
 * A tool of the caller's own, whose calls go through the gate, the journal and the redactor. One without `execute` is as
 * it was: its client executes it. One that streams gives its last output, since what comes before it is not redacted.
 */
export function guardOwnTool(
  session: SpillwaySession,
  { name, tool }: { readonly name: string; readonly tool: AnyTool },
  onPending: ((pending: PendingInteraction) => void) | undefined,
): AnyTool {
  if (tool.execute === undefined) return tool;
  const approvals = onPending === undefined ? Approvals.of(session) : null;
  const execute = async (input: unknown, options: Execution): Promise<unknown> => {
    const { toolCallId: id, messages, abortSignal: signal } = options;
    const own = toOwnTool(name, tool, { input, options });
    const call = { id, name, input, messages, own };
    const result = await runCall(session, call, { signal, step: stepOf(messages), onPending });
    const output = toOutput(result);
    return result.pending === undefined ? result.own : output;
  };
  const needsApproval = async (input: unknown, options: Execution): Promise<boolean> => {
    const { toolCallId: id, messages } = options;
    const { needsApproval: needed } = tool;
    const isAsked = typeof needed === 'function' ? await needed(input, options) : needed === true;
    const own = toOwnTool(name, tool, { input, options });
    return (await approvals?.isNeeded({ id, name, input, messages, own })) === true || isAsked;
  };
  const guarded = {
    ...tool,
    execute,
    toModelOutput: (given: Shown) =>
      isPending(given.output) ? toModelOutput(given.output as ToolOutput) : show(tool, given),
    ...(approvals === null && tool.needsApproval === undefined ? {} : { needsApproval }),
  } as AnyTool;
  return rememberApprovals(guarded, approvals);
}

interface Shown {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

/** An output as a model reads it: as the tool says, or as the AI SDK does where the tool says nothing. */
function show(tool: AnyTool, given: Shown): unknown {
  const { output } = given;
  if (tool.toModelOutput !== undefined) return tool.toModelOutput(given);
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: output ?? null };
}

/** The tool as the executor calls it. */
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
      const checked = isSame(args, input) ? input : await validInput(name, tool, args);
      try {
        const answer: unknown = tool.execute?.(checked as never, { ...options, abortSignal: signal });
        return { value: await lastOf(await answer) };
      } catch (thrown) {
        if (thrown instanceof SpillwayError || signal.aborted) throw thrown;
        throw new SpillwayError('upstream_error', messageOf(thrown), { cause: thrown });
      }
    },
  };
}

const isSame = (args: JsonObject, input: unknown): boolean => JSON.stringify(args) === JSON.stringify(input);

/** Arguments that a person has changed. @throws SpillwayError `invalid_argument` */
export async function validInput(name: string, tool: AnyTool, args: JsonObject): Promise<unknown> {
  const checked = await asSchema(tool.inputSchema).validate?.(args);
  if (checked === undefined) return args;
  if (checked.success) return checked.value;
  throw new SpillwayError('invalid_argument', `${name}: ${messageOf(checked.error)}`);
}

/** What a tool answered in the end: one that streams yields it last. */
export async function lastOf(answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
  let last: unknown;
  for await (const output of answer as AsyncIterable<unknown>) last = output;
  return last;
}
