import { z } from 'zod';
import { JsonRecord } from '../../shared/base/json-schema.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { humanInputSchema, type HumanInputRequest } from '../../shared/people/request.ts';

export { humanInputSchema, type HumanInputRequest };

/** The name under which a model asks a person. Nothing executes under it. */
export const HUMAN_INTERACTION_TOOL_NAME = 'requestHumanInput';

/** A JSON object, not inspected. */
const Where = z.string().trim().min(1).max(200);

/**
 * The definition of the pseudo-tool. It has no `execute`: the program that runs the model sees the call and
 * pauses. Merge it with any tools of the AI SDK: `{ ...tools, [HUMAN_INTERACTION_TOOL_NAME]:
 * humanInteractionToolDefinition }`.
 */
export const humanInteractionToolDefinition = Object.freeze({
  description:
    'Asks a person and waits for the answer: an approval, a text, a choice or a form. Use it before what cannot be ' +
    'undone, and for what only a person knows. Other calls of the same turn wait for the answer.',
  inputSchema: humanInputSchema,
});

const CallId = z.string().min(1).max(256);

/** A call that waits for the answer before it is executed. */
export const WaitingCall = z.object({ toolCallId: CallId, toolName: z.string(), args: JsonRecord });

/** One open question. */
const OpenQuestionSchema = z.object({ toolCallId: CallId, toolName: z.string(), args: humanInputSchema });

/** Returned instead of the model's response when a person has to be asked. It is JSON without secrets. */
export const PendingHumanInputActionSchema = z.object({
  status: z.literal('requires_human_input'),
  interaction: OpenQuestionSchema.extend({
    expiresAt: z.iso.datetime(),
    others: z.array(OpenQuestionSchema).describe('More questions of the same turn'),
    waiting: z.array(WaitingCall).describe('Calls of the same turn that wait for the answers'),
  }),
  messages: z.array(JsonRecord).min(1),
});

/** A task that waits for a person. */
export type PendingHumanInputAction = z.infer<typeof PendingHumanInputActionSchema>;

const Answered = z.strictObject({
  by: z.string().trim().min(1).max(200).optional().describe('Who answered'),
  where: Where.optional().describe('Where they did'),
  answer: z
    .union([z.boolean(), z.string().max(100_000), JsonRecord])
    .optional()
    .describe('approval: true or false; text and choice: a text; form: an object'),
  declined: z.literal(true).optional().describe('They do not want to answer'),
  reason: z.string().max(2_000).optional(),
  data: JsonRecord.optional().describe('Anything else that the model should know about the answer'),
  args: z.record(CallId, JsonRecord).optional().describe('Changed arguments of waiting calls, by their ids'),
});

/** An object, or the bare answer. */
export const UserInputSchema = z
  .union([Answered, z.boolean(), z.string().max(100_000)])
  .transform((given) => (typeof given === 'object' ? given : { answer: given }));

/** The answer of a person. */
export type UserInput = z.infer<typeof UserInputSchema>;

/** Continues a task: the messages of the pending action, its question, and the answer. */
export const ContinuePayloadSchema = z.object({
  messages: z.array(JsonRecord).min(1),
  toolCallId: CallId,
  userInput: UserInputSchema,
});

/** In the form that a client sends. */
export type ContinuePayload = z.input<typeof ContinuePayloadSchema>;

/** @throws SpillwayError `invalid_argument` that names the first invalid field */
export function parseContinuePayload(payload: unknown): z.output<typeof ContinuePayloadSchema> {
  const { data, error } = ContinuePayloadSchema.safeParse(payload);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const where = issue?.path.map(String).join('.') || 'payload';
  throw new SpillwayError('invalid_argument', `${where}: ${issue?.message ?? 'is invalid'}.`, {
    cause: error,
  });
}

/** One call of a model's turn, independent of the wire. */
export type TurnCall = Readonly<z.infer<typeof WaitingCall>>;

/** The question in a call; null for another tool's call, or one without a question that a person could answer. */
export function questionOf(call: { toolName: string; args: unknown }): HumanInputRequest | null {
  if (call.toolName !== HUMAN_INTERACTION_TOOL_NAME) return null;
  return humanInputSchema.safeParse(call.args).data ?? null;
}
