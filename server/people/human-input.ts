import { createHmac, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { lazy, onAbort } from '../../shared/base/async.ts';
import { BoundedMap } from '../../shared/base/maps.ts';
import { SpillwayError, type WireError, invalidArgument } from '../../shared/base/errors.ts';
import { type JsonObject, type JsonValue, canonicalJson } from '../../shared/base/json.ts';
import { toJson } from '../../shared/base/json-schema.ts';
import type { Clock, Redactor } from '../core/services.ts';
import { ensureKey } from '../core/machine/files.ts';
import type { Clean } from '../libraries/redaction/clean.ts';
import { checkAnswer, isYes, refusalOf, toAnswer } from './human-answer.ts';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  humanInputSchema,
  parseContinuePayload,
  type ContinuePayload,
  type HumanInputRequest,
  type PendingHumanInputAction,
  type TurnCall,
  type UserInput,
  WaitingCall,
} from './human-contract.ts';
import { StoredQuestions, type StoredQuestion } from './stored-questions.ts';

const sign = (key: Buffer, value: JsonValue): string =>
  createHmac('sha256', key).update(canonicalJson(value)).digest('hex');

/** A turn of a model that stops for people. */
export interface PausedTurn {
  /** The whole conversation, with the turn last: JSON. */
  readonly messages: readonly JsonObject[];
  /** Its calls of {@link HUMAN_INTERACTION_TOOL_NAME}; at least one. */
  readonly questions: readonly { readonly toolCallId: string; readonly question: HumanInputRequest }[];
  /** Its other calls that have no result yet. */
  readonly waiting: readonly TurnCall[];
  /** Ends the questions: a late answer executes nothing. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of one call, made without executing anything. */
export type CallAnswer =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: WireError };

/** The calls of a turn that have no result yet. */
export function readTurn(calls: readonly TurnCall[]) {
  /** Answers to malformed questions, by the ids of their calls. */
  const malformed = new Map<string, CallAnswer>();
  const questions: PausedTurn['questions'][number][] = [];
  const waiting = calls.filter(({ toolCallId, toolName, args }) => {
    if (toolName !== HUMAN_INTERACTION_TOOL_NAME) return true;
    const { data: question, error } = humanInputSchema.safeParse(args);
    if (question === undefined) malformed.set(toolCallId, { ok: false, error: problemOf(error).toWire() });
    else questions.push({ toolCallId, question });
    return false;
  });
  return { questions, waiting, malformed };
}

function problemOf(error: z.ZodError): SpillwayError {
  const problems = error.issues.slice(0, 5).map(({ path, message }) => {
    const where = path.map(String).join('.') || 'arguments';
    return `${where}: ${message}`;
  });
  return invalidArgument(`${HUMAN_INTERACTION_TOOL_NAME}: ${problems.join('; ')}.`);
}

/** How a task continues once every question is answered or over. */
export interface Resumption {
  readonly status: 'resumed';
  /** As they were when it paused. */
  readonly messages: readonly JsonObject[];
  /** Later messages of the user belong after the results. */
  readonly later: readonly JsonObject[];
  /** The questions, and the waiting calls that may not run. All other calls may be executed now. */
  readonly answers: ReadonlyMap<string, CallAnswer>;
  /** Arguments of waiting calls that a person has changed. */
  readonly args: ReadonlyMap<string, JsonObject>;
}

/**
 * A turn that waits for people. Its client has the messages; we keep only their signature. Texts for people
 * and clients are redacted, except the ids, which the answer names.
 */
const PausedFacts = z.object({
  /** The signature of its messages. */
  id: z.string().regex(/^[\da-f]{64}$/),
  /** How many messages are signed. */
  length: z.int().min(1),
  questions: z
    .array(z.object({ toolCallId: z.string(), question: humanInputSchema }))
    .min(1)
    .readonly(),
  /** Calls of the same turn, with redacted arguments: they run if every question is answered with yes. */
  waiting: z.array(WaitingCall).readonly(),
  expiresAtMs: z.number(),
  /** The original is in the memory of the server that paused. */
  hasSecret: z.boolean(),
});
type Pause = z.infer<typeof PausedFacts>;

export interface HumanInputParts {
  /** Turns outlive their program in its database, and `human` in it has the key of their signatures. Null: they do not. */
  readonly home: string | null;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** How long a question can be answered. */
  readonly expiresAfterMs: number;
}

/** Of a turn in this process alone, since each part may hold a secret. */
interface Live {
  /** Its messages, if they contain secrets and so were sent in another form. */
  readonly original: readonly JsonObject[] | null;
  /** Those so far: a turn's questions that were answered before a restart are asked again. */
  readonly answers: Map<string, UserInput>;
  /** Set when the program aborted the task. */
  aborted: SpillwayError | null;
  release(): void;
}

