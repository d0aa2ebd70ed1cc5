import { SpillwayError } from '../../../shared/errors.ts';
import type { HumanInputRequest } from '../../../shared/human/request.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { Json } from '../../../shared/json-schema.ts';
import { MIME } from '../../../shared/mime.ts';
import type { PersonReply } from '../../core/ask-person.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import { checkAnswer, toAnswer, type GivenAnswer } from '../../toolkit/human-answer.ts';
import { takeOver, type TakeoverServices } from './takeover.ts';

/** Nobody reads a question and declines it faster: the client has, on its own. */
const UNSEEN_MS = 500;

export const createRuntimes = (services: TakeoverServices): ToolRuntimes => ({
  request_human_input: createTool(services),
});

/** `request_human_input`: shows a question to the person behind the client, where the client can. */
function createTool(services: TakeoverServices): ToolRuntime<HumanInputRequest> {
  return {
    run: async (question, context) => {
      if (question.type === 'takeover') return takeOver(question, context, services);
      const { askPerson, clock, session, signal } = context;
      if (askPerson === undefined)
        throw new SpillwayError('human_unreachable', 'This client cannot show a question to a person.');
      const startedAt = clock.monotonic();
      const reply = await askPerson({ message: question.message, schema: formOf(question) }, signal);
      if (reply.action !== 'accept' && clock.monotonic() - startedAt < UNSEEN_MS)
        throw new SpillwayError(
          'human_unreachable',
          `The client answered "${reply.action}" within ${UNSEEN_MS} ms: nobody saw the question.`,
        );
      const given: GivenAnswer = { ...answerOf(question, reply), where: session.name };
      checkAnswer(question, given);
      return {
        payload: {
          kind: 'json',
          mimeType: MIME.json,
          value: Json.parse(JSON.parse(JSON.stringify(toAnswer(question, given)))),
        },
        done: Promise.resolve({
          state: {},
          coverage: ['The client answered; Spillway cannot verify that a person did.'],
        }),
      };
    },
  };
}

/** What the person fills in: one field named `answer`, or the form of the question. */
function formOf({ type, choices = [], schema }: HumanInputRequest): JsonObject {
  if (type === 'form' && schema !== undefined) return Object.fromEntries(Object.entries(schema));
  const field: JsonObject =
    type === 'approval'
      ? { type: 'boolean', title: 'Approve' }
      : { type: 'string', title: 'Answer', ...(type === 'choice' ? { enum: choices } : { minLength: 1 }) };
  return { type: 'object', properties: { answer: field }, required: ['answer'] };
}

function answerOf({ type }: HumanInputRequest, { action, content }: PersonReply): GivenAnswer {
  if (action !== 'accept') return { declined: true, ...(action === 'cancel' ? { reason: 'dismissed' } : {}) };
  if (type === 'form') return { answer: content };
  const { answer } = content;
  return typeof answer === 'string' || typeof answer === 'boolean' ? { answer } : {};
}
