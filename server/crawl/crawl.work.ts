import type { RunScope, RunWorker } from '../core/runs.ts';
import type { Clock } from '../core/services.ts';
import {
  browserHops,
  browserLine,
  emptyPage,
  followHops,
  isOfOnePage,
  startsOf,
  type PageSource,
} from './source.ts';
import { CRAWL_BOUNDS, CrawlArgs, parseAddress } from './address.ts';
import { AddressGuard, expectOnWorkers, expectToCrawl, untilStopped } from './redirects.ts';
import { toSpillwayError } from '../../shared/base/errors.ts';
import type { Outcome } from '../core/result.ts';
import { defer, onAbort, waitAtMost } from '../../shared/base/async.ts';
import { cutUrl } from '../../shared/base/cut.ts';
import type { ClosedSpace } from './spaces.ts';
import type { Entry } from './frontier.ts';
import { Hosts, readRobots, type PageError } from './hosts.ts';
import { Ledger, type Dispatched, type VisitedPage } from './ledger.ts';
import { reportOf, withCrashes } from './item.ts';
import { seedFrontier } from './seed.ts';
import type { ToolServices } from '../core/index.ts';

export interface CrawlParts {
  readonly args: CrawlArgs;
  readonly scope: RunScope;
  readonly source: PageSource;
  readonly clock: Clock;
  readonly random: () => number;
}

/** One crawl, from its first page or from where it stopped. */
export class Crawl {
  readonly #hosts: Hosts;
  readonly #ledger: Ledger;
  /** Ends all pending work, with the run or after a failure. */
  readonly #stop = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  /** Pages that a host asked us to retry. */
  readonly #again = new Map<string, Dispatched>();
  /** Entries of closed spaces, to be removed from the queue. */
  #dropped: { readonly entry: Entry; readonly space: ClosedSpace }[] = [];
  /** Pages that are being requested; the other tasks write. */
  #reading = 0;
  #rank: number;
  /** The time since when no page of the level could be started. */
  #stalledAtMs: number | null = null;
  /** Something has changed since the last step. */
  #woken = defer<void>();
  /** The time of the last step's check: a host that became ready later has not been considered. */
  #steppedAtMs = 0;