/** Maximum turns that wait. */
const PAUSES_MAX = 1_000;
/** How long a question stays known after its end: a late answer gives each call a result that says so. */
const LINGER_MS = 24 * 60 * 60_000;

/**
 * Pauses tasks of models until people have answered, and continues them. It names the waiting calls and
 * executes nothing: the program that runs the model does, with secrets that only it has.
 */
export class HumanInput {
  /** Keyed by the signature of the sent messages. */
  readonly #live = new BoundedMap<string, Live>(PAUSES_MAX);
  readonly #turns: StoredQuestions<Pause>;
  /** @throws SpillwayError `store_write_failed` */
  readonly #key = lazy(async (): Promise<Buffer> => {
    const { home } = this.parts;
    if (home === null) return randomBytes(32);
    const folder = join(home, 'human');
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await ensureKey(folder);
    } catch (cause) {
      throw new SpillwayError('store_write_failed', 'The question could not be kept in the home.', { cause });
    }
  });

  constructor(private readonly parts: HumanInputParts) {
    const { home, clock } = parts;
    const now = (): number => clock.now();
    this.#turns = new StoredQuestions({ home, kind: 'turn', schema: PausedFacts, max: PAUSES_MAX, now });
  }

  /** Signs the messages of a turn and returns the pending action for its client. */
  async pause({ messages, questions, waiting, signal }: PausedTurn): Promise<PendingHumanInputAction> {
    const { redactor, clock, expiresAfterMs } = this.parts;
    const clean = (value: object): Clean<JsonObject> => redactor.value(toJson(value));
    const sent: Clean<JsonObject[]> = redactor.value([...messages]);
    const key = await this.#key();
    const id = sign(key, sent);
    const hasSecret = sign(key, messages) !== id;
    const pause: Pause = {
      id,
      length: messages.length,
      questions: questions.map(({ toolCallId, question }) => {
        // In the form that people are shown, so that their choice counts as an answer.
        return { toolCallId, question: humanInputSchema.parse(clean(question)) };
      }),
      waiting: waiting.map((call) => ({ ...call, args: clean(call.args) })),
      expiresAtMs: clock.now() + expiresAfterMs,
      hasSecret,
    };
    const asks = questions.map(({ toolCallId }) => toolCallId);
    // The same question again, which is still open, keeps its answers so far.
    const isOpen = this.#turns.find(asks[0] ?? '').some((one) => one.id === id && one.state === 'asked');
    if (!isOpen) this.#turns.store(id, pause, { forgetAtMs: pause.expiresAtMs + LINGER_MS, asks });
    const live = this.#follow(id, hasSecret ? messages : null, isOpen);
    live.release = onAbort(signal, () => {
      live.aborted = new SpillwayError('cancelled', 'The task was aborted before anyone answered.');
      this.#withdraw(id);
    });
    return this.#action(pause, pause.questions, sent);
  }

  /**
   * Takes the answer to one question. While others of the turn are open, it returns the next one; after the
   * last, the task resumes.
   * @throws SpillwayError `invalid_argument` for an answer that does not match (the question stays open),
   *   `human_input_not_found`, `human_input_answered`, `messages_tampered`
   */
  async take(payload: ContinuePayload): Promise<Resumption | PendingHumanInputAction> {
    const { messages, toolCallId, userInput } = parseContinuePayload(payload);
    const turn = await this.#find(messages, toolCallId);
    const pause = turn.facts;
    const sent = messages.slice(0, pause.length);
    const later = messages.slice(pause.length);
    const ended = this.#endOf(turn);
    const { answers, original } = this.#live.get(pause.id) ?? this.#follow(pause.id, null, false);
    if (ended === null) {
      const asked = pause.questions.find((each) => each.toolCallId === toolCallId);
      if (asked !== undefined) checkAnswer(asked.question, userInput);
      checkChangedCalls(pause, userInput);
      if (answers.has(toolCallId) || turn.state === 'answered') throw buildAnsweredAlready(toolCallId);
      answers.set(toolCallId, userInput);
    }
    const open = pause.questions.filter((each) => !answers.has(each.toolCallId));
    if (ended === null && open.length > 0) return this.#action(pause, open, sent);
    // If several programs continue a task, one of them changes the state.
    if (!this.#turns.move(pause.id, 'answered')) throw buildAnsweredAlready(toolCallId);
    this.#forget(pause.id);
    return { status: 'resumed', messages: original ?? sent, later, ...resolve(pause, answers, ended) };
  }

  /** The turn whose messages these are. */
  async #find(messages: readonly JsonObject[], toolCallId: string): Promise<StoredQuestion<Pause>> {
    const known = this.#turns.find(toolCallId);
    if (known.length === 0)
      throw new SpillwayError(
        'human_input_not_found',
        `toolCallId: no question ${JSON.stringify(toolCallId.slice(0, 80))} is open. This server did not ask it, or has forgotten it.`,
      );
    const key = await this.#key();
    // A model may reuse an id: the conversation's last question is the open one.
    const turn = known
      .toSorted((a, b) => b.facts.length - a.facts.length)
      .find(({ facts: { id, length } }) => sign(key, messages.slice(0, length)) === id);
    if (turn === undefined)
      throw new SpillwayError(
        'messages_tampered',
        'messages: differ from those that were sent with the question.',
      );
    const at = messages.findIndex(({ role }, index) => index >= turn.facts.length && role !== 'user');
    if (at >= 0)
      throw new SpillwayError(
        'messages_tampered',
        `messages.${at}: only messages of the user may follow those that were sent with the question.`,
      );
    return turn;
  }

  /** Why nobody can answer any more; null if someone can. */
  #endOf({ state, facts: { id, expiresAtMs, hasSecret } }: StoredQuestion<Pause>): SpillwayError | null {
    const live = this.#live.get(id);
    if (live !== undefined && live.aborted !== null) return live.aborted;
    if (state === 'withdrawn' || this.parts.clock.now() >= expiresAtMs)
      return new SpillwayError('human_input_expired', 'Nobody answered before the question expired.');
    if (!hasSecret || live !== undefined) return null;
    return new SpillwayError(
      'human_input_expired',
      'The server restarted, and the question could not be kept, because its messages hold a secret.',
    );
  }

  #action(
    { expiresAtMs, waiting }: Pause,
    open: Pause['questions'],
    sent: readonly JsonObject[],
  ): PendingHumanInputAction {
    const [first, ...others] = open.map(({ toolCallId, question }) => ({
      toolCallId,
      toolName: HUMAN_INTERACTION_TOOL_NAME,
      args: question,
    }));
    if (first === undefined) throw new Error('A pause has a question.');
    const expiresAt = new Date(expiresAtMs).toISOString();
    return {
      status: 'requires_human_input',
      interaction: { ...first, expiresAt, others, waiting: [...waiting] },
      messages: [...sent],
    };
  }

  #follow(id: string, original: Live['original'], keepsAnswers: boolean): Live {
    const known = this.#live.get(id);
    this.#forget(id);
    const answers = (keepsAnswers ? known?.answers : undefined) ?? new Map<string, UserInput>();
    const live: Live = { original, answers, aborted: null, release: () => undefined };
    this.#live.set(id, live);
    return live;
  }

  /** Immediately, since a program that aborts its tasks may be about to exit. */
  #withdraw(id: string): void {
    try {
      this.#turns.move(id, 'withdrawn');
    } catch {
      // The program abandons the task because of a failure, so nothing else is reported.
    }
  }

  #forget(id: string): void {
    this.#live.get(id)?.release();
    this.#live.delete(id);
  }
}

