import type { HumanInputRequest } from '../../../shared/human/request.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { Json } from '../../../shared/json-schema.ts';
import { MIME } from '../../../shared/mime.ts';
import type { PersonReply } from '../../core/ask-person.ts';
import { produceJson } from '../../core/calls/produce.ts';
import type { CallContext } from '../../core/context.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import { checkAnswer, toAnswer, type GivenAnswer } from '../../toolkit/human-answer.ts';
import { askInBrowser } from './ask.ts';
import { takeOver, type TakeoverServices } from './takeover.ts';

/** Nobody reads a question and declines it faster: the client has, on its own. */
const UNSEEN_MS = 500;

export const createRuntimes = (services: TakeoverServices): ToolRuntimes => ({
  request_human_input: createTool(services),
});

/** `request_human_input`: shows a question to the person behind the client, or in the browser where the client cannot. */
function createTool(services: TakeoverServices): ToolRuntime<HumanInputRequest> {
  return {
    run: async (question, context) => {
      if (question.type === 'takeover') return takeOver(question, context, services);
      const asked = await askClient(question, context);
      const given = asked ?? (await askInBrowser(question, context, services));
      if (given === null) return produceJson(waitingFor(question));
      checkAnswer(question, given);
      const value = Json.parse(JSON.parse(JSON.stringify(toAnswer(question, given))));
      const coverage =
        asked === null ? [] : ['The client answered; Spillway cannot verify that a person did.'];
      return {
        payload: { kind: 'json', mimeType: MIME.json, value },
        done: Promise.resolve({ state: {}, coverage }),
      };
    },
  };
}

/** The answer of the client. Null where it cannot ask, or has answered faster than a person: the browser asks then. */
async function askClient(
  question: HumanInputRequest,
  { askPerson, clock, session, signal }: CallContext,
): Promise<GivenAnswer | null> {
  if (askPerson === undefined) return null;
  const startedAt = clock.monotonic();
  const reply = await askPerson({ message: question.message, schema: formOf(question) }, signal);
  if (reply.action !== 'accept' && clock.monotonic() - startedAt < UNSEEN_MS) return null;
  return { ...answerOf(question, reply), where: session.name };
}

const waitingFor = ({ message }: HumanInputRequest): JsonObject => ({
  summary: 'The person has not answered. Call again with the same arguments to wait on.',
  outcome: 'waiting',
  question: message,
});

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
