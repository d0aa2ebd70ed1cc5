import { z } from 'zod';
import { SpillwayError } from '../../shared/base/errors.ts';
import { humanInputSchema, type HumanInputRequest } from '../../shared/people/request.ts';
import { isObject, type JsonValue } from '../../shared/base/json.ts';
import { Json, JsonRecord, jsonOrText, toJson } from '../../shared/base/json-schema.ts';
import type { RunChange, RunScope, RunState, Runs } from '../core/runs.ts';
import { cleanRecord } from '../libraries/redaction/clean.ts';
import { checkAnswer, toAnswer, type GivenAnswer } from '../people/human-answer.ts';

/*
 * The error that interrupted a parked program's run tells what it waits for. Answers are in the run's state: stored
 * with the call that asks, or in a row for a question that the program has not asked yet.
 */

/** A program is parked for a longer sleep. */
export const PARK_AFTER_MS = 60_000;

const Question = z.object({ id: z.int(), question: humanInputSchema });
const Parked = z.object({
  waiting: z.array(z.union([Question, z.object({ id: z.int(), until: z.number() })])),
  /** Any server of the home continues it. */
  goes_on: z.boolean().default(false),
  agent: z.string().optional(),
});
export type Parked = z.infer<typeof Parked>;
export type Question = z.infer<typeof Question>;
/** One of the calls that it waits for. */
export type Waiting = Parked['waiting'][number];

interface Failed {
  readonly error: { readonly code: string; readonly body?: unknown } | null;
}

/** Null for a run that waits for nothing. */
export const parseParked = ({ error }: Failed): Parked | null =>
  error?.code === 'workflow_waits' ? (Parked.safeParse(error.body).data ?? null) : null;

export const questionsOf = (run: Failed): readonly Question[] =>
  (parseParked(run)?.waiting ?? []).flatMap((each) => ('question' in each ? [each] : []));

const ASKING = ' waits for a person';
/** The progress of a program whose call of a tool a person has to allow. */
export const asking = (tool: string): string => `${tool}${ASKING}`;
/** Whether a run that is at work says so. */
export const isAsking = (message: string | undefined): boolean => message?.endsWith(ASKING) === true;

const Kept = z.object({ at: z.number(), value: Json });
const Early = z.object({
  at: z.number(),
  input: z.custom<GivenAnswer>((given) => JsonRecord.safeParse(given).success),
});
const EARLY = { start: ['early'], end: ['early', Infinity] } as const;

export const readKeptAnswer = (state: RunState, id: number): JsonValue | undefined =>
  Kept.safeParse(state.get(['answer', id])).data?.value;

/** Takes the earliest stored answer that matches the question; drops those that do not match. */
export function takeEarly(change: RunChange, { id, question }: Question, redact: RunScope['redact']): void {
  for (const { key, value } of [...change.range(EARLY)]) {
    change.remove(key);
    const early = Early.safeParse(value).data;
    const fits = early === undefined ? null : fitAnswer(question, early.input);
    if (early === undefined || fits === null) continue;
    change.put(['answer', id], cleanRecord(redact({ at: early.at, value: fits })));
    return;
  }
}

/** The time from which a program no longer has to wait: the earliest of its waits. */
export function readySince({ waiting }: Parked, state: RunState): number {
  if (waiting.length === 0) return 0;
  const early = [...state.range({ ...EARLY, limit: 1 })].map(
    ({ value }) => Early.safeParse(value).data?.at ?? 0,
  );
  const times = waiting.flatMap((each) => {
    if ('until' in each) return [each.until];
    const answer = Kept.safeParse(state.get(['answer', each.id])).data;
    return answer === undefined ? early : [answer.at];
  });
  return Math.min(Infinity, ...times);
}

export interface ProgramAnswer {
  /** The call that asks; null for the first open question, or the next one. */
  readonly call: number | null;
  readonly input: GivenAnswer;
}

/**
 * Keeps an answer until the program gets it, even to a question that it has not asked yet.
 * @returns the question that it answers, if the program has asked it
 * @throws SpillwayError `run_not_found`; `human_input_not_found`, `human_input_answered`, `invalid_argument`
 *   for one that does not match
 */
