import { SpillwayError } from '../../shared/errors.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import { formProblem } from './form.ts';
import type { HumanInputRequest, UserInput } from './contract.ts';

/**
 * Whether an answer fits its question.
 * @throws SpillwayError `invalid_argument` that says what the question takes
 */
export function checkAnswer(question: HumanInputRequest, input: UserInput): void {
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
    case 'form':
      if (!isObject(answer)) return 'a form takes an object';
      // The schema of the question demands a form's schema.
      return schema === undefined ? null : formProblem(schema, answer);
  }
}

const invalid = (problem: string): SpillwayError => new SpillwayError('invalid_argument', `${problem}.`);

/** Whether the calls that waited for this answer may be executed. */
export const isYes = ({ answer, declined }: UserInput): boolean => declined !== true && answer !== false;

/** Who answered, as a sentence says it. */
const whoOf = ({ by = 'A person' }: UserInput): string => by;

/** Where they answered, as a sentence ends with it. */
function placeOf({ where }: UserInput, question: HumanInputRequest): string {
  const place = where ?? question.where;
  return place === undefined ? '' : ` in ${place}`;
}

/** What the model reads: who answered what, and where, with all that came with it. */
export function toAnswer(question: HumanInputRequest, input: UserInput): JsonObject {
  const { by, where = question.where, answer, declined, reason, data, args } = input;
  const did = declined === true ? 'declined to answer' : 'answered';
  const why = reason === undefined ? '' : `: ${reason}`;
  return {
    summary: `${whoOf(input)} ${did}${placeOf(input, question)}${why}`,
    question: question.message,
    ...(by === undefined ? {} : { answered_by: by }),
    ...(where === undefined ? {} : { where }),
    ...(declined === true ? { declined } : { answer }),
    ...(reason === undefined ? {} : { reason }),
    ...(data === undefined ? {} : { data }),
    ...(args === undefined ? {} : { changed_arguments: args }),
  };
}

/** Why a call that waited for a person is not made. */
export function refusalOf(toolName: string, question: HumanInputRequest, input: UserInput): SpillwayError {
  const did = input.declined === true ? 'declined to answer' : 'said no';
  const why = input.reason === undefined ? '' : `: ${input.reason}`;
  return new SpillwayError(
    'call_denied',
    `${toolName} was not called: ${whoOf(input)} ${did}${placeOf(input, question)}${why}.`,
  );
}
