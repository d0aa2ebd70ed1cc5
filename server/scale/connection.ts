import { statSync } from 'node:fs';
import { Redis } from 'ioredis';
import { invalidArgument, SpillwayError } from '../../shared/errors.ts';
import { messageOf } from '../../shared/message-of.ts';
import { defined } from '../../shared/json.ts';
import { parseAs } from '../../shared/json-schema.ts';
import { VERSION } from '../../shared/version.ts';
import { deferred, delay, withTimeout } from '../../shared/async.ts';
import { readRegularSync } from '../machine/files.ts';
import { Beat, KEYS, QUEUE_WIRE } from './wire.ts';

/** Where the queue is, as the flags give it. */
export interface QueuePlace {
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
/** At once: a process that ends in between would leave a list that has no timeout. */
const PUSH = `
redis.call('RPUSH', KEYS[1], ARGV[1])
return redis.call('EXPIRE', KEYS[1], ARGV[2])`;
const GROUP_AND_OTHERS = 0o077;

/**
 * The password in the file, or `SPILLWAY_QUEUE_PASSWORD`: what containers get of a secret.
 * @throws SpillwayError `invalid_argument` for a file that is missing or that other users can read
 */
function passwordOf(path: string | undefined): string | undefined {
  if (path === undefined) return process.env['SPILLWAY_QUEUE_PASSWORD'];
  try {
    if (process.platform === 'win32' || (statSync(path).mode & GROUP_AND_OTHERS) === 0)
      return readRegularSync(path).trim();
  } catch (thrown) {
    throw invalidArgument(`--queue-password-file: ${path} cannot be read (${messageOf(thrown)}).`);
  }
  throw invalidArgument(
    `--queue-password-file: other users can read ${path}.`,
    'Run `chmod 600` on it; if others may have read it, change the password.',
  );
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
    this.redis = new Redis({
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
    this.redis.on('error', (error: Error) => (this.#lastError = error));
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
    const refused = deferred<never>();
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
      throw connection.#coded(thrown);
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
      throw this.#coded(thrown);
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

  /** Adds to a list, which then lasts for so long. @throws as {@link write} */
  async push(key: string, packed: Buffer, seconds: number, signal?: AbortSignal): Promise<void> {
    await this.write(() => this.redis.eval(PUSH, 1, key, packed, seconds), signal);
  }

  /** The workers that are there, of any version. */
  async workers(signal?: AbortSignal): Promise<readonly Beat[]> {
    const ids = await this.ask(this.redis.smembers(KEYS.workers), signal);
    if (ids.length === 0) return [];
    const beats = await this.ask(this.redis.mget(ids.map(KEYS.worker)), signal);
    const gone = ids.filter((_, at) => beats[at] === null);
    if (gone.length > 0) await this.ask(this.redis.srem(KEYS.workers, ...gone), signal);
    return beats.flatMap((text) => (text === null ? [] : (parseAs(Beat, text) ?? [])));
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
  #coded(thrown: unknown): unknown {
    if (thrown instanceof SpillwayError) return thrown;
    const hint = isFull(thrown) ? FULL_HINT : refusalHint(thrown);
    if (hint === null) return thrown;
    const message = `Redis at ${this.#where} ${isFull(thrown) ? 'is full' : 'cannot be used'}: ${messageOf(thrown)}`;
    return new SpillwayError('queue_unavailable', message, { hint, cause: thrown });
  }
}

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

/** The state of a queue, for doctor. @throws SpillwayError `queue_unavailable`, `invalid_argument` */
export async function inspectQueue(place: QueuePlace) {
  const connection = await QueueConnection.open(place);
  try {
    const { own, lanes, others } = compatible(await connection.workers());
    const lone = own.length > 0 ? [] : ['No worker of this version is there: start `spillway worker`.'];
    const old = `Workers of Spillway ${others.join(', ')} have another version of the queue; this is ${VERSION}.`;
    return {
      evidence: [`workers: ${own.length}, lanes: ${lanes}`],
      warnings: [...lone, ...(others.length === 0 ? [] : [old])],
    };
  } finally {
    connection.close();
  }
}

/** Workers that understand this server, how much they take at once, and the versions of the others. */
export function compatible(beats: readonly Beat[]) {
  const own = beats.filter(({ wire }) => wire === QUEUE_WIRE);
  const others = [...new Set(beats.filter(({ wire }) => wire !== QUEUE_WIRE).map(({ version }) => version))];
  return { own, lanes: own.reduce((sum, beat) => sum + beat.lanes, 0), others };
}
