import {
  type ModelMessage,
  type ToolSet,
  modelMessageSchema,
  type ToolContent,
  type ToolModelMessage,
} from 'ai';
import { z } from 'zod';
import {
  type ContinuePayload,
  type PendingHumanInputAction,
  type TurnCall,
} from '../../../people/human-contract.ts';
import { readTurn, type HumanInput, type CallAnswer } from '../../../people/human-input.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { messageOf } from '../../../../shared/base/message-of.ts';
import type { JsonObject } from '../../../../shared/base/json.ts';
import { isApprovalNeeded, lastOf, validInput } from '../tools.ts';

interface ExecuteOptions extends Omit<ResumeOptions, 'human'> {
  /** The conversation before the turn, as the AI SDK gives it to tools. */
  readonly messages: ModelMessage[];
}

/**
 * Executes a call that waited for a person, as the AI SDK does. It never throws: a failure is a result.
 * @param changed its arguments, if a person has changed them
 */
async function executeCall(
  call: TurnCall,
  changed: JsonObject | undefined,
  options: ExecuteOptions,
): Promise<ResultPart> {
  const { toolCallId, toolName } = call;
  try {
    const output = await execute({ ...call, args: changed ?? call.args }, options);
    return { type: 'tool-result', toolCallId, toolName, output };
  } catch (thrown) {
    if (thrown instanceof SpillwayError) return toResultPart(call, { ok: false, error: thrown.toWire() });
    const output = { type: 'error-text', value: messageOf(thrown) } as const;
    return { type: 'tool-result', toolCallId, toolName, output };
  }
}

/** The output as the tool formats it for a model, or else plainly. */
async function execute(
  { toolCallId, toolName, args }: TurnCall,
  { tools, messages, signal, context }: ExecuteOptions,
): Promise<ResultPart['output']> {
  const tool = tools[toolName];
  if (tool === undefined)
    throw new SpillwayError('unknown_tool', `There is no tool "${toolName.slice(0, 80)}".`);
  const input = await validInput(toolName, tool, args);
  const about = { toolCallId, messages, experimental_context: context };
  if (await isApprovalNeeded(tool, input, { ...about, isOver: true }))
    throw describeUncalled(toolName, 'it needs an approval of its own');
  if (tool.execute === undefined) throw describeUncalled(toolName, 'the client executes it');
  signal?.throwIfAborted();
  const answer: unknown = tool.execute(input as never, {
    ...about,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  const output = await lastOf(await answer);
  const model = await tool.toModelOutput?.({ toolCallId, input: input as never, output: output as never });
  return model ?? plainOutput(output);
}

const describeUncalled = (tool: string, why: string): SpillwayError =>
  new SpillwayError('call_denied', `${tool} was not called: ${why}.`, {
    hint: 'Call it again, in a turn without a question.',
  });

const plainOutput = (output: unknown): ResultPart['output'] =>
  typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: (JSON.parse(JSON.stringify(output ?? null)) ?? null) as never };

export interface ResumeOptions {
  readonly human: HumanInput;
  /** In the form that the caller passed. */
  readonly tools: ToolSet;
  readonly signal: AbortSignal | undefined;
  readonly context: unknown;
}

/** The pending action for a conversation whose last turn asks a person; null if it asks nobody. */
export async function pauseAt(
  messages: readonly ModelMessage[],
  { human, signal }: Pick<ResumeOptions, 'human' | 'signal'>,
): Promise<PendingHumanInputAction | null> {
  const json = toJsonMessages(messages);
  // Parsed again, because the same form arrives with the answer.
  const { questions, waiting } = readTurn(openCalls(toModelMessages(json)));
  return questions.length === 0 ? null : human.pause({ messages: json, questions, waiting, signal });
}

/** The conversation with a result for each call of the paused turn, or the next question of that turn. */
export async function resume(
  payload: ContinuePayload,
  { human, ...options }: ResumeOptions,
): Promise<PendingHumanInputAction | { readonly status: 'resumed'; readonly messages: ModelMessage[] }> {
  const taken = await human.take({ ...payload, messages: toJsonMessages(payload.messages as never) });
  if (taken.status === 'requires_human_input') return taken;
  const messages = toModelMessages(taken.messages);
  const calls = openCalls(messages);
  const answers = new Map([...readTurn(calls).malformed, ...taken.answers]);
  const before = messages.slice(0, turnOf(messages));
  // A session's tools see each step as one array, and so keep the order of its calls.
  const results = await Promise.all(
    calls.map(async (call) => {
      const answer = answers.get(call.toolCallId);
      if (answer !== undefined) return toResultPart(call, answer);
      return executeCall(call, taken.args.get(call.toolCallId), { ...options, messages: before });
    }),
  );
  return {
    status: 'resumed',
    messages: withResults([...messages, ...toModelMessages(taken.later)], results),
  };
}

type ResultPart = Extract<ToolContent[number], { type: 'tool-result' }>;

/** Messages as JSON: bytes as base64, addresses as text. The AI SDK takes both. */
function toJsonMessages(messages: readonly ModelMessage[]): JsonObject[] {
  const plain = (value: unknown): unknown => {
    if (value instanceof URL) return value.href;
    if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
    if (ArrayBuffer.isView(value))
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    if (Array.isArray(value)) return value.map(plain);
    // Values with their own JSON form, such as dates, keep it.
    if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  };
  return JSON.parse(JSON.stringify(plain(messages))) as JsonObject[];
}

/** @throws SpillwayError `invalid_argument` */
function toModelMessages(messages: readonly JsonObject[]): ModelMessage[] {
  const { data, error } = z.array(modelMessageSchema).safeParse(messages);
  if (data !== undefined) return data;
  const where = error.issues[0]?.path.map(String).join('.') ?? '';
  throw new SpillwayError('invalid_argument', `messages.${where}: is not a message of the AI SDK.`, {
    cause: error,
  });
}

/** Where the last turn of the model is. */
const turnOf = (messages: readonly ModelMessage[]): number =>
  messages.findLastIndex(({ role }) => role === 'assistant');

/** The calls of the last turn that have no result. */
function openCalls(messages: readonly ModelMessage[]): readonly TurnCall[] {
  const at = turnOf(messages);
  const turn = messages[at];
  if (turn?.role !== 'assistant' || typeof turn.content === 'string') return [];
  const answered = new Set(
    messages
      .slice(at)
      .flatMap(({ content }) =>
        typeof content === 'string'
          ? []
          : content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
      ),
  );
  return turn.content.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true && !answered.has(part.toolCallId)
      ? [{ toolCallId: part.toolCallId, toolName: part.toolName, args: part.input as JsonObject }]
      : [],
  );
}

