import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { DelayedError, UnrecoverableError, Worker, type Job } from 'bullmq';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { JsonRecord } from '../../shared/base/json-schema.ts';
import { VERSION } from '../../shared/base/version.ts';
import { abortable, deadlineSignal, waitAtMost } from '../../shared/base/async.ts';
import type { Logger, Redactor } from '../core/services.ts';
import { BoundedMap } from '../../shared/base/maps.ts';
import { emptyPage } from '../crawl/source.ts';
import { AddressGuard } from '../crawl/redirects.ts';
import { compatible, otherKey, QueueConnection, type QueuePlace, type QueueWaits } from './connection.ts';
import { QueueKey } from './key.ts';
import { inTurn } from './turns.ts';
import { type Answer, Asked, BEAT_SECONDS, KEYS, openJob, pack, queueName, QUEUE_WIRE } from './wire.ts';

/** Reads what a request asks for: a private browser, or a test. */
export type ReadAsked = (asked: Asked, signal: AbortSignal) => Promise<Answer>;

/** Reads for one crawl, apart from all others; waits until that is possible. */
export type Readers = (crawl: string) => Promise<{ readonly read: ReadAsked; leave(): void }>;

export interface WorkerOptions {
  readonly place: QueuePlace;
  readonly reader: Readers;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Requests at once. */
  readonly lanes: number;
  readonly jobMs: number;
  readonly jobBytes: number;
  /** After how long a request of a dead worker moves on. */
  readonly leaseMs?: number;
  readonly waits?: QueueWaits;
}

export interface RunningWorker {
  /** Its state and counts. */
  facts(): {
    readonly isConnected: boolean;
    readonly active: number;
    readonly done: number;
    readonly failed: number;
  };
  /** Takes nothing more, and ends what it has begun. */
  close(): Promise<void>;
}

const LEASE_MS = 15_000;
const CLOSE_MS = 2_000;
const ID_BYTES = 12;
/** How many workers a page may end: most of them were killed by something else. */
const MAX_WORKERS_ENDED = 3;
/** Jobs that are remembered, so as not to be done again when they are replayed. */
const MAX_DONE = 20_000;

/** How long a worker whose browser does not start takes nothing: each time twice as long. */
const REST_MS = 2_000;
const MAX_REST_MS = 300_000;
/** When another worker may take what it has put back. */
const PUT_BACK_MS = 1_000;

async function connect({ place, waits, logger }: WorkerOptions) {
  const key = QueueKey.read(place);
  const connection = await QueueConnection.open(place, waits);
  const { strangers } = compatible(await connection.workers(), key);
  if (strangers > 0) logger.warn({}, otherKey(strangers));
  return { key, connection };
}

/** Takes requests from the queue, once Redis is there. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { logger, lanes, jobMs, leaseMs = LEASE_MS } = options;
  const { key, connection } = await connect(options);
  const { redis } = connection;
  const counts = { active: 0, done: 0, failed: 0 };
  const done = new BoundedMap<string, true>(MAX_DONE);
  let restMs = REST_MS;
  let resting: ReturnType<typeof setTimeout> | undefined;
  /** Takes nothing for a while, since its browser does not start. */
  const rest = (): void => {
    if (resting !== undefined) return;
    void worker.pause(true);
    resting = setTimeout(() => {
      resting = undefined;
      void worker.resume();
    }, restMs);
    restMs = Math.min(2 * restMs, MAX_REST_MS);
  };
  const id = randomBytes(ID_BYTES).toString('hex');
  const leave = (): Promise<unknown> => redis.multi().srem(KEYS.workers, id).del(KEYS.worker(id)).exec();
  const work = async (job: Job, token?: string): Promise<void> => {
    counts.active += 1;
    try {
      await perform(job, { ...options, connection, token, key, done });
      counts.done += 1;
      restMs = REST_MS;
    } catch (thrown) {
      if (thrown instanceof DelayedError) throw thrown;
      if (toSpillwayError(thrown).code === 'browser_launch_failed') {
        logger.warn({ err: thrown }, 'the worker has no browser, and rests');
        rest();
        await waitAtMost(leave(), CLOSE_MS);
        await job.moveToDelayed(Date.now() + PUT_BACK_MS, token);
        throw new DelayedError();
      }
      counts.failed += 1;
      throw thrown;
    } finally {
      counts.active -= 1;
    }
  };
  const worker = new Worker(queueName(key), work, {
    connection: redis,
    concurrency: lanes,
    lockDuration: leaseMs,
    stalledInterval: leaseMs,
    maxStalledCount: MAX_WORKERS_ENDED,
    // When nothing waits: a delayed page is not late by more.
    drainDelay: 1,
    runRetryDelay: 1_000,
  });
  // Once for each time that Redis is away, which ioredis reports twice a second.
  let isDisturbed = false;
  worker.on('error', (error) => {
    if (!isDisturbed) logger.warn({ err: error }, 'the queue is disturbed');
    isDisturbed = redis.status !== 'ready';
  });
  worker.on('stalled', (id) => logger.warn({ id }, 'a page of a worker that has gone moves on'));
  const beat = (): void => {
    if (resting !== undefined) return;
    const { active } = counts;
    const facts = JSON.stringify({ wire: QUEUE_WIRE, version: VERSION, lanes, active, key: key.name });
    redis
      .multi()
      .sadd(KEYS.workers, id)
      .set(KEYS.worker(id), facts, 'EX', BEAT_SECONDS)
      .exec()
      .catch((error: unknown) => logger.debug({ err: error }, 'a sign of life was not sent'));
  };
  beat();
  const beating = setInterval(beat, (BEAT_SECONDS * 1_000) / 3);
  return {
    facts: () => ({ isConnected: redis.status === 'ready', ...counts }),
    async close() {
      clearInterval(beating);
      clearTimeout(resting);
      // Without Redis there is nobody to tell: what was begun moves on to another worker.
      const isAway = redis.status !== 'ready';
      await waitAtMost(worker.close(isAway), isAway ? 0 : jobMs + CLOSE_MS);
      if (!isAway) await waitAtMost(leave(), CLOSE_MS);
      connection.close();
    },
  };
}

