import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { z } from 'zod';
import { defined, isObject, type JsonObject } from '../../shared/base/json.ts';
import { describeIssues } from '../../shared/base/json-schema.ts';
import { TAKEOVER_OUTCOMES, type Form } from '../../shared/people/takeover.ts';
import type { HumanInputRequest } from '../../shared/people/request.ts';

export interface GivenAnswer {
  readonly by?: string | undefined;
  readonly where?: string | undefined;
  /** approval: true or false; text and choice: a text; form: an object; takeover: its outcome. */
  readonly answer?: boolean | string | JsonObject | undefined;
  /** The person declined to answer. */
  readonly declined?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly data?: JsonObject | undefined;
  /** Changed arguments of calls that waited, by their ids. */
  readonly args?: Readonly<Record<string, JsonObject>> | undefined;
}

/**
 * Whether an answer fits its question.
 * @throws SpillwayError `invalid_argument` that lists the accepted answers
 */
export function checkAnswer(question: HumanInputRequest, input: GivenAnswer): void {
  const { answer, declined } = input;
  if ((answer === undefined) === (declined === undefined))
    throw invalid('userInput: takes an answer, or declined: true, and not both');
  if (answer === undefined) return;
  const problem = problemOf(question, answer);
  if (problem !== null) throw invalid(`userInput.answer: ${problem}`);
}

function problemOf({ type, choices = [], schema }: HumanInputRequest, answer: unknown): string | null {
  switch (type) {
    case 'approval':
      return typeof answer === 'boolean' ? null : 'an approval takes true or false';
    case 'text':
      return typeof answer === 'string' && answer.trim() !== '' ? null : 'takes a text that is not blank';
    case 'choice':
      return typeof answer === 'string' && choices.includes(answer)
        ? null
        : `takes one of ${choices.join(', ')}`;
    case 'takeover':
      return TAKEOVER_OUTCOMES.some((outcome) => outcome === answer)
        ? null
        : `a takeover takes how it ended: ${TAKEOVER_OUTCOMES.join(', ')}`;
    case 'form':
      if (!isObject(answer)) return 'a form takes an object';
      // The question's schema requires a schema for a form.
      return schema === undefined ? null : formProblem(schema, answer);
  }
}

const invalid = (problem: string): SpillwayError => invalidArgument(`${problem}.`);

/** Whether the calls that waited for this answer may be executed. */
export const isYes = (
  { type }: Pick<HumanInputRequest, 'type'>,
  { answer, declined }: GivenAnswer,
): boolean => declined !== true && answer !== false && (type !== 'takeover' || answer === 'done');

/** Who did it, and where, and why. @param did unless the person declined to answer */
function deedOf(
  question: HumanInputRequest,
  { by = 'A person', where = question.where, declined, reason }: GivenAnswer,
  did: string,
): string {
  const place = where === undefined ? '' : ` in ${where}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${by} ${declined === true ? 'declined to answer' : did}${place}${why}`;
}

/** Who answered what, and where, with any accompanying data. */
export function toAnswer(question: HumanInputRequest, input: GivenAnswer): JsonObject {
  const { by, where = question.where, answer, declined, reason, data, args } = input;
  const did = question.type === 'takeover' ? `took the tab over (${String(answer)})` : 'answered';
  return {
    summary: deedOf(question, input, did),
    question: question.message,
    ...defined({ answered_by: by, where }),
    ...(declined === true ? { declined } : { answer }),
    ...defined({ reason, data, changed_arguments: args }),
  };
}

/** Why a call that waited for a person is not made. */
export function refusalOf(toolName: string, question: HumanInputRequest, input: GivenAnswer): SpillwayError {
  const did = question.type === 'takeover' ? `did not finish (${String(input.answer)})` : 'said no';
  return new SpillwayError('call_denied', `${toolName} was not called: ${deedOf(question, input, did)}.`);
}

/** Null where it fits. */
function formProblem({ properties, required = [] }: Form, values: JsonObject): string | null {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    return `${unknown.slice(0, 80)}: unknown field; the form has ${Object.keys(properties).join(', ')}`;
  for (const [name, field] of Object.entries(properties)) {
    const value = values[name];
    if (value === undefined || value === '') {
      if (required.includes(name)) return `${name}: is required`;
      continue;
    }
    const read = schemaOf(field).safeParse(value);
    if (!read.success) return describeIssues(read.error.issues, name);
  }
  return null;
}

function schemaOf(field: Form['properties'][string]): z.ZodType {
  const { minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = field;
  switch (field.type) {
    case 'boolean':
      return z.boolean();
    case 'string':
      return field.enum === undefined ? z.string().min(minLength).max(maxLength) : z.enum(field.enum);
    case 'integer':
      return z.int().min(minimum).max(maximum);
    case 'number':
      return z.number().min(minimum).max(maximum);
  }
}
