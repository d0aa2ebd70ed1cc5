import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { defined, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { JsonRecord } from '../../shared/json-schema.ts';
import { VERSION } from '../../shared/version.ts';
import { abortable, deadlineSignal, deferred } from '../../shared/async.ts';
import type { Outcome } from '../core/result.ts';
import type { RunKey, RunScope, RunState } from '../core/runs.ts';
import type { Redactor } from '../core/services.ts';
import type { Clean, CleanJson } from '../redact/clean.ts';
import type { QueueConnection } from './connection.ts';
import { LISTEN_SECONDS, RUN_KEYS, type RunAsked, type Said, SAID_SECONDS, Told } from './run-wire.ts';
import type { QueueKey } from './key.ts';
import { pack, unpackAs } from './wire.ts';

type Begin = Extract<Told, { readonly kind: 'begin' }>;
type OfAttempt = 'attempt' | 'seq';
type InOrder = Extract<Said, { readonly seq: number }>;

/** Executes a program to its end, in a browser of its own. */
export type ExecuteRun = (asked: RunAsked, scope: RunScope) => Promise<Outcome>;

export interface RunWork {
  readonly connection: QueueConnection;
  readonly key: QueueKey;
  /** Of the queue. */
  readonly job: string;
  readonly execute: ExecuteRun;
  readonly redactor: Redactor;
  readonly runMs: number;
  /** Of a step and its items, as JSON. */
  readonly stepBytes: number;
  /** How long it waits for its home. */
  readonly awayMs?: number;
}

const CLOSE_GRACE = { graceMs: 5_000 };
const PROGRESS_MS = 500;
const AWAY_MS = 60_000;

/**
 * Executes a run until it ends, or its home stops it or is away. Each step waits until the home has it on disk.
 * @throws SpillwayError `browser_launch_failed` before the first step: another worker may have a browser
 */
export async function performRun(asked: RunAsked, work: RunWork): Promise<void> {
  const { execute, redactor, runMs } = work;
  const home = new Home(asked.run, work);
  const late = (): SpillwayError =>
    new SpillwayError('timeout', `The worker gives a run ${Math.round(runMs / 1_000)} s.`);
  const { signal, release } = deadlineSignal(runMs, late, home.gone);
  try {
    const begin = await home.begin();
    const scope = remoteScope({ home, redactor, begin }, { runId: asked.run, signal });
    try {
      const outcome = await abortable(execute(asked, scope), signal, CLOSE_GRACE);
      const { state, coverage, ...rest } = outcome;
      scope.flush();
      await home.say({
        kind: 'ended',
        outcome: { state: JsonRecord.parse(state), coverage: [...coverage], ...defined(rest) },
      });
    } catch (thrown) {
      home.gone.throwIfAborted();
      const error = toSpillwayError(thrown);
      if (error.code === 'browser_launch_failed' && home.seq === 0) throw error;
      const { code, message, retryable, body, state, quotes } = error;
      const facts = { body: body && JsonRecord.parse(body), state: state && JsonRecord.parse(state), quotes };
      await home.say({ kind: 'failed', code, message, retryable, ...defined(facts) });
    }
  } catch (thrown) {
    // The home knows how far it is, and continues it.
    if (!home.gone.aborted) throw thrown;
  } finally {
    release();
    home.close();
  }
}

/** The home of a run, which acknowledges each step. Until then the step is sent again. */
class Home {
  readonly #attempt = randomBytes(8).toString('hex');
  readonly #end = new AbortController();
  /** Aborted when the home has stopped the run, or is away. */
  readonly gone = this.#end.signal;
  readonly #unkept = new Map<
    number,
    { readonly said: Buffer; readonly at: number; readonly resolve: () => void }
  >();
  readonly #begun = deferred<Begin>();
  readonly #reader: Redis;
  /** Of its last step. */
  seq = 0;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly run: string,
    private readonly work: RunWork,
  ) {
    this.#reader = work.connection.redis.duplicate();
    this.#reader.on('error', () => undefined);
    this.#begun.promise.catch(() => undefined);
  }

  begin(): Promise<Begin> {
    void this.#listen();
    const { job } = this.work;
    const began = () => ({ kind: 'began', attempt: this.#attempt, job, version: VERSION });
    // That the home is gone is what begin() reports.
    this.#send(began, 0).catch(() => undefined);
    return abortable(this.#begun.promise, this.gone);
  }

  /** Resolves when the home has it. @throws SpillwayError `program_limit` */
  say<Kind extends InOrder['kind']>(
    said: Omit<Extract<InOrder, { readonly kind: Kind }>, OfAttempt> & { readonly kind: Kind },
  ): Promise<void> {
    return this.#send((seq) => ({ ...said, attempt: this.#attempt, seq }));
  }

  /** Not acknowledged: it may be lost. */
  mention(said: JsonObject): void {
    this.#inTurn(async () => this.#push(await this.#packed({ ...said, attempt: this.#attempt }))).catch(
      () => undefined,
    );
  }

  close(): void {
    this.#end.abort(new SpillwayError('cancelled', 'The run has left this worker.'));
    this.#reader.disconnect();
  }

  #send(said: (seq: number) => object, given?: number): Promise<void> {
    const { promise, resolve } = deferred<void>();
    const sent = this.#inTurn(async () => {
      const seq = given ?? this.seq + 1;
      const packed = await this.#packed(JsonRecord.parse(said(seq)));
      // One that is too large has no number: the next follows the one before.
      this.seq = seq;
      this.#unkept.set(seq, { said: packed, at: performance.now(), resolve: () => resolve() });
      await this.#push(packed);
    });
    return abortable(
      sent.then(() => promise),
      this.gone,
    );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#sending.then(work);
    this.#sending = turn.catch(() => undefined);
    return turn;
  }

  async #packed(said: JsonObject): Promise<Buffer> {
    const packed = await pack(await this.work.redactor.large(said), this.work.stepBytes);
    return this.work.key.seal(['said', this.run], packed);
  }

  #push(packed: Buffer): Promise<void> {
    return this.work.connection.push(RUN_KEYS.said(this.run), packed, SAID_SECONDS, this.gone);
  }

  async #listen(): Promise<void> {
    const { connection, key } = this.work;
    const list = RUN_KEYS.told(this.run, this.#attempt);
    const use = ['told', this.run, this.#attempt] as const;
    try {
      while (!this.gone.aborted) {
        const heard = await connection.ask(this.#reader.blpopBuffer(list, LISTEN_SECONDS), this.gone);
        if (heard === null) await this.#repeat();
        else this.#take(await unpackAs(Told, await key.unseal(use, heard[1])));
      }
    } catch (thrown) {
      this.#end.abort(thrown);
    }
  }

  #take(told: Told | null): void {
    if (told === null) return;
    if (told.kind === 'stop')
      return this.#end.abort(new SpillwayError('cancelled', 'The home stopped the run.'));
    if (told.kind === 'begin') this.#begun.resolve(told);
    const seq = told.kind === 'begin' ? 0 : told.seq;
    this.#unkept.get(seq)?.resolve();
    this.#unkept.delete(seq);
  }

  /** Redis or the home may have lost it. While the home has something to take, a copy would only fill Redis. */
  async #repeat(): Promise<void> {
    const { connection, key, job } = this.work;
    const over = await connection.ask(connection.redis.getrangeBuffer(RUN_KEYS.over(job), 0, 99), this.gone);
    if ((await key.unseal(['over', job], over)) !== null)
      throw new SpillwayError('cancelled', 'The run is over.');
    const waiting = [...this.#unkept.values()];
    const [oldest] = waiting;
    if (oldest !== undefined && performance.now() - oldest.at > (this.work.awayMs ?? AWAY_MS))
      throw new SpillwayError('cancelled', 'The home of the run is away.');
    if ((await connection.ask(connection.redis.llen(RUN_KEYS.said(this.run)), this.gone)) > 0) return;
    for (const { said } of waiting) await this.#push(said);
  }
}

