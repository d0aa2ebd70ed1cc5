import { type NavigationEvent, browserEvents } from '../../core/navigation/browser-events.ts';
import { delay, waitAtMost } from '../../../shared/base/async.ts';
import { withoutFragment } from '../../../shared/base/cut.ts';
import type { Quiet } from '../page/protocol.ts';
import type { Rest } from '../../core/ports/page-answers.ts';
import { unlessReplaced } from '../../core/pages/targets.ts';
import type { ActFrames } from './act-frames.ts';
import type { ActPage } from './act-page.ts';

type NavigationState = 'none' | 'started' | 'committed' | 'ready' | 'loaded' | 'failed';

interface Request {
  readonly url: string;
  /** Where a script's answer arrives; null for anything else. */
  readonly awaited: Answered | null;
  readonly beganAt: number;
  /** The page handles its answer. Other requests of a new page belong to its loading. */
  readonly isHandled: boolean;
  isLongLived: boolean;
  /** The act caused it, though its address may look like polling. */
  isCaused: boolean;
  hasEnded: boolean;
}

interface Answered {
  readonly frameId: number;
  /** Before redirects: the page's own record names that. */
  readonly url: string;
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/**
 * An act's consequences in its tab: requests and navigations. A repeated request to an address that was already pending
 * before the act is the page's own polling, and is not awaited.
 */
export class ActTraffic {
  readonly #polled: ReadonlySet<string>;
  readonly #requests = new Map<string, Request>();
  readonly #stop: () => void;
  #waiting: (() => void)[] = [];
  navigation: NavigationState = 'none';
  hasCommitted = false;
  /** Time of the last answer that the current document has to handle. */
  endedAt = -Infinity;
  /** That answer, if it came for a script. */
  answered: Answered | null = null;
  /** When an awaited request last began or ended. */
  changedAt = -Infinity;
  isClosed = false;
  /** Something in the page has moved, or changed its looks. */
  hasStirred = false;

  constructor(
    private readonly tabId: number,
    pending: readonly string[],
  ) {
    this.#polled = new Set(pending.map(withoutQuery));
    this.#stop = browserEvents((event) => this.#take(event));
  }

