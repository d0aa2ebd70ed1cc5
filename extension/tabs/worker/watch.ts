import { defer, onAbort } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import {
  hasPassed,
  isSameUrl,
  isPage,
  isRequestDue,
  isStatusDue,
  DocumentLoad,
  type NavigationEvent,
  type NavigationOutcome,
  REQUESTS_LATE_MS,
} from '../../core/navigation/browser-events.ts';
import { abortedError, failedError, isOfProgram, signInError, timeoutError } from './failures.ts';
import { PendingRequests } from '../../core/navigation/tab-requests.ts';

/** Without requests for this long, the network counts as idle. */
export const IDLE_MS = 500;
/** An abort may only make room for the next navigation: it is the end if none starts by then. */
export const ABORT_GRACE_MS = 500;
/** Time for a password manager to answer a sign-in before a person would be asked. */
const SIGN_IN_GRACE_MS = 3_000;
/** A response is shown at once, unless the previous page hangs their shared process. */
const UNSHOWN_MS = 1_000;
/** After this long, a navigation counts as the requested one even if its address differs. */
const UNRECOGNISED_MS = 2_000;

export interface WatchOptions extends Pick<
  MethodParams<'page.navigate'>,
  'action' | 'wait_until' | 'timeout_ms'
> {
  /** Null until {@link NavigationWatch.setTab}: events of every tab are kept until then. */
  readonly tabId: number | null;
  /** The requested address; the tab's own for `reload`; null for `back` and `forward`. */
  readonly url: string | null;
  readonly signal: AbortSignal;
  /** Called with each address of the navigation: redirects, and the last one. */
  readonly onAddress?: ((url: string) => void) | undefined;
}

/**
 * Follows one navigation through the browser's events and reports when it is done. Two documents matter: the shown one
 * and the one being fetched. Earlier loads are distinguished from the requested one by their address or their path
 * through the history.
 */
export class NavigationWatch {
  readonly #outcome = defer<NavigationOutcome>();
  /** Settles once: the outcome, or a coded error. */
  readonly done = this.#outcome.promise;
  readonly #requests = new PendingRequests();
  readonly #early: NavigationEvent[] = [];
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #tabId: number | null;
  #shown: DocumentLoad | null = null;
  #coming: DocumentLoad | null = null;
  /** Anything that starts from now on results from the request. */
  #armed = false;
  #signInAsked = false;
  #onBegun: () => void = () => {};
  #onUnshown: () => void = () => {};
  #onStopped: ((tabId: number) => void) | null = null;
  /** True once the call has its answer or was abandoned. */
  isOver = false;
  #stopListening: () => void = () => {};

  constructor(private readonly options: WatchOptions) {
    this.#tabId = options.tabId;
    this.done.catch(() => {});
    this.#after('deadline', options.timeout_ms, () => this.fail(this.#timeout()));
    const { signal } = options;
    this.#stopListening = onAbort(signal, () => this.fail(signal.reason));
  }

  /** True while the tab does not show a response that has arrived. */
  get isUnshown(): boolean {
    return this.#coming?.status != null;
  }

