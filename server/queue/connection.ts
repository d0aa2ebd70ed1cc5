import { Redis } from 'ioredis';
import { z } from 'zod';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { defined } from '../../shared/base/json.ts';
import { parseAs } from '../../shared/base/json-schema.ts';
import { VERSION } from '../../shared/base/version.ts';
import { defer, delay, withTimeout } from '../../shared/base/async.ts';
import { cut } from '../../shared/base/cut.ts';
import { readGiven } from '../core/machine/given-file.ts';
import { boundConnection } from './bounds.ts';
import { KEY_VARIABLE, type KeyPlace, QueueKey } from './key.ts';
import { ANSWER_SECONDS, Beat, KEYS, QUEUE_WIRE } from './wire.ts';

/** Where the queue is, as the flags give it. */
export interface QueuePlace extends KeyPlace {
  /** `redis://` or `rediss://`, without a password. */
  readonly queue: string;
  readonly queuePasswordFile?: string | undefined;
}

/** How long the queue waits, in milliseconds. */
export interface QueueWaits {
  /** For the first connection. */
  readonly startMs: number;
  /** For a Redis that is away. ioredis connects again by itself, and sends again what was not answered. */
  readonly awayMs: number;
  /** For a first worker. */
  readonly noWorkerMs: number;
  /** Between two looks at a pending request, in case its event was missed or Redis has forgotten it. */
  readonly lookMs: number;
}

export const WAITS: QueueWaits = { startMs: 10_000, awayMs: 45_000, noWorkerMs: 120_000, lookMs: 5_000 };
const RECONNECT_MS = 500;
const FULL_RETRY_MS = 500;
/** At once: a process that ends in between would leave a list that has no timeout. A list of another type, which is not ours, is left alone: the home looks from time to time. */
const ANSWER = `
redis.call('SET', KEYS[1], ARGV[1], 'EX', ${ANSWER_SECONDS})
redis.pcall('RPUSH', KEYS[2], ARGV[2])
return redis.call('EXPIRE', KEYS[2], ${ANSWER_SECONDS})`;
/** Takes a value. One that is too long, or not text, is removed unread. */
const TAKE = `
if redis.call('TYPE', KEYS[1]).ok ~= 'string' or redis.call('STRLEN', KEYS[1]) > tonumber(ARGV[1]) then
  redis.call('DEL', KEYS[1])
  return false
end
return redis.call('GETDEL', KEYS[1])`;
/** Some workers, each with the beginning of its sign of life, and without those that have gone. */
const BEATS = `
local beats = {}
for _, id in ipairs(redis.call('SRANDMEMBER', KEYS[1], 1000)) do
  local beat = redis.pcall('GETRANGE', '${KEYS.worker('')}' .. id, 0, 1023)
  if type(beat) ~= 'string' or beat == '' then redis.call('SREM', KEYS[1], id) else beats[#beats + 1] = beat end
end
return beats`;
const PASSWORD_BYTES = 64 * 1_024;

/**
 * The password in the file, or `SPILLWAY_QUEUE_PASSWORD`: what containers get of a secret.
 * @throws SpillwayError `invalid_argument` for a file that is missing or that other users can read
 */
function passwordOf(path: string | undefined): string | undefined {
  if (path === undefined) return process.env['SPILLWAY_QUEUE_PASSWORD'];
  const ifRead = 'if others may have read it, change the password.';
  const maxBytes = PASSWORD_BYTES;
  return readGiven({ flag: '--queue-password-file', path, maxBytes, isSecret: true, ifRead }).trim();
}

/** A connection to Redis or Valkey, which connects again for as long as it is open. */
export class QueueConnection {
  readonly redis: Redis;
  readonly #where: string;
  readonly #awayMs: number;
  #lastError: unknown = null;

