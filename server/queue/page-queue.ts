import { randomBytes } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import type { ServerRules } from '../../shared/people/policy.ts';
import { ServerPolicy } from '../../shared/people/evaluate.ts';
import { parseUrl } from '../../shared/base/private-address.ts';
import { siteOf } from '../../shared/core/policy/sites.ts';
import { cutUrl } from '../../shared/base/cut.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { VERSION } from '../../shared/base/version.ts';
import { Listeners } from '../../shared/base/queue.ts';
import { defer, delay, waitAtMost } from '../../shared/base/async.ts';
import type { RunWorkers } from '../core/runs.ts';
import type { Clock, Logger, Redactor } from '../core/services.ts';
import type { CleanText } from '../libraries/redaction/clean.ts';
import { BoundedMap } from '../../shared/base/maps.ts';
import { emptyPage, type HopSource, type PageQueue, type SourceNote } from '../crawl/source.ts';
import {
  compatible,
  otherKey,
  QueueConnection,
  type QueuePlace,
  type QueueWaits,
  WAITS,
} from './connection.ts';
import { QueueKey } from './key.ts';
import {
  ANSWER_SECONDS,
  answerBytes,
  Answered,
  type Answer,
  Asked,
  failureOf,
  idOf,
  JOB,
  KEYS,
  queueName,
  signJob,
  unpackAs,
} from './wire.ts';

interface PageQueueOptions {
  readonly place: QueuePlace;
  readonly redactor: Redactor;
  readonly sites: ServerRules | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly waits?: QueueWaits;
  /** Ends its wait for the first connection. */
  readonly signal?: AbortSignal;
}

const CLOSE_MS = 1_000;

/**
 * Has workers read the pages of a home's crawls.
 * @throws SpillwayError `queue_unavailable`, `invalid_argument`
 */
export async function createPageQueue(
  options: PageQueueOptions,
): Promise<PageQueue & { close(): Promise<void> }> {
  const { place, waits = WAITS } = options;
  const key = await QueueKey.ofHome(place);
  const requests = new Requests(
    { ...options, waits },
    await QueueConnection.open(place, waits, options.signal),
    key,
  );
  const { redactor, sites } = options;
  const policy = sites === null ? null : new ServerPolicy(sites);
  const refuse: Refuse = (href) => {
    const clean: CleanText = redactor.text(href);
    const shown = cutUrl(clean, 300);
    if (policy?.judge(siteOf(href)).effect === 'deny')
      return { code: 'policy_denied', message: `The flags of the server deny ${shown}.` };
    if (clean === href) return null;
    return { code: 'url_not_allowed', message: `${shown} contains a secret, which no queue receives.` };
  };
  return {
    hops: (pages) => hopsOf({ ...pages, requests, refuse }),
    close: () => requests.close(),
  };
}

type Pages = Parameters<PageQueue['hops']>[0];
/** Why an address is not sent to a worker, or null. */
type Refuse = (href: string) => { readonly code: string; readonly message: string } | null;

function hopsOf(pages: Pages & { readonly requests: Requests; readonly refuse: Refuse }): HopSource {
  const { crawl, guard, requests, refuse, render, format, mainContentOnly, extract = null } = pages;
  const slow = new SlowHosts();
  let stopNotes = (): void => undefined;
  let delayOf = (_href: string): number => 0;
  const common = (href: string) => ({
    crawl,
    href,
    allow_private: guard.allowsPrivate,
    keep_private: guard.keepsPrivate(href),
  });
  return {
    async hop(href, signal) {
      const refused = refuse(href);
      if (refused !== null) return emptyPage(href, refused);
      const answer = await requests.ask(
        {
          kind: 'page',
          ...common(href),
          max_bytes: LIMITS.crawlPageBytes,
          delay_ms: delayOf(href),
          render,
          format,
          main_content_only: mainContentOnly,
          extract,
        },
        signal,
      );
      if (answer.kind !== 'page') return emptyPage(href, failureIn(answer));
      const { facts } = answer;
      slow.add(href, facts.timing.fetch_ms);
      const wrong = guard.refuse(facts.final_url);
      if (wrong !== null) return emptyPage(href, wrong);
      return { ...answer, facts: { ...facts, error: facts.error && failureOf(facts.error) } };
    },
    async resource({ href, maxBytes, signal }) {
      const refused = refuse(href);
      if (refused !== null) throw new SpillwayError('policy_denied', refused.message);
      const asked = { kind: 'resource', ...common(href), max_bytes: maxBytes } as const;
      const answer = await requests.ask(asked, signal);
      if (answer.kind !== 'resource') {
        const { code, message } = failureIn(answer);
        throw new SpillwayError(code, message, { quotes: href });
      }
      const { facts, text } = answer;
      // A redirect may have led to a site that the flags deny.
      const denied = guard.refuse(facts.final_url) ?? refuse(facts.final_url);
      const error = denied ?? (facts.error && failureOf(facts.error));
      return { text: denied === null ? text : '', facts: { ...facts, error } };
    },
    paceBy: (pace) => void (delayOf = pace),
    onNote(listener) {
      stopNotes = requests.noted.add(({ workers, ...note }) =>
        listener(workers === undefined ? note : { workers: { ...workers, slowest: slow.slowest() } }),
      );
    },
    // Workers close their own tabs.
    release: () => Promise.resolve(stopNotes()),
  };
}

