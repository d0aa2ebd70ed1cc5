import browser from 'webextension-polyfill';
import { defer, waitAtMost } from '../../../shared/base/async.ts';
import { DOWNLOADS_NAMED, type Download } from '../../../shared/core/downloads.ts';
import { BoundedMap, valueIn } from '../../../shared/base/maps.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { onAnyDownload, onDownload } from '../../platform/chromium/downloads.ts';
import { browserEvents, type FileFacts, type NavigationEvent } from '../../core/navigation/browser-events.ts';
import { Holds } from '../../core/holds.ts';
import { maySave } from '../../core/navigation/stop-loading.ts';

/** Longest wait for a server's answer. */
const ANSWER_MS = 60_000;
const ABORTED = 'net::ERR_ABORTED';
/** Content types that browsers show, unless the server asks to save them. */
const SHOWN = /^(?:text\/(?:html|plain|xml)|application\/(?:xhtml\+xml|xml|json|pdf)|image\/)/i;

interface Main {
  readonly id: string;
  readonly url: string;
  /** Null for a response that browsers show. */
  file: FileFacts | null;
  end: 'completed' | 'interrupted' | null;
  isDownload: boolean;
}

/**
 * Follows a tab that a page has just opened until it shows a page. If it gets a file instead, the browser
 * closes it, and the request continues as a download.
 * @param report called whenever more is known about the download
 */
function followOpenedTab(tabId: number, report: (id: string, download: Download) => void): void {
  let main: Main | null = null;
  const isDownload = (): boolean => main?.isDownload === true;
  /** True once nothing more can be learned of it. */
  const update = (request: Main, facts: Partial<Main>): boolean => {
    const { id, url, file, end } = Object.assign(request, facts);
    if (!request.isDownload) return false;
    const total = file?.sizeBytes ?? null;
    report(`request ${id}`, {
      name: file?.name ?? 'download',
      url,
      state: end ?? 'in_progress',
      received_bytes: end === 'completed' ? total : null,
      total_bytes: total,
    });
    return end !== null;
  };
  /** True once nothing more can be learned. */
  const isOver = (event: NavigationEvent): boolean => {
    // If the tab is gone by then, the request belongs to no tab.
    if (event.type === 'request_ended')
      return main?.id === event.id && update(main, { end: event.hasFailed ? 'interrupted' : 'completed' });
    return event.tabId === tabId && isLast(event);
  };
  const isLast = (event: NavigationEvent): boolean => {
    if (event.type === 'request' && event.main)
      main = { id: event.id, url: event.url, file: null, end: null, isDownload: false };
    if (event.type === 'response' && main?.id === event.id && event.file !== undefined)
      main.file = isSaved(event.status, event.file) ? event.file : main.file;
    // The browser saves a response if it is a file and its navigation has ended.
    if (event.type === 'failed')
      return event.error === ABORTED && main?.file != null && update(main, { isDownload: true });
    if (event.type === 'committed') return event.url !== 'about:blank';
    return event.type === 'tab_removed' && !isDownload();
  };
  const stop = browserEvents((event) => {
    if (isOver(event)) end();
  });
  const timer = setTimeout(() => {
    if (!isDownload()) end();
  }, ANSWER_MS);
  function end(): void {
    clearTimeout(timer);
    stop();
  }
}

const isSaved = (status: number, { contentType, isAttachment }: FileFacts): boolean =>
  status !== 204 && status !== 205 && (isAttachment || !SHOWN.test(contentType ?? 'text/html'));

const NAME_UNITS = 200;
const URL_UNITS = 1_000;
/** The stored address of a download: a page can make it as long as a file. */
export const boundUrl = (url: string): string => cutUrl(url, URL_UNITS).toWellFormed();
/** Downloads kept for each tab; the oldest are forgotten first. */
const MAX_KEPT = 100;
const MAX_SESSIONS = 20;
/** A download that has not grown for this long waits for a person, or for a server that is gone. */
const STALLED_MS = 60_000;
/** Until so long after an act, a download of its tab is of the act, where no debugger reports it. */
const LATE_MS = 10_000;

interface Known {
  readonly id: string;
  readonly beganAt: number;
  /** By the clock. */
  readonly startedAtMs: number;
  changedAt: number;
  facts: Download;
}

interface Tab {
  known: Known[];
  /** When each session began its last act in the tab. */
  readonly acts: Map<string, number>;
}

/** The downloads that a tab began since the last act of a session in it. */
export interface DownloadWatch {
  list(): Download[];
  release(): void;
}

/** Receives the tab that began a download, and its URL. */
type BeginListener = (tabId: number, url: string) => void;

/** @throws SpillwayError if the browser does not report the downloads of a tab */
export type WatchDownloads = (tabId: number, session: string, signal: AbortSignal) => Promise<DownloadWatch>;

/**
 * The downloads of tabs that are acted in: those that the debugger reports while it is attached, and those of
 * tabs that an act opens, whose requests do not become a page.
 */