type Performing = WorkerOptions & {
  readonly connection: QueueConnection;
  readonly token: string | undefined;
  readonly key: QueueKey;
  /** By id and time. */
  readonly done: BoundedMap<string, true>;
};

/** Nothing of a job counts before its signature, and then each field is judged as if it were an agent's. */
async function perform(job: Job, { connection, token, key, done, ...options }: Performing): Promise<void> {
  const opened = await openJob(key, job);
  if (opened === null || job.id === undefined)
    throw new UnrecoverableError('No home with the key of this worker asked for it.');
  const { asked: value, at, home } = opened;
  const once = `${job.id} ${at}`;
  if (done.has(once)) return options.logger.warn({ id: job.id }, 'a job that was done is not done again');
  const asked = Asked.safeParse(value).data;
  if (asked === undefined) throw new UnrecoverableError('The request is malformed.');
  const reader = await options.reader(asked.crawl);
  try {
    const turn = { job, asked, connection, token, pageMs: options.jobMs };
    const answer = await inTurn(turn, () => readJob(asked, reader.read, options));
    const answered = await options.redactor.large(JsonRecord.parse({ at, answer }));
    const packed = await key.seal(['answer', job.id], await pack(answered));
    await connection.answer(job.id, home, packed);
    done.set(once, true);
  } finally {
    reader.leave();
  }
}

/** A failure is an answer: it is about the page, and another worker would have the same one. */
async function readJob(
  asked: Asked,
  perform: ReadAsked,
  { jobMs, jobBytes }: Pick<WorkerOptions, 'jobMs' | 'jobBytes'>,
): Promise<Answer> {
  const { href } = asked;
  const refused = new AddressGuard(asked.allow_private ? [href] : []).refuse(href);
  if (refused !== null) return buildUnkept(asked, refused);
  const late = (): SpillwayError =>
    new SpillwayError('timeout', `The worker gives a page ${Math.round(jobMs / 1_000)} s.`);
  const { signal, release } = deadlineSignal(jobMs, late);
  try {
    const bounded = { ...asked, max_bytes: Math.min(asked.max_bytes, jobBytes) };
    const answer = await abortable(perform(bounded, signal), signal);
    const address = answer.kind === 'page' ? answer.facts.remote_address : null;
    const unkeptFor = new AddressGuard(asked.keep_private ? [href] : []).refuseAnswer(href, address);
    return unkeptFor === null ? answer : buildUnkept(asked, unkeptFor);
  } catch (thrown) {
    const { code, message } = toSpillwayError(thrown);
    // Its own browser has gone: another worker may have one.
    if (code === 'browser_disconnected' || code === 'browser_launch_failed') throw thrown;
    return { kind: 'failed', code: code === 'timeout' ? 'response_timeout' : code, message };
  } finally {
    release();
  }
}

const buildUnkept = (
  { kind, href }: Asked,
  error: { readonly code: string; readonly message: string },
): Answer =>
  kind === 'page'
    ? { kind, ...emptyPage(href, error), links: [], content: '' }
    : { kind: 'failed', ...error };

/**
 * Answers HTTP on a private socket: 200 while Redis is connected, 503 otherwise. Replaces a socket that a killed
 * worker left.
 * @returns a function that ends it
 */
export async function serveHealth(path: string, worker: RunningWorker): Promise<() => void> {
  const server = createServer((_request, response) => {
    const facts = worker.facts();
    response.writeHead(facts.isConnected ? 200 : 503, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify({ version: VERSION, ...facts })}\n`);
  });
  rmSync(path, { force: true });
  // The socket is never open to others, not even for a moment.
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  chmodSync(path, 0o600);
  server.unref();
  return () => void server.close();
}