const MAX_HOSTS = 1_000;
const SHOWN_HOSTS = 3;

/** How long the latest hosts of a crawl take to answer. */
class SlowHosts {
  readonly #hosts = new BoundedMap<string, { readonly pages: number; readonly ms: number }>(MAX_HOSTS);

  add(href: string, ms: number): void {
    const host = parseUrl(href)?.host ?? '';
    const known = this.#hosts.get(host) ?? { pages: 0, ms: 0 };
    this.#hosts.set(host, { pages: known.pages + 1, ms: known.ms + ms });
  }

  slowest(): RunWorkers['slowest'] {
    return [...this.#hosts]
      .map(([host, { pages, ms }]) => ({ host, mean_ms: Math.round(ms / pages) }))
      .toSorted((one, other) => other.mean_ms - one.mean_ms)
      .slice(0, SHOWN_HOSTS);
  }
}

const failureIn = (answer: Answer): ReturnType<typeof failureOf> =>
  failureOf(answer.kind === 'failed' ? answer : { code: '', message: 'A worker answered something else.' });

const MAX_TAKEN = 20_000;
/** How long the home listens at once. */
const LISTEN_SECONDS = 5;

/** Requests in the queue of this version, and their answers. */
class Requests {
  readonly queue: Queue;
  /** This home, as workers know it. */
  readonly #home = randomBytes(8).toString('hex');
  readonly #reader: Redis;
  #isClosed = false;
  readonly #waiting = new Set<{ readonly id: string; woken: ReturnType<typeof defer<void>> }>();
  #loneSinceMs: number | null = null;
  note: SourceNote = {};
  /** Reports the workers of the queue. */
  readonly noted = new Listeners<SourceNote>();
  readonly #looking: ReturnType<typeof setInterval>;
  /** When the request was made whose answer was taken, by its id: an older answer is a replay. */
  readonly #taken = new BoundedMap<string, number>(MAX_TAKEN);

  constructor(
    private readonly options: PageQueueOptions & { readonly waits: QueueWaits },
    readonly connection: QueueConnection,
    readonly key: QueueKey,
  ) {
    const { logger, waits } = options;
    const { redis } = connection;
    const name = queueName(key);
    this.queue = new Queue(name, { connection: redis, streams: { events: { maxLen: 1 } } });
    this.#reader = redis.duplicate();
    const note = (error: Error): void => logger.debug({ err: error }, 'the queue is disturbed');
    this.queue.on('error', note);
    this.#reader.on('error', note);
    void this.#listen(note);
    const look = (): void => void this.#look().catch(note);
    look();
    this.#looking = setInterval(look, waits.lookMs).unref();
  }