export class TabDownloads {
  readonly #tabs = new Map<number, Tab>();
  readonly #opened = new Set<number>();
  readonly #listeners = new Set<BeginListener>();
  readonly #waiting = new Set<() => void>();
  /** For acts, and waits for their files. */
  readonly #held = new Holds<number, Tab>({ lingerMs: LATE_MS, close: () => undefined });

  /** Registers its listeners at once: a worker that wakes must not miss an event. */
  constructor() {
    onAnyDownload?.((tabId, id, download) => {
      const tab = this.#tabs.get(tabId);
      if (tab === undefined) return;
      const isHeld = this.#held.get(tabId) === tab;
      if (isHeld || tab.known.some((each) => each.id === id)) this.#put(tabId, id, download);
    });
    browser.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) =>
      this.#followOpened(sourceTabId, tabId),
    );
    browser.tabs.onRemoved.addListener((tabId) => {
      this.#tabs.delete(tabId);
      this.#opened.delete(tabId);
    });
  }

  /** Listens to a lease until it is released. The Page domain of its tab has to be enabled. */
  follow(lease: DebuggerLease): void {
    const { tabId } = lease;
    onDownload(lease, {
      onBegun: (id, download) => this.#put(tabId, id, download),
      onChanged: (id, change) => {
        const known = this.kept(tabId).find((each) => each.id === id);
        if (known !== undefined) this.#put(tabId, id, { ...known.facts, ...change });
      },
    });
  }

  /** Records that a session begins an act in a tab: later downloads belong to this act. */
  begin(tabId: number, session: string): void {
    maySave(tabId);
    this.#tab(tabId).acts.set(session, performance.now());
  }

  /** Call before an act or a wait; the returned function when it has ended. */
  hold(tabId: number): () => void {
    return this.#held.hold(tabId, this.#tab(tabId));
  }

  /** When a session began its last act in a tab; the current time if it has not acted there. */
  lastAct(tabId: number, session: string): number {
    return this.#tabs.get(tabId)?.acts.get(session) ?? performance.now();
  }

  /** The downloads of a tab that began since a time: the most recent, up to a limit. */
  of(tabId: number, since: number): Download[] {
    const all = this.kept(tabId).filter(({ beganAt }) => beganAt >= since);
    return all.slice(-DOWNLOADS_NAMED).map(({ facts }) => facts);
  }

  /** All known downloads of a tab, oldest first. */
  kept(tabId: number): readonly Known[] {
    return this.#tabs.get(tabId)?.known ?? [];
  }

  isForFile(tabId: number): boolean {
    return this.#opened.has(tabId);
  }

  isPending(tabId: number): boolean {
    const now = performance.now();
    return this.kept(tabId).some(
      ({ facts, changedAt }) => facts.state === 'in_progress' && now - changedAt < STALLED_MS,
    );
  }

  /** Calls the listener for each download that begins, until the returned function is called. */
  onBegin(listener: BeginListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Waits until all downloads that began since a time have ended, for at most `waitMs`. */
  async ended(tabId: number, since: number, waitMs: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + waitMs;
    while (this.of(tabId, since).some(({ state }) => state === 'in_progress')) {
      const left = until - performance.now();
      if (left <= 0) return;
      const { promise: changed, resolve: wake } = defer<void>();
      this.#waiting.add(wake);
      await waitAtMost(changed, left, signal).finally(() => this.#waiting.delete(wake));
    }
  }

  #tab(tabId: number): Tab {
    return valueIn(this.#tabs, tabId, () => ({ known: [], acts: new BoundedMap(MAX_SESSIONS) }));
  }

  /** Stores the facts of a download. Its name and URL come from the page, so their length is bounded. */
  #put(tabId: number, id: string, { name, url, ...facts }: Download): void {
    const tab = this.#tab(tabId);
    const now = performance.now();
    const bounded = { name: cut(name, NAME_UNITS).toWellFormed(), url: boundUrl(url), ...facts };
    const known = tab.known.find((each) => each.id === id);
    if (known !== undefined) [known.facts, known.changedAt] = [bounded, now];
    else {
      const added = { id, beganAt: now, startedAtMs: Date.now(), changedAt: now, facts: bounded };
      tab.known = [...tab.known, added].slice(-MAX_KEPT);
      for (const listener of this.#listeners) listener(tabId, url);
    }
    for (const wake of this.#waiting) wake();
  }

  /** A tab that the acted tab opens is not attached yet when its file arrives. */
  #followOpened(sourceTabId: number, tabId: number): void {
    if (!this.#tabs.has(sourceTabId)) return;
    followOpenedTab(tabId, (id, download) => {
      // The downloads of a closed tab are no longer available.
      if (!this.#tabs.has(sourceTabId)) return;
      this.#opened.add(tabId);
      this.#put(sourceTabId, id, download);
    });
  }
}