/** Changed arguments must name waiting calls: nobody was asked about others. */
function checkChangedCalls({ waiting }: Pause, { args = {} }: UserInput): void {
  const unknown = Object.keys(args).find((id) => !waiting.some(({ toolCallId }) => toolCallId === id));
  if (unknown === undefined) return;
  const known = waiting.map(({ toolCallId }) => toolCallId).join(', ') || 'none';
  throw invalidArgument(
    `userInput.args.${unknown.slice(0, 80)}: is not a call that waits; those that do: ${known}.`,
  );
}

const buildAnsweredAlready = (toolCallId: string): SpillwayError =>
  new SpillwayError('human_input_answered', `${toolCallId.slice(0, 80)} was answered before.`);

/** A result for each question, and for each waiting call that may not run. */
function resolve(
  { questions, waiting }: Pause,
  answers: ReadonlyMap<string, UserInput>,
  ended: SpillwayError | null,
): Pick<Resumption, 'answers' | 'args'> {
  const results = new Map<string, CallAnswer>();
  let refusal: ((toolName: string) => SpillwayError) | null = null;
  const args = new Map<string, JsonObject>();
  for (const { toolCallId, question } of questions) {
    const input = answers.get(toolCallId);
    if (input === undefined) {
      const end = ended ?? new SpillwayError('human_input_expired', 'Nobody answered.');
      results.set(toolCallId, { ok: false, error: end.toWire() });
      refusal ??= (toolName) => new SpillwayError(end.code, `${toolName} was not called. ${end.message}`);
      continue;
    }
    results.set(toolCallId, { ok: true, value: toAnswer(question, input) });
    if (!isYes(question, input)) refusal ??= (toolName) => refusalOf(toolName, question, input);
    for (const [id, changed] of Object.entries(input.args ?? {})) args.set(id, changed);
  }
  if (refusal === null) return { answers: results, args };
  for (const { toolCallId, toolName } of waiting)
    results.set(toolCallId, { ok: false, error: refusal(toolName).toWire() });
  return { answers: results, args: new Map() };
}
