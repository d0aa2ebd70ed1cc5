import { statSync } from 'node:fs';
import { Redis } from 'ioredis';
import { invalidArgument, SpillwayError } from '../../shared/errors.ts';
import { messageOf } from '../../shared/message-of.ts';
import { defined } from '../../shared/json.ts';
import { VERSION } from '../../shared/version.ts';
import { delay, withTimeout } from '../../shared/async/wait.ts';
import { readRegularSync } from '../machine/files.ts';
import { Beat, KEYS, QUEUE_WIRE } from './wire.ts';

/** Where the queue is, as the flags give it. */
export interface QueuePlace {
  /** `redis://` or `rediss://`, without a password. */
  readonly queue: string;
  readonly queuePasswordFile?: string | undefined;
}

/** How long Redis may be away. ioredis connects again by itself, and sends again what was not answered. */
const AWAY_MS = 45_000;
const RECONNECT_MS = 500;
const FULL_RETRY_MS = 500;
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
  #lastError = '';

  /** @throws SpillwayError `invalid_argument` */
  constructor({ queue, queuePasswordFile }: QueuePlace) {
    const { protocol, hostname, port, username, pathname } = new URL(queue);
    this.#where = `${hostname}:${port || 6379}`;
    this.redis = new Redis({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 6379),
      db: Number(pathname.slice(1) || 0),
      ...defined({ username: username === '' ? undefined : decodeURIComponent(username) }),
      ...defined({ password: passwordOf(queuePasswordFile) }),
      ...(protocol === 'rediss:' ? { tls: { servername: hostname } } : {}),
      // BullMQ asks for it: a command waits for Redis, and for our own deadline.
      maxRetriesPerRequest: null,
      retryStrategy: () => RECONNECT_MS,
    });
    this.redis.on('error', (error: Error) => (this.#lastError = messageOf(error)));
  }

  /**
   * The result of a command.
   * @throws SpillwayError `queue_unavailable`, also if Redis is full
   */
  async ask<T>(command: PromiseLike<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await withTimeout(command, AWAY_MS, () => this.#away(), signal);
    } catch (thrown) {
      if (!isFull(thrown)) throw thrown;
      throw new SpillwayError('queue_unavailable', `Redis at ${this.#where} is full: ${messageOf(thrown)}`, {
        hint: 'Give it more memory (maxmemory), then call run_resume; what was read is kept.',
      });
    }
  }

  /** The result of a command that needs memory: a full Redis is asked again for a while. @throws as {@link ask} */
  async write<T>(command: () => PromiseLike<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.ask(command(), signal);
      } catch (thrown) {
        if (!isFull(thrown) || tries >= AWAY_MS / FULL_RETRY_MS) throw thrown;
        await delay(FULL_RETRY_MS, signal);
      }
    }
  }

  /** The workers that are there, of any version. */
  async workers(signal?: AbortSignal): Promise<readonly Beat[]> {
    const ids = await this.ask(this.redis.smembers(KEYS.workers), signal);
    if (ids.length === 0) return [];
    const beats = await this.ask(this.redis.mget(ids.map(KEYS.worker)), signal);
    const gone = ids.filter((_, at) => beats[at] === null);
    if (gone.length > 0) await this.ask(this.redis.srem(KEYS.workers, ...gone), signal);
    return beats.flatMap((text) => {
      const beat = text === null ? null : Beat.safeParse(parsed(text));
      return beat?.success === true ? [beat.data] : [];
    });
  }

  close(): void {
    this.redis.disconnect();
  }

  #away(): SpillwayError {
    const why = this.#lastError === '' ? '' : ` (${this.#lastError})`;
    return new SpillwayError(
      'queue_unavailable',
      `Redis at ${this.#where} has not answered for ${AWAY_MS / 1_000} s${why}.`,
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isFull = (thrown: unknown): boolean => messageOf(thrown).includes('OOM command not allowed');

/** The state of a queue, for doctor. @throws SpillwayError `queue_unavailable`, `invalid_argument` */
export async function inspectQueue(place: QueuePlace): Promise<{
  readonly evidence: readonly string[];
  readonly warnings: readonly string[];
}> {
  const connection = new QueueConnection(place);
  try {
    const beats = await connection.workers();
    const { own, others } = compatible(beats);
    const lanes = own.reduce((sum, beat) => sum + beat.lanes, 0);
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

/** Workers that understand this server, and the versions of the others. */
export function compatible(beats: readonly Beat[]) {
  const own = beats.filter(({ wire }) => wire === QUEUE_WIRE);
  const others = [...new Set(beats.filter(({ wire }) => wire !== QUEUE_WIRE).map(({ version }) => version))];
  return { own, others };
}
