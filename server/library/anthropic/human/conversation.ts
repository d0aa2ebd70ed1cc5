import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../../../shared/base/errors.ts';
import { isObject, type JsonObject } from '../../../../shared/base/json.ts';
import { JsonRecord } from '../../../../shared/base/json-schema.ts';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  humanInputSchema,
  humanInteractionToolDefinition,
  type TurnCall,
} from '../../../people/human-contract.ts';
import { toErrorResult } from '../tools.ts';

type ToolUse = Anthropic.ToolUseBlock;

/** As JSON, for the API. */
const inputSchema = JsonRecord.parse(JSON.parse(JSON.stringify(z.toJSONSchema(humanInputSchema))));

/** The question to a person in the Messages API's form. Merge it with any tools. */
export const humanInteractionTool: Anthropic.Tool = Object.freeze<Anthropic.Tool>({
  name: HUMAN_INTERACTION_TOOL_NAME,
  description: humanInteractionToolDefinition.description,
  input_schema: { ...inputSchema, type: 'object' },
});

export const toTurnCall = ({ id, name, input }: ToolUse): TurnCall => ({
  toolCallId: id,
  toolName: name,
  args: isObject(input) ? input : {},
});

/** Messages as JSON, without members that are undefined. */
export const toJsonMessages = (messages: readonly object[]): JsonObject[] =>
  z.array(JsonRecord).parse(JSON.parse(JSON.stringify(messages)));

const Message = z.custom<Anthropic.MessageParam>(
  (value) => isObject(value) && (value['role'] === 'user' || value['role'] === 'assistant'),
);

/** @throws SpillwayError `invalid_argument` */
export function toMessageParams(messages: readonly JsonObject[]): Anthropic.MessageParam[] {
  const { data, error } = z.array(Message).safeParse(messages);
  if (data !== undefined) return data;
  const at = error.issues[0]?.path.map(String).join('.') ?? '';
  throw invalidArgument(`messages.${at}: is not a message of the Messages API.`);
}

/** The calls of the last turn of a conversation, where nothing has answered them yet. */
export function openToolUses(messages: readonly Anthropic.MessageParam[]): readonly ToolUse[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const content = messages[at]?.content ?? [];
  if (typeof content === 'string') return [];
  const answered = new Set(
    messages
      .slice(at + 1)
      .flatMap((message) => (typeof message.content === 'string' ? [] : message.content))
      .flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  );
  return content.flatMap((block) =>
    block.type === 'tool_use' && !answered.has(block.id) ? [ToolUseOf.parse(block)] : [],
  );
}

/** A block from a model, read from its answer or from a conversation. */
const ToolUseOf = z.custom<ToolUse>();

/**
 * A conversation in which each call has a result: calls without one get the reason why they were not made.
 * For a task whose question nobody can answer any more because its server has ended.
 */
export function closeOpenCalls(
  messages: readonly Anthropic.MessageParam[],
  reason: string,
): Anthropic.MessageParam[] {
  const open = openToolUses(messages);
  if (open.length === 0) return [...messages];
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const error = new SpillwayError('cancelled', reason);
  const content = open.map((toolUse) => toErrorResult(toolUse, error));
  return messages.toSpliced(at + 1, 0, { role: 'user', content });
}