/** A run's scope on a worker: its record is a copy of that at the home. `flush` sends the last progress. */
function remoteScope(
  { home, redactor, begin }: { readonly home: Home; readonly redactor: Redactor; readonly begin: Begin },
  own: Pick<RunScope, 'runId' | 'signal'>,
): RunScope & { readonly flush: () => void } {
  const rows = new Map<string, { readonly key: RunKey; readonly value: CleanJson }>();
  const redact = <T extends JsonValue>(value: T): Clean<T> => redactor.value(value);
  for (const [key, value] of begin.state) rows.set(JSON.stringify(key), { key, value: redact(value) });
  const state: RunState = {
    get: (key) => rows.get(JSON.stringify(key))?.value,
    range: ({ start, end, limit = Infinity }) =>
      [...rows.values()]
        .filter(({ key }) => compareKeys(key, start) >= 0 && compareKeys(key, end) < 0)
        .sort((one, other) => compareKeys(one.key, other.key))
        .slice(0, limit),
  };
  let latest: JsonObject | null = null;
  let sentAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (latest !== null) home.mention(latest);
    latest = null;
    sentAt = performance.now();
  };
  return {
    ...own,
    ...{ call: null, session: null, decision: begin.decision, state, redact, flush },
    async commit({ items = [], change, isDurable = true }) {
      const changes: ([RunKey, CleanJson] | [RunKey])[] = [];
      change?.({
        ...state,
        put: (key, value) => {
          rows.set(JSON.stringify(key), { key, value });
          changes.push([key, value]);
        },
        remove: (key) => {
          rows.delete(JSON.stringify(key));
          changes.push([key]);
        },
      });
      await home.say({ kind: 'step', items, changes, is_durable: isDurable });
    },
    progress({ done, queued, failed, message }) {
      latest = { kind: 'progress', progress: { done, queued, failed, ...defined({ message }) } };
      const leftMs = sentAt + PROGRESS_MS - performance.now();
      if (leftMs <= 0) flush();
      // A long call may follow.
      else timer ??= setTimeout(flush, leftMs).unref();
    },
    log: (event, facts) => home.mention({ kind: 'log', event, facts }),
  };
}

/** Part by part, numbers before texts. */
function compareKeys(one: RunKey, other: RunKey): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [left, right] = [one[at], other[at]];
    if (left === undefined) return -1;
    if (right === undefined) return 1;
    if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