  /** The tab that was opened for this navigation; its earlier events are processed now. */
  setTab(tabId: number): void {
    this.#tabId = tabId;
    for (const event of this.#early.splice(0)) this.take(event);
  }

  /**
   * The browser has accepted the command, so its navigation starts now. In case the browser changed the address before
   * reporting it, a later navigation counts as this one.
   */
  commandTaken(): void {
    this.#after('unrecognised', UNRECOGNISED_MS, () => {
      if (this.#armed || !this.#hasBegun()) return;
      this.#armed = true;
      for (const load of [this.#shown, this.#coming]) if (load !== null) load.ours = true;
      this.#evaluate();
    });
  }

  /** Calls back if a response was not shown within {@link UNSHOWN_MS} of its arrival. */
  whenUnshown(callback: () => void): void {
    this.#onUnshown = callback;
  }

  /**
   * Calls back, once, if a navigation was stopped between its response and its display. On a busy machine Chrome stops
   * about one load in 300 of a new tab like this, though nobody asked it to.
   */
  whenStopped(callback: (tabId: number) => void): void {
    this.#onStopped = callback;
  }

  /** Forgets all events: the command will be repeated in this tab. */
  startOver(tabId: number): void {
    this.#tabId = tabId;
    this.#shown = this.#coming = null;
    this.#armed = false;
    for (const name of [...this.#timers.keys()]) if (name !== 'deadline') this.#stop(name);
  }

  fail(error: unknown): void {
    this.#outcome.reject(error);
    this.dispose();
  }

  /** Whether anything begins within `withinMs`; also true once the call has ended. */
  begins(withinMs: number): Promise<boolean> {
    if (this.#hasBegun() || this.isOver) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.#onBegun = () => resolve(true);
      this.done.then(this.#onBegun, this.#onBegun);
      this.#after('begin', withinMs, () => resolve(false));
    });
  }

  /** Stops every timer. Idempotent. */
  dispose(): void {
    this.isOver = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#stopListening();
  }

  take(event: NavigationEvent): void {
    if (this.isOver) return;
    if (this.#tabId === null) this.#early.push(event);
    else if (event.tabId === this.#tabId) {
      this.#apply(event);
      if (this.#hasBegun()) this.#onBegun();
      this.#evaluate();
    }
  }

  #apply(event: NavigationEvent): void {
    switch (event.type) {
      case 'started':
        return this.#started(event.url);
      case 'committed':
        return this.#committed(event);
      case 'same_document':
        return this.#sameDocument(event.url, event.isHistoryStep);
      case 'dom_content_loaded':
        if (this.#shown !== null) this.#shown.domContentLoaded = true;
        return;
      case 'loaded':
      case 'tab_complete':
        return this.#loaded('url' in event ? event.url : null);
      case 'failed':
        return this.#failed(event.url, event.error);
      case 'tab_replaced':
        this.#tabId = event.by;
        return;
      case 'tab_removed':
        return this.fail(this.#closed(event.tabId));
      case 'frame_arrived':
        return;
      default:
        return this.#request(event);
    }
  }

  /** @param url of a document, or of a file: Firefox does not show that, but reports it; null for the tab itself */
  #loaded(url: string | null): void {
    const [load, shown] = [this.#coming, this.#shown];
    if (shown !== null && (url !== null || load === null)) shown.loaded = shown.domContentLoaded = true;
    if (load === null || url === null || !hasPassed(load, url)) return;
    this.#after('abort', ABORT_GRACE_MS, () => {
      if (this.#coming !== load || load.status === null || isPage(load)) return;
      this.#failed(load.url, 'net::ERR_ABORTED');
      this.#evaluate();
    });
  }

  #request(event: Extract<NavigationEvent, { id: string }>): void {
    // See REQUESTS_LATE_MS.
    const own = [this.#coming, this.#shown].find((load) => load?.requestId === event.id) ?? null;
    switch (event.type) {
      case 'request':
        if (event.main) this.#mainRequest(event.id, event.url);
        this.#stop('idle');
        return this.#requests.add(event.id, event.url, event.longLived);
      case 'redirect':
        if (own === null) return;
        own.redirects.push(event.hop);
        own.url = event.to;
        this.options.onAddress?.(event.to);
        return;
      case 'response':
        if (event.longLived) this.#requests.markLongLived(event.id);
        if (own === null) return;
        own.status = event.status;
        own.file = event.file ?? null;
        own.responseMark = this.#requests.mark();
        if (own === this.#coming) this.#after('unshown', UNSHOWN_MS, () => this.#onUnshown());
        return this.#stop('sign_in');
      case 'request_ended':
        return this.#requests.end(event.id);
      case 'sign_in_asked':
        if (own === null) return;
        this.#signInAsked = true;
        return this.#after('sign_in', SIGN_IN_GRACE_MS, () => this.fail(signInError(own.url)));
    }
  }

  #started(url: string): void {
    if (this.#isOfNewTab(url)) return;
    this.#stop('abort');
    // In a new tab the announcement comes after the request, which may have been redirected by then.
    const known = this.#coming;
    const load = known !== null && hasPassed(known, url) ? known : this.#newLoad(url);
    load.announced += 1;
    this.#coming = load;
  }

  #mainRequest(id: string, url: string): void {
    const load = this.#coming ?? (isRequestDue(this.#shown) ? this.#shown : null);
    if (load?.requestId === id) return;
    if (load === null || load.requestId !== null) {
      this.#stop('abort');
      this.#coming = this.#newLoad(url);
      this.#coming.requestId = id;
    } else if (isSameUrl(load.url, url)) load.requestId = id;
  }

  #committed(event: Extract<NavigationEvent, { type: 'committed' }>): void {
    const { url, isHistoryStep } = event;
    if (this.#isForeignCommit(event)) return;
    this.#stop('unshown');
    const load = this.#coming ?? this.#newLoad(url);
    const before = this.#shown;
    this.#coming = null;
    load.url = url;
    if (isHistoryStep && this.#isHistory()) load.ours = true;
    if (load.ours) this.#armed = true;
    // A redirect by the page itself while it was loading is a hop like any other.
    if (before !== null && before.ours && load.ours && before.status !== null)
      load.redirects.unshift(...before.redirects, { url: before.url, status: before.status });
    this.#requests.dropBefore(load.responseMark ?? this.#requests.mark(), load.requestId);
    this.#shown = Object.assign(load, { shownAt: performance.now() });
    this.options.onAddress?.(url);
    this.#stop('sign_in');
  }

  /** The empty document of a newly opened tab can be announced after the request that follows it. */
  #isOfNewTab(url: string): boolean {
    const load = this.#coming;
    return url === 'about:blank' && load !== null && load.announced === 0 && /^https?:/.test(load.url);
  }

  /** A document that was loading before can still arrive while the requested one is being fetched. */
  #isForeignCommit({ url, isRedirected = false }: Extract<NavigationEvent, { type: 'committed' }>): boolean {
    const load = this.#coming;
    if (load === null || !/^https?:/.test(load.url)) return false;
    // A new tab may report this after the response that follows it: no response is shown at this address.
    if (url === 'about:blank') return true;
    // The browser reports no requests that a service worker answers, and none of their redirects.
    const isOfWorker = isRedirected && load.requestId === null;
    return load.status === null && !isOfWorker && !isSameUrl(load.url, url);
  }

  /** A fragment or `history` entry of the shown document: nothing is fetched, as only a fragment's address asks for. */
  #sameDocument(url: string, isHistoryStep: boolean): void {
    if (this.#shown !== null || this.#coming?.ours === true) return;
    const { action, url: wanted } = this.options;
    const isWanted = action === 'goto' && url === wanted && url.includes('#');
    if (this.#isHistory() ? isHistoryStep : isWanted) this.#shown = new DocumentLoad(url, true);
  }

  #failed(url: string, error: string): void {
    const load = this.#coming;
    if (load === null || load.outlives(url, error)) return;
    // Without a request, a service worker may have redirected it. An earlier navigation is aborted.
    const isOfWorker = load.requestId === null && error !== 'net::ERR_ABORTED';
    if (!isOfWorker && !hasPassed(load, url)) return;
    // The shown page tried to leave, for a download or an application, and stays; or the load was not the requested one.
    if (this.#shown?.ours === true || (!load.ours && !this.#isHistory())) {
      this.#coming = null;
      return;
    }
    if (error === 'net::ERR_HTTP_RESPONSE_CODE_FAILURE' && load.status !== null) return this.#errorPage(load);
    if (error === 'net::ERR_INVALID_AUTH_CREDENTIALS') return this.fail(signInError(url));
    if (error !== 'net::ERR_ABORTED') return this.fail(failedError(url, error));
    const wasAnswered = load.status !== null;
    this.#after('abort', ABORT_GRACE_MS, () => {
      if (this.#isAborted(load, wasAnswered)) this.#aborted(load);
    });
  }

  /**
   * Whether this load itself was aborted. An earlier navigation to the same address, aborted by the requested one,
   * looks the same: then the load's request continues, or a new load has begun. Of a request that is redirected to a
   * program, the browser reports no end.
   */
  #isAborted(load: DocumentLoad, wasAnswered: boolean): boolean {
    if (this.#coming !== load) return false;
    return (
      wasAnswered || isOfProgram(load) || load.requestId === null || !this.#requests.isPending(load.requestId)
    );
  }

  #aborted(load: DocumentLoad): void {
    const again = this.#onStopped;
    if (again === null || this.#tabId === null || !isPage(load)) return this.fail(abortedError(load));
    this.#onStopped = null;
    again(this.#tabId);
  }

  /** The browser itself closes a tab that was opened for a download. */
  #closed(tabId: number): SpillwayError {
    const load = this.#coming;
    if (load?.status != null && this.#timers.has('abort') && !isPage(load)) return abortedError(load);
    return new SpillwayError('tab_not_found', `Tab ${tabId} was closed while it was loading.`);
  }

  /** An error status without a body: the browser shows its own page, and the status is the answer. */
  #errorPage(load: DocumentLoad): void {
    this.#coming = null;
    this.#shown = Object.assign(load, { ours: true, domContentLoaded: true, loaded: true });
  }

  #evaluate(): void {
    const load = this.#shown;
    if (load === null || !load.ours || this.#coming !== null) return this.#stop('idle');
    const until = this.options.wait_until;
    if (until === 'domcontentloaded' ? !load.domContentLoaded : !load.loaded) return;
    if (isStatusDue(load)) return this.#after('late', REQUESTS_LATE_MS, () => this.#evaluate());
    if (until !== 'networkidle') return this.#finish(load);
    const { urls, nextChangeMs } = this.#requests.counting();
    if (urls.length > 0) {
      this.#stop('idle');
      this.#after('long_lived', nextChangeMs, () => this.#evaluate());
    } else if (!this.#timers.has('idle')) this.#after('idle', IDLE_MS, () => this.#finish(load));
  }

  #finish({ status, redirects }: DocumentLoad): void {
    if (this.#tabId === null) return;
    this.#outcome.resolve({ tabId: this.#tabId, status, redirects });
    this.dispose();
  }

  #timeout(): SpillwayError {
    return timeoutError({
      isReload: this.options.action === 'reload',
      waitUntil: this.options.wait_until,
      timeoutMs: this.options.timeout_ms,
      shown: this.#shown?.ours === true ? this.#shown : null,
      coming: this.#coming,
      signInAsked: this.#signInAsked,
      inFlight: this.#requests.counting().urls,
    });
  }

  /** A load is ours if its address was requested, or if it follows one that is. */
  #newLoad(url: string): DocumentLoad {
    this.#armed ||= this.options.url !== null && isSameUrl(this.options.url, url);
    return new DocumentLoad(url, this.#armed);
  }

  #hasBegun(): boolean {
    return (this.#coming ?? this.#shown) !== null;
  }

  #isHistory(): boolean {
    return this.options.action === 'back' || this.options.action === 'forward';
  }

  #after(name: string, delayMs: number, run: () => void): void {
    this.#stop(name);
    if (this.isOver) return;
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      run();
    }, delayMs);
    this.#timers.set(name, timer);
  }

  #stop(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