  constructor(private readonly parts: CrawlParts) {
    const { args, scope, source, clock, random } = parts;
    this.#ledger = new Ledger(args, scope, clock);
    this.#rank = this.#ledger.tally.rank;
    source.onNote?.((note) => this.#ledger.tell(note));
    this.#hosts = new Hosts({
      delayMs: args.delay_ms,
      concurrency: args.concurrency,
      now: () => clock.monotonic(),
      random,
      readRobots: args.respect_robots ? (origin) => readRobots(source, origin, this.#stop.signal) : null,
      onReady: () => this.#woken.resolve(),
      onFailure: (thrown) => this.#fail(thrown),
      onNote: (note) => this.#ledger.note(note),
    });
    source.paceBy?.((href) => this.#hosts.delayOf(originOf(href)));
  }

  /** A stopped crawl reports its omissions so far. @throws its own failure */
  async run(): Promise<Outcome> {
    const { scope, source, args } = this.parts;
    const stopListening = onAbort(scope.signal, () => this.#fail(scope.signal.reason));
    try {
      await seedFrontier({ ...this.parts, ledger: this.#ledger, signal: this.#stop.signal });
      while (!this.#step()) await this.#pause();
      await this.#ledger.close();
    } catch (thrown) {
      if (!scope.signal.aborted) throw toSpillwayError(thrown);
    } finally {
      stopListening();
      this.#stop.abort();
      await Promise.all([Promise.allSettled(this.#tasks), source.release()]);
    }
    return withCrashes(reportOf(this.#ledger.tally, args), this.#ledger.crashed);
  }

  /** Starts every page that it can; true when the crawl is done. */
  #step(): boolean {
    this.#woken = defer();
    this.#steppedAtMs = this.parts.clock.monotonic();
    const { frontier } = this.#ledger;
    this.#stop.signal.throwIfAborted();
    while (this.#hasRoom()) {
      const entry = frontier.next((href) => this.#hosts.isReady(originOf(href)));
      if (entry !== null) this.#begin(entry);
      else if (this.#mayDescend()) frontier.descend();
      else break;
    }
    this.#drop();
    if (this.#tasks.size > 0 || this.#hosts.loading > 0) return false;
    return this.#room() <= 0 || frontier.isEmpty;
  }

  /** How many more pages may be requested. */
  #room(): number {
    const { tally, crashed } = this.#ledger;
    return crashed.length < CRAWL_BOUNDS.crashes
      ? this.parts.args.max_pages - tally.pages - crashed.length
      : 0;
  }

  #hasRoom(): boolean {
    const { concurrency } = this.parts.args;
    const { frontier, crashed } = this.#ledger;
    return (
      this.#reading < concurrency &&
      frontier.taken.size - crashed.length < concurrency + CRAWL_BOUNDS.writesAtOnce &&
      this.#tasks.size < this.#room()
    );
  }

  /** Levels are read one after another, so that each page has its true depth; but late pages delay none. */
  #mayDescend(): boolean {
    const { frontier } = this.#ledger;
    if (!frontier.hasDeeper) return false;
    const now = this.parts.clock.monotonic();
    const isDone = this.#tasks.size === 0 && frontier.isLevelGivenOut;
    this.#stalledAtMs ??= now;
    if (!isDone && now - this.#stalledAtMs < CRAWL_BOUNDS.levelPatienceMs) return false;
    this.#stalledAtMs = null;
    return true;
  }

  #begin(entry: Entry): void {
    this.#stalledAtMs = null;
    const space = entry.depth === 0 ? null : this.#ledger.spaces.findClosed(entry.href);
    if (space !== null) {
      this.#dropped.push({ entry, space });
      return;
    }
    const { rank, tries } = this.#again.get(entry.key) ?? { rank: ++this.#rank, tries: 0 };
    this.#again.delete(entry.key);
    this.#track(this.#visit({ entry, rank, tries: tries + 1 }));
  }

  /** Work that the end of the crawl waits for. */
  #track(work: Promise<void>): void {
    const task = work
      .catch((thrown: unknown) => this.#fail(thrown))
      .finally(() => {
        this.#tasks.delete(task);
        this.#woken.resolve();
      });
    this.#tasks.add(task);
  }

  async #visit(visit: Dispatched): Promise<void> {
    const { entry } = visit;
    const origin = originOf(entry.href);
    const refusal = this.#hosts.refuse(origin, entry.href);
    if (refusal !== null) {
      await this.#ledger.storeRefused(visit, refusal);
      return;
    }
    const atMs = this.parts.clock.monotonic();
    this.#hosts.noteStarted(origin);
    const read = await this.#read(entry).catch((thrown: unknown) => {
      this.#hosts.left(origin);
      throw thrown;
    });
    const error = this.#hosts.ended(origin, read.page, { atMs, tries: visit.tries });
    if (error === 'again') {
      this.#again.set(entry.key, visit);
      this.#ledger.frontier.release(entry);
      return;
    }
    this.#woken.resolve();
    await this.#ledger.read(visit, { ...read, error });
  }

  async #read(entry: Entry): Promise<Omit<VisitedPage, 'error'>> {
    const { source, clock } = this.parts;
    const fetchedAtMs = clock.now();
    this.#reading += 1;
    try {
      const href = this.#ledger.secrets.reveal(entry);
      const refuse = (to: string): Promise<PageError | null> => this.#refuseRedirect(entry, to);
      return { page: await source.page(href, this.#stop.signal, refuse), href, fetchedAtMs };
    } catch (thrown) {
      if (this.#stop.signal.aborted || !isOfOnePage(thrown)) throw thrown;
      const { code, message } = thrown;
      return { page: emptyPage(entry.href, { code, message }), href: entry.href, fetchedAtMs };
    } finally {
      this.#reading -= 1;
    }
  }

  /** A redirect is followed if a link to the same address would be; a start's redirect may lead anywhere. */
  async #refuseRedirect(entry: Entry, to: string): Promise<PageError | null> {
    const address = parseAddress(to);
    if (address === null) return null;
    if (!this.#ledger.mayFollow(entry, address) && !this.#ledger.scope.admits(address))
      return {
        code: 'redirect_refused',
        message: `It leads to ${cutUrl(address.href, 300)}, which is outside of the crawl.`,
      };
    return this.#hosts.refuseRedirect(address.url.origin, address.href);
  }

  /** Takes entries of closed spaces out of the queue. */
  #drop(): void {
    if (this.#dropped.length === 0) return;
    const dropped = this.#dropped;
    this.#dropped = [];
    this.#track(this.#ledger.dropTrapped(dropped));
  }

  #fail(thrown: unknown): void {
    this.#stop.abort(thrown);
    this.#woken.resolve();
  }

  /** Until something has changed, or a host may be asked again. */
  async #pause(): Promise<void> {
    const now = this.parts.clock.monotonic();
    const stallDeadlineMs =
      this.#stalledAtMs === null ? Infinity : this.#stalledAtMs + CRAWL_BOUNDS.levelPatienceMs;
    const waitMs = Math.max(1, Math.min(this.#hosts.nextReadyAtMs(this.#steppedAtMs), stallDeadlineMs) - now);
    await waitAtMost(this.#woken.promise, waitMs);
  }
}

const ORIGIN = /^https?:\/\/[^/?#]+/;

/** The origin of an address of the frontier, which is normalised. */
const originOf = (href: string): string => ORIGIN.exec(href)?.[0] ?? '';

/** The work of the runs of `crawl`. One that began in a browser, with its sign-ins, stays there. */
export function createWorker(services: Pick<ToolServices, 'bridge' | 'clock' | 'queue'>): RunWorker {
  const { bridge, clock, queue } = services;
  return {
    async admit(stored, by) {
      const args = CrawlArgs.parse(stored);
      if (by.call === null) return;
      if (queue !== null && args.instance === null) return expectOnWorkers(bridge, startsOf(args), by);
      const line = browserLine({ bridge, instance: args.instance });
      await expectToCrawl(bridge, await line.browser(by.signal), startsOf(args), by);
    },
    async run(stored, scope) {
      const args = CrawlArgs.parse(stored);
      const { render, format, main_content_only: mainContentOnly, instance } = args;
      const guard = new AddressGuard(startsOf(args));
      const pages = { crawl: scope.runId, render, format, mainContentOnly };
      const line = browserLine({ bridge, instance, onLost: (event) => scope.log(event, {}) });
      const workers = queue !== null && instance === null ? await queue() : null;
      const hops =
        workers?.hops({ ...pages, guard }) ??
        browserHops({ ...pages, bridge, line, call: scope.call, allowPrivate: guard.allowsPrivate });
      const crawl = (own: RunScope) =>
        new Crawl({ args, scope: own, source: followHops(hops, guard), clock, random: Math.random }).run();
      return workers === null ? crawl(scope) : untilStopped(bridge, scope, crawl);
    },
  };
}
