import { BoundedMap, valueIn } from '../../../shared/base/maps.ts';
import { Holds } from '../holds.ts';
import { browserEvents, isIcon, type FailedLoad, type NavigationEvent } from './browser-events.ts';

/** A request open for this long is a persistent connection, such as a long poll. */
export const LONG_LIVED_AFTER_MS = 10_000;

interface Request {
  readonly url: string;
  readonly startedAt: number;
  /** Order among all events, to distinguish the old document's requests from the new one's. */
  readonly order: number;
  longLived: boolean;
}

/** The pending requests of a tab, all frames. */
export class PendingRequests {
  readonly #requests = new Map<string, Request>();
  /** When each frame without its new document requested that: the request ends before the document is parsed. */
  readonly #frames = new Map<number, number>();
  #order = 0;

  add(id: string, url: string, longLived: boolean): void {
    this.#requests.set(id, { url, longLived, startedAt: performance.now(), order: ++this.#order });
  }

  addFrame(frameId: number): void {
    this.#frames.set(frameId, performance.now());
  }

  endFrame(frameId: number): void {
    this.#frames.delete(frameId);
  }

  markLongLived(id: string): void {
    const request = this.#requests.get(id);
    if (request !== undefined) request.longLived = true;
  }

  end(id: string): void {
    this.#requests.delete(id);
  }

  isPending(id: string): boolean {
    return this.#requests.has(id);
  }

  /** A point in the order of events, for {@link dropBefore}. */
  mark(): number {
    return ++this.#order;
  }

  /** Forgets requests before `mark`, except `keep`: they belonged to the previous document. */
  dropBefore(mark: number, keep: string | null): void {
    for (const [id, { order }] of this.#requests) if (order < mark && id !== keep) this.#requests.delete(id);
    this.#frames.clear();
  }

  /** The requests that count, and milliseconds until the oldest of them no longer does. */
  counting(): {
    readonly ids: readonly string[];
    readonly urls: readonly string[];
    /** Frames that wait for their documents. */
    readonly frames: number;
    readonly nextChangeMs: number;
  } {
    const now = performance.now();
    const counting = [...this.#requests].filter(
      ([, { longLived, startedAt }]) => !longLived && now - startedAt < LONG_LIVED_AFTER_MS,
    );
    const oldest = Math.min(...counting.map(([, { startedAt }]) => startedAt));
    return {
      ids: counting.map(([id]) => id),
      urls: counting.map(([, { url }]) => url),
      frames: [...this.#frames.values()].filter((since) => now - since < LONG_LIVED_AFTER_MS).length,
      nextChangeMs: oldest + LONG_LIVED_AFTER_MS - now,
    };
  }
}

/** Failed loads that are kept of a tab, the newest, and such tabs. */
const MAX_FAILED = 50;
/** A page was left, or cancelled the load: nothing is wrong. */
const CANCELLED = 'net::ERR_ABORTED';

/** How long a tab's requests are followed after a navigation: a page is usually read right after it. */
const LINGER_MS = 15_000;

interface Traffic {
  readonly requests: PendingRequests;
  /** The last main document's request, and the position of its response in the order of events. */
  main: { readonly id: string; responseMark: number | null } | null;
  /** When a request last began or ended, by `performance.now()`. */
  lastAt: number;
}

/**
 * The pending requests in each tab. The browser does not report earlier ones, so they are followed from a navigation
 * on, and while somebody waits.
 */
export class TabRequests {
  readonly #tabs = new Map<number, Traffic>();
  readonly #failed = new BoundedMap<number, FailedLoad[]>(MAX_FAILED);
  #since = 0;
  readonly #listening = new Holds<'all', () => void>({ lingerMs: LINGER_MS, close: (stop) => stop() });

  /** @param keepsFailed whether failed loads of a tab are kept for {@link takeFailed} */
  constructor(private readonly keepsFailed: (tabId: number) => boolean = () => false) {}

  /** Follows requests until the returned function is called, and {@link LINGER_MS} longer. */
  hold(): () => void {
    return this.#listening.hold('all', this.#listening.get('all') ?? this.#listen());
  }

  /** A tab's pending requests, and for how many milliseconds none has begun or ended. */
  of(tabId: number): {
    readonly ids: readonly string[];
    readonly urls: readonly string[];
    /** Frames that wait for their documents. */
    readonly frames: number;
    readonly quietMs: number;
  } {
    const traffic = this.#tabs.get(tabId);
    const { ids, urls, frames } = traffic?.requests.counting() ?? { ids: [], urls: [], frames: 0 };
    return { ids, urls, frames, quietMs: performance.now() - (traffic?.lastAt ?? this.#since) };
  }

  /** The failed loads of a tab, once, oldest first. */
  takeFailed(tabId: number): readonly FailedLoad[] {
    const failed = this.#failed.get(tabId) ?? [];
    this.#failed.delete(tabId);
    return failed;
  }

  #keepFailed(tabId: number, load: FailedLoad): void {
    const isNoise = ('error' in load && load.error === CANCELLED) || isIcon(load.url);
    if (isNoise || !this.keepsFailed(tabId)) return;
    this.#failed.set(tabId, [...(this.#failed.get(tabId) ?? []), load].slice(-MAX_FAILED));
  }

  #listen(): () => void {
    this.#since = performance.now();
    const stop = browserEvents((event) => this.#take(event));
    return () => {
      stop();
      this.#tabs.clear();
    };
  }

  #take(event: NavigationEvent): void {
    if (event.type === 'tab_removed') this.#tabs.delete(event.tabId);
    else if (isRecorded(event)) record(this.#trafficOf(event.tabId), event);
    if (event.type === 'request_ended' && event.failed !== undefined)
      this.#keepFailed(event.tabId, event.failed);
  }

  #trafficOf(tabId: number): Traffic {
    return valueIn(this.#tabs, tabId, () => ({ requests: new PendingRequests(), main: null, lastAt: 0 }));
  }
}

type Recorded = Extract<
  NavigationEvent,
  { type: 'request' | 'response' | 'request_ended' | 'committed' | 'frame_arrived' }
>;

const RECORDED: ReadonlySet<string> = new Set<Recorded['type']>([
  'request',
  'response',
  'request_ended',
  'committed',
  'frame_arrived',
]);
const isRecorded = (event: NavigationEvent): event is Recorded => RECORDED.has(event.type);

function recordRequest(traffic: Traffic, event: Extract<Recorded, { type: 'request' }>): void {
  if (event.main) traffic.main = { id: event.id, responseMark: null };
  else if (event.frame === true && event.frameId !== undefined) traffic.requests.addFrame(event.frameId);
  traffic.requests.add(event.id, event.url, event.longLived);
}

function record(traffic: Traffic, event: Recorded): void {
  const { requests, main } = traffic;
  if (event.type !== 'frame_arrived') traffic.lastAt = performance.now();
  switch (event.type) {
    case 'request':
      return recordRequest(traffic, event);
    case 'response':
      if (event.longLived) requests.markLongLived(event.id);
      if (main?.id === event.id) main.responseMark = requests.mark();
      return;
    case 'request_ended':
      return requests.end(event.id);
    case 'frame_arrived':
      return requests.endFrame(event.frameId);
    case 'committed':
      // The browser may keep a left page with its requests, for a person's return.
      return requests.dropBefore(main?.responseMark ?? requests.mark(), main?.id ?? null);
  }
}
