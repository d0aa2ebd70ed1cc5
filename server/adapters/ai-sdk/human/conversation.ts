import { modelMessageSchema, type ModelMessage, type ToolContent, type ToolModelMessage } from 'ai';
import { z } from 'zod';
import { SpillwayError } from '../../../../shared/errors.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { HUMAN_INTERACTION_TOOL_NAME, questionOf, type TurnCall } from '../../../human/contract.ts';
import type { CallAnswer, PausedTurn } from '../../../human/human-input.ts';

type ResultPart = Extract<ToolContent[number], { type: 'tool-result' }>;

/** Messages as JSON: bytes as base64, addresses as text. The AI SDK takes both. */
export function toJsonMessages(messages: readonly ModelMessage[]): JsonObject[] {
  const plain = (value: unknown): unknown => {
    if (value instanceof URL) return value.href;
    if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
    if (ArrayBuffer.isView(value))
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    if (Array.isArray(value)) return value.map(plain);
    // What has a form of its own as JSON, such as a date, keeps it.
    if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  };
  return JSON.parse(JSON.stringify(plain(messages))) as JsonObject[];
}

/** @throws SpillwayError `invalid_argument` */
export function toModelMessages(messages: readonly JsonObject[]): ModelMessage[] {
  const { data, error } = z.array(modelMessageSchema).safeParse(messages);
  if (data !== undefined) return data;
  const where = error.issues[0]?.path.map(String).join('.') ?? '';
  throw new SpillwayError('invalid_argument', `messages.${where}: is not a message of the AI SDK.`, {
    cause: error,
  });
}

/** The calls of the last turn that have no result: questions to people, and those that wait with them. */
export function openCalls(messages: readonly ModelMessage[]): Pick<PausedTurn, 'questions' | 'waiting'> {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const turn = messages[at];
  if (turn?.role !== 'assistant' || typeof turn.content === 'string') return { questions: [], waiting: [] };
  const answered = new Set(
    messages
      .slice(at)
      .flatMap(({ content }) =>
        typeof content === 'string'
          ? []
          : content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
      ),
  );
  const open = turn.content.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true && !answered.has(part.toolCallId)
      ? [{ toolCallId: part.toolCallId, toolName: part.toolName, args: part.input as JsonObject }]
      : [],
  );
  const questions = open.flatMap(({ toolCallId, ...call }) => {
    const question = questionOf(call);
    return question === null ? [] : [{ toolCallId, question }];
  });
  const asked = new Set(questions.map(({ toolCallId }) => toolCallId));
  return { questions, waiting: open.filter(({ toolCallId }) => !asked.has(toolCallId)) };
}

/** Puts results right behind the calls of the last turn, in the order of the calls. */
export function withResults(
  messages: readonly ModelMessage[],
  results: readonly ResultPart[],
): ModelMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const turn = messages[at];
  const calls = turn?.role === 'assistant' && typeof turn.content !== 'string' ? turn.content : [];
  const order = calls.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
  // A malformed call of the turn was answered by the AI SDK at once.
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

/** The result of a call that was not executed. */
export function toResultPart(
  { toolCallId, toolName }: Pick<TurnCall, 'toolCallId' | 'toolName'>,
  answer: CallAnswer,
): ResultPart {
  const output: ResultPart['output'] = answer.ok
    ? { type: 'json', value: JSON.parse(JSON.stringify(answer.value)) as never }
    : { type: 'error-text', value: JSON.stringify({ error: answer.error }) };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/**
 * A conversation in which each call has a result: those without one say why they were not made. For a task whose
 * question nobody can answer any more, since its server is gone.
 */
export function closeOpenCalls(messages: readonly ModelMessage[], reason: string): ModelMessage[] {
  const { questions, waiting } = openCalls(messages);
  const error = new SpillwayError('cancelled', reason).toWire();
  const asked = questions.map(({ toolCallId }) => ({ toolCallId, toolName: HUMAN_INTERACTION_TOOL_NAME }));
  const results = [...asked, ...waiting].map((call) => toResultPart(call, { ok: false, error }));
  return results.length === 0 ? [...messages] : withResults(messages, results);
}
