import { Queue, QueueEvents } from 'bullmq';
import { isErrorCode, SpillwayError } from '../../shared/errors.ts';
import type { ServerRules } from '../../shared/policy/policy.ts';
import { ServerPolicy } from '../../shared/policy/evaluate.ts';
import { parseUrl } from '../../shared/private-address.ts';
import { siteOf } from '../../shared/policy/sites.ts';
import { cutUrl } from '../../shared/cut.ts';
import { LIMITS } from '../../shared/limits.ts';
import { VERSION } from '../../shared/version.ts';
import { each, Listeners } from '../../shared/queue.ts';
import { deferred, waitAtMost } from '../../shared/async.ts';
import type { RunWorkers } from '../core/runs.ts';
import type { Clock, Logger, Redactor } from '../core/services.ts';
import type { CleanText } from '../redact/clean.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { emptyPage, type HopSource, type PageQueue, type SourceNote } from '../toolkit/crawl-source.ts';
import type { RunQueue } from '../toolkit/programs/elsewhere.ts';
import { compatible, QueueConnection, type QueuePlace, type QueueWaits, WAITS } from './connection.ts';
import { runOnWorkers } from './run-queue.ts';
import { type Answer, Asked, idOf, JOB, KEYS, QUEUE_NAME, unpack } from './wire.ts';

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
 * Has workers read the pages of a home's crawls, and execute its private programs.
 * @throws SpillwayError `queue_unavailable`, `invalid_argument`
 */
export async function createPageQueue(
  options: PageQueueOptions,
): Promise<PageQueue & RunQueue & { close(): Promise<void> }> {
  const { place, waits = WAITS } = options;
  const requests = new Requests(
    { ...options, waits },
    await QueueConnection.open(place, waits, options.signal),
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
    run: (program, scope, known) => runOnWorkers(program, scope, known, { requests, redactor, sites }),
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
      if (answer.kind === 'page') {
        slow.add(href, answer.facts.timing.fetch_ms);
        return answer;
      }
      return emptyPage(href, failureOf(answer));
    },
    async resource({ href, maxBytes, signal }, use) {
      const refused = refuse(href);
      if (refused !== null) throw new SpillwayError('policy_denied', refused.message);
      const asked = { kind: 'resource', ...common(href), max_bytes: maxBytes } as const;
      const answer = await requests.ask(asked, signal);
      if (answer.kind !== 'resource') {
        const { code, message } = failureOf(answer);
        throw new SpillwayError(isErrorCode(code) ? code : 'page_crashed', message);
      }
      const { facts, text } = answer;
      // A redirect may have led to a site that the flags deny.
      const denied = refuse(facts.final_url);
      const done = denied === null ? facts : { ...facts, error: denied };
      return use({ chunks: each(denied === null ? [text] : []), done: Promise.resolve(done) });
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

const MOST_HOSTS = 1_000;
const SHOWN_HOSTS = 3;

/** How long the latest hosts of a crawl take to answer. */
class SlowHosts {
  readonly #hosts = new BoundedMap<string, { readonly pages: number; readonly ms: number }>(MOST_HOSTS);

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

function failureOf(answer: Answer): { readonly code: string; readonly message: string } {
  if (answer.kind !== 'failed') return { code: 'page_crashed', message: 'A worker answered something else.' };
  const { code, message } = answer;
  return { code, message };
}

/** Requests in the queue of this version, and their answers. */
class Requests {
  readonly queue: Queue;
  readonly #events: QueueEvents;
  readonly #waiting = new Set<{ readonly id: string; woken: ReturnType<typeof deferred<void>> }>();
  #loneSinceMs: number | null = null;
  note: SourceNote = {};
  /** Tells who is there. */
  readonly noted = new Listeners<SourceNote>();
  readonly #looking: ReturnType<typeof setInterval>;

  constructor(
    private readonly options: PageQueueOptions & { readonly waits: QueueWaits },
    readonly connection: QueueConnection,
  ) {
    const { logger, waits } = options;
    const { redis } = connection;
    this.queue = new Queue(QUEUE_NAME, { connection: redis, streams: { events: { maxLen: 1_000 } } });
    this.#events = new QueueEvents(QUEUE_NAME, { connection: redis, lastEventId: '0' });
    const note = (error: Error): void => logger.debug({ err: error }, 'the queue is disturbed');
    this.queue.on('error', note);
    this.#events.on('error', note);
    const wake = ({ jobId }: { readonly jobId: string }): void => {
      for (const one of this.#waiting) if (one.id === jobId) one.woken.resolve();
    };
    this.#events.on('completed', wake);
    this.#events.on('failed', wake);
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
        const kept = (await this.#take(id, signal)) ?? (await this.#answered(id, asked, signal));
        if (kept !== null) return kept;
      }
    } catch (thrown) {
      // Nobody waits for the page any more: a worker need not begin it.
      if (signal.aborted) this.queue.remove(id).catch(() => undefined);
      throw thrown;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    // BullMQ never ends if Redis goes while it closes.
    await waitAtMost(Promise.allSettled([this.#events.close(), this.queue.close()]), CLOSE_MS);
    this.connection.close();
  }

  /** Null if Redis has lost the request or its answer. */
  async #answered(id: string, asked: Asked, signal: AbortSignal): Promise<Answer | null> {
    const waiter = { id, woken: deferred<void>() };
    this.#waiting.add(waiter);
    try {
      // A page that throws twice, on two workers if there are, has an error.
      const job = { ...JOB, attempts: 2, jobId: id };
      await this.connection.write(() => this.queue.add(asked.kind, asked, job), signal);
      for (;;) {
        await waitAtMost(waiter.woken.promise, this.options.waits.lookMs, signal);
        waiter.woken = deferred();
        const answer = (await this.#take(id, signal)) ?? (await this.#failure(id, signal));
        if (answer !== 'pending') return answer;
        this.expectWorker();
      }
    } finally {
      this.#waiting.delete(waiter);
    }
  }

  async #take(id: string, signal: AbortSignal): Promise<Answer | null> {
    const packed = await this.connection.ask(this.connection.redis.getdelBuffer(KEYS.answer(id)), signal);
    return packed === null ? null : unpack(packed);
  }

  async #failure(id: string, signal: AbortSignal): Promise<Answer | 'pending' | null> {
    const state = await this.connection.ask(this.queue.getJobState(id), signal);
    if (state !== 'failed') return state === 'completed' || state === 'unknown' ? null : 'pending';
    const job = await this.connection.ask(this.queue.getJob(id), signal);
    await this.connection.ask(this.queue.remove(id), signal);
    const why: CleanText = this.options.redactor.text(job?.failedReason ?? 'unknown');
    return { kind: 'failed', code: 'page_crashed', message: `Workers failed to read the page: ${why}` };
  }

  /** Asks who is there, and tells the crawls. */
  async #look(): Promise<void> {
    const { clock, logger } = this.options;
    const { own, lanes, others } = compatible(await this.connection.workers());
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

const whyAlone = (others: readonly string[]): string =>
  others.length === 0
    ? 'No worker has taken a page'
    : `The workers are of Spillway ${others.join(', ')}, with another version of the queue; this is ${VERSION}`;
