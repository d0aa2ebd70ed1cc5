import { createHmac, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { lazy, onAbort } from '../../shared/async.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { SpillwayError, type WireError, invalidArgument } from '../../shared/errors.ts';
import { type JsonObject, type JsonValue, canonicalJson } from '../../shared/json.ts';
import { parseAs, toJson } from '../../shared/json-schema.ts';
import type { Clock, Redactor } from '../core/services.ts';
import { HomeDatabase } from '../home/database.ts';
import { ensureKey } from '../machine/files.ts';
import type { Clean } from '../redact/clean.ts';
import { checkAnswer, isYes, refusalOf, toAnswer } from '../toolkit/human-answer.ts';
import {
  HUMAN_INTERACTION_TOOL_NAME,
  humanInputSchema,
  parseContinuePayload,
  WaitingCall,
  type ContinuePayload,
  type HumanInputRequest,
  type PendingHumanInputAction,
  type TurnCall,
  type UserInput,
} from './human-contract.ts';

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

export interface HumanInputParts {
  readonly store: PauseStore;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** How long a question can be answered. */
  readonly expiresAfterMs: number;
}

interface Live {
  /** Its messages, if they contain secrets and so were sent in another form. */
  readonly original: readonly JsonObject[] | null;
  /** Set when the program aborted the task. */
  aborted: SpillwayError | null;
  release(): void;
}

/** Most pauses that are tracked. */
const LIVE_MAX = 1_000;

/**
 * Pauses tasks of models until people have answered, and continues them. It names the waiting calls and
 * executes nothing: the program that runs the model does, with secrets that only it has.
 */
export class HumanInput {
  /** Keyed by the signature of the sent messages. */
  readonly #live = new Map<string, Live>();
  /** Those so far, by pause and question. Only in memory, since a person may have written a secret. */
  readonly #answers = new BoundedMap<string, Map<string, UserInput>>(PAUSES_MAX);

  constructor(private readonly parts: HumanInputParts) {}

  /** Signs the messages of a turn and returns the pending action for its client. */
  async pause({ messages, questions, waiting, signal }: PausedTurn): Promise<PendingHumanInputAction> {
    const { store, redactor, clock, expiresAfterMs } = this.parts;
    const clean = (value: object): Clean<JsonObject> => redactor.value(toJson(value));
    const sent: Clean<JsonObject[]> = redactor.value([...messages]);
    const key = await store.key();
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
    // The same question again, which is still open, keeps its answers so far.
    if (await store.add(pause)) this.#answers.delete(id);
    this.#follow(pause, hasSecret ? messages : null, signal);
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
    const pause = await this.#find(messages, toolCallId);
    const { store } = this.parts;
    const sent = messages.slice(0, pause.length);
    const later = messages.slice(pause.length);
    const ended = this.#endOf(pause);
    const answers = this.#answers.get(pause.id) ?? new Map<string, UserInput>();
    if (ended === null) {
      const asked = pause.questions.find((each) => each.toolCallId === toolCallId);
      if (asked !== undefined) checkAnswer(asked.question, userInput);
      checkChangedCalls(pause, userInput);
      if (answers.has(toolCallId) || !store.isOpen(pause)) throw answered(toolCallId);
      this.#answers.set(pause.id, answers.set(toolCallId, userInput));
    }
    const open = pause.questions.filter((each) => !answers.has(each.toolCallId));
    if (ended === null && open.length > 0) return this.#action(pause, open, sent);
    if (!(await store.finish(pause))) throw answered(toolCallId);
    this.#answers.delete(pause.id);
    const original = this.#live.get(pause.id)?.original ?? sent;
    this.#forget(pause.id);
    return { status: 'resumed', messages: original, later, ...resolve(pause, answers, ended) };
  }

  /** The pause whose messages these are. */
  async #find(messages: readonly JsonObject[], toolCallId: string): Promise<Pause> {
    const { store } = this.parts;
    const known = await store.find(toolCallId);
    if (known.length === 0)
      throw new SpillwayError(
        'human_input_not_found',
        `toolCallId: no question ${JSON.stringify(toolCallId.slice(0, 80))} is open. This server did not ask it, or has forgotten it.`,
      );
    const key = await store.key();
    // A model may reuse an id: the conversation's last question is the open one.
    const pause = known
      .toSorted((a, b) => b.length - a.length)
      .find(({ id, length }) => sign(key, messages.slice(0, length)) === id);
    if (pause === undefined)
      throw new SpillwayError(
        'messages_tampered',
        'messages: differ from those that were sent with the question.',
      );
    const at = messages.findIndex(({ role }, index) => index >= pause.length && role !== 'user');
    if (at >= 0)
      throw new SpillwayError(
        'messages_tampered',
        `messages.${at}: only messages of the user may follow those that were sent with the question.`,
      );
    return pause;
  }

  /** Why nobody can answer any more; null if someone can. */
  #endOf({ id, expiresAtMs, hasSecret }: Pause): SpillwayError | null {
    const live = this.#live.get(id);
    if (live !== undefined && live.aborted !== null) return live.aborted;
    if (this.parts.clock.now() >= expiresAtMs)
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

  #follow(pause: Pause, original: Live['original'], signal: AbortSignal | undefined): void {
    const { id } = pause;
    this.#forget(id);
    const live: Live = { original, aborted: null, release: () => undefined };
    this.#live.set(id, live);
    live.release = onAbort(signal, () => {
      live.aborted = new SpillwayError('cancelled', 'The task was aborted before anyone answered.');
      this.parts.store.abandon(pause);
    });
    const [oldest] = this.#live.keys();
    if (this.#live.size > LIVE_MAX && oldest !== undefined) this.#forget(oldest);
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

const answered = (toolCallId: string): SpillwayError =>
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

/**
 * A task that waits for a person. Its client has the messages; we keep only their signature. Texts for people
 * and clients are redacted, except the ids, which the answer names.
 */
const Pause = z.object({
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
type Pause = z.infer<typeof Pause>;

interface PauseStore {
  /** Signs messages. It stays the same as long as signed messages can be answered. */
  key(): Promise<Buffer>;
  /** False if it is there already and still open. */
  add(pause: Pause): Promise<boolean>;
  /** The pauses that ask, or have asked, this question. */
  find(toolCallId: string): Promise<readonly Pause[]>;
  /** Whether it can be answered. */
  isOpen(pause: Pause): boolean;
  /** The program has abandoned the task: answering after a restart reports that the question has expired. */
  abandon(pause: Pause): void;
  /** Takes the pause to continue it, once. False if another program has. */
  finish(pause: Pause): Promise<boolean>;
}

const PAUSES_MAX = 1_000;

interface Kept {
  readonly pause: Pause;
  isFinished: boolean;
}

/** Pauses of this process: a restart forgets them. */
export class MemoryPauses implements PauseStore {
  readonly #key = randomBytes(32);
  readonly #kept = new BoundedMap<string, Kept>(PAUSES_MAX);

  async key(): Promise<Buffer> {
    return this.#key;
  }

  async add(pause: Pause): Promise<boolean> {
    if (this.isOpen(pause)) return false;
    this.#kept.set(pause.id, { pause, isFinished: false });
    return true;
  }

  async find(toolCallId: string): Promise<readonly Pause[]> {
    return [...this.#kept.values()]
      .map(({ pause }) => pause)
      .filter(({ questions }) => questions.some((asked) => asked.toolCallId === toolCallId));
  }

  isOpen({ id }: Pause): boolean {
    return this.#kept.get(id)?.isFinished === false;
  }

  /** A restart forgets it anyway. */
  abandon(): void {}

  async finish({ id }: Pause): Promise<boolean> {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.isFinished) return false;
    kept.isFinished = true;
    return true;
  }
}

/** How long a question stays known after its end: a late answer gives each call a result that says so. */
const LINGER_MS = 24 * 60 * 60_000;

/**
 * Pauses that outlive their program: in the home's database, and in `<home>/human` the key that signs their
 * messages. Answers are not among them: a turn's questions that were answered before a restart are asked again.
 */
export class StoredPauses implements PauseStore {
  readonly #root: string;
  readonly #database: HomeDatabase;
  /** @throws SpillwayError `store_write_failed` */
  readonly key = lazy(async (): Promise<Buffer> => {
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      return await ensureKey(this.#root);
    } catch (cause) {
      throw new SpillwayError('store_write_failed', 'The question could not be kept in the home.', { cause });
    }
  });

  constructor(
    home: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#root = join(home, 'human');
    this.#database = new HomeDatabase(home);
  }

  async add(pause: Pause): Promise<boolean> {
    await this.key();
    return this.#database.write(() => {
      if (this.isOpen(pause)) return false;
      this.#removeOld();
      this.#database.run(
        `INSERT OR REPLACE INTO pause (id, state, expires_at_ms, facts) VALUES (?, 'open', ?, ?)`,
        ...[pause.id, pause.expiresAtMs, JSON.stringify(pause)],
      );
      return true;
    });
  }

  async find(toolCallId: string): Promise<readonly Pause[]> {
    return this.#database.rows('SELECT state, facts FROM pause').flatMap(([state, facts]) => {
      const pause = parseAs(Pause, String(facts));
      if (pause === null || !pause.questions.some((asked) => asked.toolCallId === toolCallId)) return [];
      return [state === 'abandoned' ? { ...pause, expiresAtMs: 0 } : pause];
    });
  }

  /** Immediately, since a program that aborts its tasks may be about to exit. */
  abandon({ id }: Pause): void {
    try {
      this.#database.run(`UPDATE pause SET state = 'abandoned' WHERE id = ? AND state = 'open'`, id);
    } catch {
      // The program abandons the task because of a failure, so nothing else is reported.
    }
  }

  /** If several programs continue a task, one of them changes the state. */
  async finish({ id }: Pause): Promise<boolean> {
    const changed = this.#database.run(
      `UPDATE pause SET state = 'finished' WHERE id = ? AND state <> 'finished'`,
      id,
    );
    return changed > 0;
  }

  /** A late answer to those finds no question. */
  #removeOld(): void {
    this.#database.run('DELETE FROM pause WHERE expires_at_ms <= ?', this.clock.now() - LINGER_MS);
    this.#database.run(
      'DELETE FROM pause WHERE id IN (SELECT id FROM pause ORDER BY expires_at_ms DESC LIMIT -1 OFFSET ?)',
      PAUSES_MAX - 1,
    );
  }

  isOpen({ id }: Pause): boolean {
    const row = this.#database.row(`SELECT facts FROM pause WHERE id = ? AND state = 'open'`, id);
    return row !== undefined && parseAs(Pause, String(row[0])) !== null;
  }
}