  private constructor({ queue, queuePasswordFile }: QueuePlace, { awayMs }: QueueWaits) {
    const { protocol, hostname, port, username, pathname } = new URL(queue);
    this.#where = `${hostname}:${port || 6379}`;
    this.#awayMs = awayMs;
    const redis = new Redis({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 6379),
      db: Number(pathname.slice(1) || 0),
      ...defined({
        username: username === '' ? undefined : decodeURIComponent(username),
        password: passwordOf(queuePasswordFile),
      }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
      // BullMQ asks for it: a command waits for Redis, and for our own deadline.
      maxRetriesPerRequest: null,
      retryStrategy: () => RECONNECT_MS,
    });
    this.redis = boundConnection(redis);
    redis.on('error', (error: Error) => (this.#lastError = error));
  }

  /**
   * Connects. A Redis that refuses is not asked again.
   * @throws SpillwayError `queue_unavailable`, `invalid_argument`, or the signal's reason
   */
  static async open(
    place: QueuePlace,
    waits: QueueWaits = WAITS,
    signal?: AbortSignal,
  ): Promise<QueueConnection> {
    const connection = new QueueConnection(place, waits);
    const { redis } = connection;
    const refused = defer<never>();
    const refuse = (thrown: unknown): void => {
      if (refusalHint(thrown) !== null) refused.reject(thrown);
    };
    redis.on('error', refuse);
    try {
      const ready = Promise.race([refused.promise, redis.ping()]);
      const late = (): SpillwayError => connection.#away('could not be reached', waits.startMs);
      await withTimeout(ready, waits.startMs, late, signal);
      return connection;
    } catch (thrown) {
      connection.close();
      throw connection.#codeError(thrown);
    } finally {
      redis.off('error', refuse);
    }
  }

  /**
   * The result of a command.
   * @throws SpillwayError `queue_unavailable`, also if Redis is full
   */
  async ask<T>(command: PromiseLike<T>, signal?: AbortSignal): Promise<T> {
    try {
      const late = (): SpillwayError => this.#away('has not answered', this.#awayMs);
      return await withTimeout(command, this.#awayMs, late, signal);
    } catch (thrown) {
      throw this.#codeError(thrown);
    }
  }

  /** The result of a command that needs memory: a full Redis is asked again for a while. @throws as {@link ask} */
  async write<T>(command: () => PromiseLike<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.ask(command(), signal);
      } catch (thrown) {
        if (!isFull(thrown) || tries >= this.#awayMs / FULL_RETRY_MS) throw thrown;
        await delay(FULL_RETRY_MS, signal);
      }
    }
  }

  /** Leaves the answer to a request, and tells the home that waits for it. @throws as {@link write} */
  async answer(id: string, home: string, packed: Buffer): Promise<void> {
    const keys = [KEYS.answer(id), KEYS.answered(home)];
    await this.write(() => this.redis.eval(ANSWER, 2, ...keys, packed, id));
  }

  /** Reads and removes a value. Null if there is none, or if it is larger than `maxBytes`. @throws as {@link ask} */
  async take(key: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer | null> {
    const value = await this.ask(this.redis.callBuffer('EVAL', TAKE, 1, key, maxBytes), signal);
    return Buffer.isBuffer(value) ? value : null;
  }

  /** The workers that are there, of any version and key. */
  async workers(signal?: AbortSignal): Promise<readonly Beat[]> {
    const beats = z.array(z.string()).parse(await this.ask(this.redis.eval(BEATS, 1, KEYS.workers), signal));
    return beats.flatMap((text) => parseAs(Beat, text) ?? []);
  }

  close(): void {
    this.redis.disconnect();
  }

  #away(what: string, waitedMs: number): SpillwayError {
    const why = this.#lastError === null ? '' : `: ${messageOf(this.#lastError)}`;
    return new SpillwayError(
      'queue_unavailable',
      `Redis at ${this.#where} ${what} for ${waitedMs / 1_000} s${why}.`,
    );
  }

  /** Names the next step after a refusal of Redis or of its certificate; other errors stay. */
  #codeError(thrown: unknown): unknown {
    if (thrown instanceof SpillwayError) return thrown;
    const refusal = refusalHint(thrown);
    const hint = isFull(thrown) ? FULL_HINT : refusal;
    // Any other command of another program's values: `WRONGTYPE`, say.
    const isAnswer = thrown instanceof Error && thrown.name === 'ReplyError';
    if (hint === null && !isAnswer) return thrown;
    const what = isFull(thrown) ? 'is full' : 'cannot be used';
    const message = `Redis at ${this.#where} ${what}: ${cut(messageOf(thrown), MESSAGE_UNITS)}`;
    return new SpillwayError('queue_unavailable', message, { hint: hint ?? SHARED_HINT, cause: thrown });
  }
}

const MESSAGE_UNITS = 300;
const SHARED_HINT =
  'See that no other program writes keys that begin with spillway: or bull:, then call run_resume.';
const FULL_HINT = 'Give it more memory (maxmemory), then call run_resume; what was read is kept.';

/** The next step after an error that comes back each time; null for one that may pass. */
function refusalHint(thrown: unknown): string | null {
  const message = messageOf(thrown);
  if (/^(?:WRONGPASS|NOAUTH)/.test(message))
    return 'Check the user in --queue, and its password in --queue-password-file or SPILLWAY_QUEUE_PASSWORD.';
  if (message.startsWith('NOPERM'))
    return 'Let the user of --queue run all commands on the keys bull:* and spillway:*.';
  if (/certificate|altname|wrong version number|packet length/i.test(message))
    return 'Check --queue: rediss:// is with TLS, and NODE_EXTRA_CA_CERTS names an authority of your own.';
  return null;
}

const isFull = (thrown: unknown): boolean => messageOf(thrown).includes('OOM command not allowed');

/** The state of a queue, for doctor and for a worker that starts. @throws SpillwayError `queue_unavailable`, `invalid_argument` */
export async function inspectQueue(place: QueuePlace) {
  const key = QueueKey.read(place);
  const connection = await QueueConnection.open(place);
  try {
    const { own, lanes, others, strangers } = compatible(await connection.workers(), key);
    const lone = own.length > 0 ? [] : ['No worker of this version is there: start `spillway worker`.'];
    const old = `Workers of Spillway ${others.join(', ')} have another version of the queue; this is ${VERSION}.`;
    return {
      evidence: [`workers: ${own.length}, lanes: ${lanes}`],
      warnings: [
        ...lone,
        ...(others.length === 0 ? [] : [old]),
        ...(strangers === 0 ? [] : [`${otherKey(strangers)}.`]),
      ],
    };
  } finally {
    connection.close();
  }
}

/** Workers and this side cannot read each other's messages. */
export const otherKey = (count: number): string =>
  `${count} of the workers have another key: give them the file queue/key of this home with --queue-key-file or ${KEY_VARIABLE}`;

/** Workers that understand this side, how much they take at once, the versions of the others, and how many have another key. */
export function compatible(beats: readonly Beat[], { name }: QueueKey) {
  const same = beats.filter(({ wire }) => wire === QUEUE_WIRE);
  const own = same.filter(({ key }) => key === name);
  const others = [...new Set(beats.filter(({ wire }) => wire !== QUEUE_WIRE).map(({ version }) => version))];
  const lanes = own.reduce((sum, beat) => sum + beat.lanes, 0);
  return { own, lanes, others, strangers: same.length - own.length };
}