export async function keepAnswer(
  runs: Pick<Runs, 'get' | 'change'>,
  runId: string,
  { call, input }: ProgramAnswer,
  now: number,
): Promise<HumanInputRequest | null> {
  const view = await runs.get(runId);
  const questions = questionsOf(view);
  const isOver = view.ended_at_ms !== null;
  return runs.change(runId, (rows, redact) => {
    const isOpen = ({ id }: Question): boolean => rows.get(['answer', id]) === undefined;
    const named = questions.find(({ id }) => id === call);
    const asked = call === null ? (questions.find(isOpen) ?? questions[0]) : named;
    if (isOver || (asked === undefined && (call !== null || rows.get(['meta']) === undefined)))
      throw new SpillwayError(
        'human_input_not_found',
        `${runId} does not ask ${call === null ? 'a person' : `question ${call}`}.`,
      );
    if (asked === undefined) {
      const last = [...rows.range(EARLY)].at(-1)?.key[1] ?? 0;
      rows.put(['early', Number(last) + 1], cleanRecord(redact(toJson({ at: now, input }))));
      return null;
    }
    if (!isOpen(asked))
      throw new SpillwayError(
        'human_input_answered',
        `Question ${asked.id} of ${runId} was answered before.`,
      );
    rows.put(
      ['answer', asked.id],
      cleanRecord(redact({ at: now, value: readAnswer(asked.question, input) })),
    );
    return asked.question;
  });
}

/** @throws SpillwayError `invalid_argument` for an answer that does not fit */
function readAnswer(question: HumanInputRequest, given: GivenAnswer): JsonValue {
  const input = {
    ...given,
    ...(given.answer === undefined ? {} : { answer: fromText(question, given.answer) }),
  };
  checkAnswer(question, input);
  return toJson(toAnswer(question, input));
}

function fitAnswer(question: HumanInputRequest, given: GivenAnswer): JsonValue | null {
  try {
    return readAnswer(question, given);
  } catch {
    return null;
  }
}

/** A terminal has only texts. */
function fromText(
  { type }: HumanInputRequest,
  answer: NonNullable<GivenAnswer['answer']>,
): NonNullable<GivenAnswer['answer']> {
  if (typeof answer !== 'string') return answer;
  if (type === 'approval' && /^(?:y|yes|true)$/i.test(answer)) return true;
  if (type === 'approval' && /^(?:n|no|false)$/i.test(answer)) return false;
  const given = type === 'form' ? jsonOrText(answer) : answer;
  return isObject(given) ? given : answer;
}

/** The same error, so that any server of the home continues the run. */
export const continueElsewhere = (error: SpillwayError, agent: string | undefined): SpillwayError =>
  new SpillwayError('workflow_waits', error.message, {
    hint:
      questionsOf({ error }).length === 0
        ? 'It continues by itself then; run_status shows how far it is.'
        : 'It continues by itself when a person has answered in the client, in the side panel, with `spillway run answer`, or by `POST /continue`; run_status shows the question.',
    body: { ...error.body, goes_on: true, ...(agent === undefined ? {} : { agent }) },
  });

/** For the agent that waits for a question that reached nobody. */
export const describeUnseen = (runId: string): string =>
  `Neither the client nor a browser could show the question, so nobody saw it. Ask the person in your reply: they answer with \`spillway run answer ${runId} ANSWER\`, or in the side panel once a browser is connected, and the program continues.`;

/** Of the questions that a view of a waiting program has. */
const QUESTIONS_UNITS = 64 * 1024;

/** Questions first, as many as a view of the run may have: the others are asked again once these are answered. */
export function waitsToShow(waits: readonly Waiting[]): readonly Waiting[] {
  let room = QUESTIONS_UNITS;
  const questions = waits.filter((wait) => {
    if ('until' in wait) return false;
    const isFirst = room === QUESTIONS_UNITS;
    room -= JSON.stringify(wait).length;
    return isFirst || room >= 0;
  });
  return [...questions, ...waits.filter((wait) => 'until' in wait)];
}