  /** @throws SpillwayError `queue_unavailable`, `no_worker`, or the signal's reason */
  async ask(given: Asked, signal: AbortSignal): Promise<Answer> {
    const asked = Asked.parse(given);
    const id = idOf(asked);
    try {
      for (;;) {
        const kept = (await this.#take(id, asked, signal)) ?? (await this.#awaitAnswer(id, asked, signal));
        if (kept !== null) return kept;
      }
    } catch (thrown) {
      // Nobody waits for the page any more: a worker need not begin it.
      if (signal.aborted) this.queue.remove(id).catch(() => undefined);
      throw thrown;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    // BullMQ never ends if Redis goes while it closes.
    await waitAtMost(this.queue.close(), CLOSE_MS);
    this.#reader.disconnect();
    this.connection.close();
  }

  /** Hears of answers. One that is missed is found at the next look. */
  async #listen(note: (error: Error) => void): Promise<void> {
    while (!this.#isClosed) {
      try {
        const [, id] = (await this.#reader.blpop(KEYS.answered(this.#home), LISTEN_SECONDS)) ?? [];
        for (const one of this.#waiting) if (one.id === id) one.woken.resolve();
      } catch (thrown) {
        note(toSpillwayError(thrown));
        await delay(this.options.waits.lookMs);
      }
    }
  }

  /** Null if Redis has lost the request or its answer. */
  async #awaitAnswer(id: string, asked: Asked, signal: AbortSignal): Promise<Answer | null> {
    const waiter = { id, woken: defer<void>() };
    this.#waiting.add(waiter);
    try {
      // A page that throws twice, on two workers if there are, has an error.
      const job = { ...JOB, attempts: 2, jobId: id };
      const at = Math.max(this.options.clock.now(), (this.#taken.get(id) ?? 0) + 1);
      const signed = await signJob(this.key, id, { at, home: this.#home, asked });
      await this.connection.write(() => this.queue.add(asked.kind, signed, job), signal);
      for (;;) {
        await waitAtMost(waiter.woken.promise, this.options.waits.lookMs, signal);
        waiter.woken = defer();
        const answer = (await this.#take(id, asked, signal)) ?? (await this.#failure(id, signal));
        if (answer !== 'pending') return answer;
        this.expectWorker();
      }
    } finally {
      this.#waiting.delete(waiter);
    }
  }

  /** Null also for an answer of anyone else, for another request, or from before. */
  async #take(id: string, asked: Asked, signal: AbortSignal): Promise<Answer | null> {
    const sealed = await this.connection.take(KEYS.answer(id), answerBytes(asked), signal);
    if (sealed === null) return null;
    const answered = await unpackAs(Answered, await this.key.unseal(['answer', id], sealed));
    const since = this.options.clock.now() - ANSWER_SECONDS * 1_000;
    if (answered === null || answered.at <= (this.#taken.get(id) ?? since)) {
      this.options.logger.warn({ id }, 'an answer in the queue was refused');
      return null;
    }
    this.#taken.set(id, answered.at);
    return answered.answer;
  }

  async #failure(id: string, signal: AbortSignal): Promise<Answer | 'pending' | null> {
    const state = await this.connection.ask(this.queue.getJobState(id), signal);
    if (state !== 'failed') return state === 'completed' || state === 'unknown' ? null : 'pending';
    await this.connection.ask(this.queue.remove(id), signal);
    // The reason in Redis may be anyone's.
    const message = 'Workers failed to read the page; their logs say why.';
    return { kind: 'failed', code: 'page_crashed', message };
  }

  /** Asks for the workers of the queue, and reports them to the crawls. */
  async #look(): Promise<void> {
    const { clock, logger } = this.options;
    const { own, lanes, ...others } = compatible(await this.connection.workers(), this.key);
    this.#loneSinceMs = own.length > 0 ? null : (this.#loneSinceMs ?? clock.monotonic());
    const message = own.length > 0 ? undefined : whyAlone(others);
    if (message !== undefined && message !== this.note.message) logger.warn({}, message);
    this.note = message === undefined ? { workers: { count: own.length, lanes, slowest: [] } } : { message };
    this.noted.notify(this.note);
  }

  /** @throws SpillwayError `no_worker` if there has been none for long */
  expectWorker(): void {
    const { clock, waits } = this.options;
    if (this.#loneSinceMs === null || clock.monotonic() - this.#loneSinceMs < waits.noWorkerMs) return;
    throw new SpillwayError('no_worker', `${this.note.message ?? ''}.`);
  }
}

function whyAlone({
  others,
  strangers,
}: Pick<ReturnType<typeof compatible>, 'others' | 'strangers'>): string {
  if (strangers > 0) return otherKey(strangers);
  if (others.length === 0) return 'No worker has taken a page';
  return `The workers are of Spillway ${others.join(', ')}, with another version of the queue; this is ${VERSION}`;
}
