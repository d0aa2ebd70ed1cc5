import type { NavigationEvent, NavigationSource } from '../navigation/events.ts';
import { browserEvents } from '../navigation/browser-events.ts';

/** How far the tab has come with leaving its page. */
export type NavigationState = 'none' | 'started' | 'committed' | 'ready' | 'loaded' | 'failed';

interface Request {
  readonly url: string;
  readonly beganAt: number;
  /** The page handles its answer. What else a new page needs is part of its loading. */
  readonly isHandled: boolean;
  isLongLived: boolean;
  /** The act caused it, though its address may look like polling. */
  isCaused: boolean;
  hasEnded: boolean;
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/**
 * What an act sets off in its tab: requests and navigations. A request that is made again while one to the
 * same address was pending before the act belongs to the page's own polling, and nobody waits for it.
 */
export class ActTraffic {
  readonly #tabId: number;
  readonly #polled: ReadonlySet<string>;
  readonly #requests = new Map<string, Request>();
  readonly #stop: () => void;
  #waiting: (() => void)[] = [];
  navigation: NavigationState = 'none';
  /** Another document has taken the place of the one in which the act began. */
  hasCommitted = false;
  /** When an answer that the document that is there now has to handle came last. */
  endedAt = -Infinity;
  /** When a request that is waited for began or ended last. */
  changedAt = -Infinity;
  /** The address within the page has changed. */
  hasRouted = false;
  isClosed = false;

  constructor(
    tabId: number,
    {
      pending,
      source = browserEvents,
    }: { readonly pending: readonly string[]; readonly source?: NavigationSource },
  ) {
    this.#tabId = tabId;
    this.#polled = new Set(pending.map(withoutQuery));
    this.#stop = source((event) => this.#take(event));
  }

  /** Addresses of requests that began since, and that a page waits for. */
  get pending(): readonly string[] {
    return [...this.#requests.values()]
      .filter((request) => !request.hasEnded && this.#isAwaited(request))
      .map(({ url }) => url);
  }

  #isAwaited({ url, isLongLived, isCaused }: Request): boolean {
    return !isLongLived && (isCaused || !this.#polled.has(withoutQuery(url)));
  }

  /** Counts what began since a time as caused by the act, also where its address looks like polling. */
  claim(since: number): void {
    for (const request of this.#requests.values()) if (request.beganAt >= since) request.isCaused = true;
  }

  /** All that began since, also what nobody waits for. */
  get count(): number {
    return this.#requests.size;
  }

  get isNavigating(): boolean {
    return this.navigation === 'started' || this.navigation === 'committed' || this.navigation === 'ready';
  }

  /** Stops waiting for the requests to a URL: their responses are saved to a file. */
  leaveOut(url: string): void {
    for (const request of this.#requests.values())
      if (request.url === withoutFragment(url)) request.isLongLived = true;
    this.#wake();
  }

  /** Resolves with the next event of the tab. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop(): void {
    this.#stop();
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #take(event: NavigationEvent): void {
    if (event.tabId !== this.#tabId) return;
    this.#record(event);
    this.#wake();
  }

  #record(event: NavigationEvent): void {
    switch (event.type) {
      case 'request': {
        const { id, url, main, isData = false, longLived: isLongLived } = event;
        const beganAt = performance.now();
        const isHandled = !main && (isData || !this.hasCommitted);
        const request = { url, beganAt, isHandled, isLongLived, isCaused: false, hasEnded: false };
        this.#requests.set(id, request);
        this.#note(request);
        if (event.main && !this.isNavigating) this.navigation = 'started';
        return;
      }
      case 'response': {
        const request = this.#requests.get(event.id);
        if (request !== undefined && event.longLived) request.isLongLived = true;
        return;
      }
      case 'request_ended': {
        const request = this.#requests.get(event.id);
        if (request === undefined) return;
        request.hasEnded = true;
        this.#note(request);
        if (request.isHandled && this.#isAwaited(request)) this.endedAt = performance.now();
        return;
      }
      default:
        return this.#navigate(event.type);
    }
  }

  #note(request: Request): void {
    if (this.#isAwaited(request)) this.changedAt = performance.now();
  }

  #navigate(type: NavigationEvent['type']): void {
    if (type === 'started') this.navigation = 'started';
    else if (type === 'committed') {
      this.navigation = 'committed';
      this.hasCommitted = true;
      this.endedAt = -Infinity;
    } else if (type === 'same_document') this.hasRouted = true;
    else if (type === 'tab_removed') this.isClosed = true;
    // The page from which the act began may still be loading.
    else if (this.isNavigating) this.#advance(type);
  }

  #advance(type: NavigationEvent['type']): void {
    if (type === 'dom_content_loaded') this.navigation = 'ready';
    else if (type === 'failed') this.navigation = 'failed';
    // A page that comes back from the back/forward cache says only that its tab is complete.
    else if (type === 'loaded' || (type === 'tab_complete' && this.navigation !== 'started'))
      this.navigation = 'loaded';
  }
}