  /** Addresses of later requests that a page waits for. */
  get pending(): readonly string[] {
    return [...this.#requests.values()]
      .filter((request) => !request.hasEnded && this.#isAwaited(request))
      .map(({ url }) => url);
  }

  #isAwaited({ url, isLongLived, isCaused }: Request): boolean {
    return !isLongLived && (isCaused || !this.#polled.has(withoutQuery(url)));
  }

  /** Attributes everything after a time to the act, even if its address looks like polling. */
  claim(since: number): void {
    for (const request of this.#requests.values()) if (request.beganAt >= since) request.isCaused = true;
  }

  /** All later requests, including those that nobody waits for. */
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
    if (event.tabId !== this.tabId) return;
    this.#record(event);
    this.#wake();
  }

  #record(event: NavigationEvent): void {
    switch (event.type) {
      case 'request': {
        const { id, url, main, frameId = 0, isData = false, longLived: isLongLived } = event;
        const awaited = this.#requests.get(id)?.awaited ?? (isData ? { frameId, url } : null);
        const beganAt = performance.now();
        const isHandled = !main && (isData || !this.hasCommitted);
        const request = { url, awaited, beganAt, isHandled, isLongLived, isCaused: false, hasEnded: false };
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
      case 'request_ended':
        return this.#end(event.id, event.hasFailed);
      default:
        return this.#navigate(event.type);
    }
  }

  #end(id: string, hasFailed: boolean): void {
    const request = this.#requests.get(id);
    if (request === undefined) return;
    request.hasEnded = true;
    this.#note(request);
    if (!request.isHandled || !this.#isAwaited(request)) return;
    this.endedAt = performance.now();
    this.answered = hasFailed ? null : request.awaited;
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
    } else if (type === 'tab_removed') this.isClosed = true;
    // The page before the act may still be loading.
    else if (!this.isNavigating) return;
    else if (type === 'dom_content_loaded') this.navigation = 'ready';
    else if (type === 'failed') this.navigation = 'failed';
    // A page from the back/forward cache only reports that its tab is complete.
    else if (type === 'loaded' || (type === 'tab_complete' && this.navigation !== 'started'))
      this.navigation = 'loaded';
  }
}

/** Shortest watch: an act may have its first effect a moment later. */
const MIN_MS = 8;
/** The same for an act that gives a page files, which the page reads first. */
const MIN_WITH_FILES_MS = 50;
/** If the document has not changed for this long, its scripts have reacted to the act. */
const QUIET_MS = 50;
/** The same before a step that waits for its own target: one frame, in which a page renders its changes. */
const QUIET_BETWEEN_MS = 20;
const EFFECT_MS = 500;
const SETTLE_MS = 2_000;
/** Interval between attempts to reach a page that is being replaced. */
const REPLACED_MS = 10;

/** The rest of a page after a step, which the page reports without a question. */
export interface Resting {
  readonly page: ActPage;
  readonly rest: Promise<Rest>;
}

/** How a page rests after a step. */
export const restOf = ({ hasFiles, isBetween }: Pick<Settling, 'hasFiles' | 'isBetween'>) => ({
  quietMs: isBetween ? QUIET_BETWEEN_MS : QUIET_MS,
  minMs: hasFiles ? MIN_WITH_FILES_MS : MIN_MS,
  ...{ untilFrame: true, answer: null, effectMs: EFFECT_MS, waitMs: SETTLE_MS },
});

interface Settling {
  /** For waiting: the page only has to be readable. */
  readonly frames: ActFrames;
  readonly traffic: ActTraffic;
  /** Documents with acts. */
  readonly touched: readonly ActPage[];
  readonly hasFiles: boolean;
  /** The last element declares a popup. */
  readonly opens: boolean;
  /** The next step waits for its own target. */
  readonly isBetween: boolean;
  /** The first reading of the document that reports it. */
  resting?: Resting | null;
  readonly signal: AbortSignal;
}

/**
 * Waits until an act has had its effect: its navigation has ended, its requests have ended, and the page has not
 * changed for a moment, which is shorter between two steps. Anything longer than two seconds is left pending.
 * @throws the signal's reason
 */
export async function settle(settling: Settling): Promise<void> {
  const { frames, traffic, touched, opens, signal } = settling;
  const until = performance.now() + SETTLE_MS;
  const left = (): number => until - performance.now();
  const isBusy = (): boolean => traffic.isNavigating || traffic.pending.length > 0;
  /** The step's document. */
  let document = touched.find(({ frameId }) => frameId === 0)?.documentId;
  const rest = async (): Promise<boolean> => {
    const top = await frames.page(signal, 0, traffic.hasCommitted ? {} : { documentId: document });
    document ??= top.documentId;
    const pages = [top, ...touched.filter(({ frameId }) => frameId !== 0)];
    const { endedAt, answered } = traffic;
    const how = {
      ...restOf(settling),
      untilFrame: top.documentId === document,
      effectMs: opens ? EFFECT_MS : 0,
      waitMs: Math.max(0, Math.round(left())),
    };
    // A page handles a response after its arrival.
    const answerIn = (frameId: number): Quiet['answer'] =>
      endedAt === -Infinity
        ? null
        : {
            sinceMs: performance.now() - endedAt,
            url: answered?.frameId === frameId ? answered.url : null,
          };
    const rested = await Promise.all(
      pages.map((page) => rests(page, { ...how, answer: answerIn(page.frameId) }, settling)),
    );
    const now = await frames.answered();
    if (now !== undefined && now !== top.documentId) return false;
    const isHandled = traffic.endedAt === endedAt || performance.now() - traffic.endedAt >= QUIET_MS;
    return isHandled && rested.every((isQuiet) => isQuiet);
  };
  const busy = async (): Promise<false> => {
    while (!isBusy()) await traffic.change();
    return false;
  };
  while (left() > 0 && !traffic.isClosed) {
    // Injects our script while the new page is still loading.
    if (traffic.navigation === 'committed') frames.prepare();
    if (isBusy()) await waitAtMost(traffic.change(), left(), signal);
    else {
      // A page that the tab leaves, or that loads something, comes to rest only later.
      const resting = Promise.race([passing(rest, signal), busy()]);
      if ((await waitAtMost(resting, left(), signal)) === true && !isBusy()) return;
    }
  }
}

/** False if a page is being replaced, or too busy to answer: it is asked again. */
async function passing(ask: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const isResting = await unlessReplaced({ signal }, ask);
  if (isResting === null) await delay(REPLACED_MS, signal);
  return isResting ?? false;
}

/** Whether a document comes to rest. One that is gone cannot change any more. */
async function rests(page: ActPage, how: Quiet, settling: Settling): Promise<boolean> {
  const { traffic, signal, resting } = settling;
  const isTold = resting?.page.documentId === page.documentId;
  if (isTold) settling.resting = null;
  const ask = async (): Promise<boolean> => {
    const asked = isTold && how.answer === null ? resting.rest : page.ask({ do: 'rest', until: how }, signal);
    const { isQuiet, hasStirred } = await asked;
    traffic.hasStirred ||= hasStirred;
    return isQuiet;
  };
  return page.frameId === 0 ? ask() : ((await unlessReplaced({ signal }, ask)) ?? true);
}