/** Inserts results right after the calls of the last turn, in the order of the calls. */
function withResults(messages: readonly ModelMessage[], results: readonly ResultPart[]): ModelMessage[] {
  const at = turnOf(messages);
  const turn = messages[at];
  const calls = turn?.role === 'assistant' && typeof turn.content !== 'string' ? turn.content : [];
  const order = calls.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
  // The AI SDK has already answered a malformed call of the turn.
  const known = messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? message.content : []));
  const others = known.filter((part) => part.type !== 'tool-result');
  const all = [...known.filter((part) => part.type === 'tool-result'), ...results].sort(
    (a, b) => order.indexOf(a.toolCallId) - order.indexOf(b.toolCallId),
  );
  const answer: ToolModelMessage = { role: 'tool', content: [...all, ...others] };
  return [
    ...messages.slice(0, at + 1),
    answer,
    ...messages.slice(at + 1).filter(({ role }) => role !== 'tool'),
  ];
}

function toResultPart(
  { toolCallId, toolName }: Pick<TurnCall, 'toolCallId' | 'toolName'>,
  answer: CallAnswer,
): ResultPart {
  const output: ResultPart['output'] = answer.ok
    ? { type: 'json', value: JSON.parse(JSON.stringify(answer.value)) as never }
    : { type: 'error-text', value: JSON.stringify({ error: answer.error }) };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/**
 * A conversation in which each call has a result: calls without one get the reason why they were not made.
 * For a task whose question nobody can answer any more because its server has ended.
 */
export function closeOpenCalls(messages: readonly ModelMessage[], reason: string): ModelMessage[] {
  const error = new SpillwayError('cancelled', reason).toWire();
  const results = openCalls(messages).map((call) => toResultPart(call, { ok: false, error }));
  return results.length === 0 ? [...messages] : withResults(messages, results);
}
