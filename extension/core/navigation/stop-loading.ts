import browser from 'webextension-polyfill';
import { abortable } from '../../../shared/base/async.ts';
import { isUsed, stopDocument } from '../in-page/document.ts';
import type { DebuggerSessions } from '../../platform/chromium/debugger/sessions.ts';
import { stopLoad } from '../../platform/chromium/loading.ts';
import { isPending } from '../../platform/chromium/members.ts';
import { beforeSaving } from '../../platform/chromium/downloads.ts';
import { runInPage } from '../pages/targets.ts';
import { browserEvents, bareUrl, type NavigationEvent } from './browser-events.ts';

/** Longest wait for an abandoned load to stop. */
const STOP_MS = 1_000;

interface Stop {
  readonly debuggers: DebuggerSessions;
  /** False once another call navigates the tab: its load is not stopped. */
  readonly isOurs: () => boolean;
}

/**
 * Stops a tab's loading, like the browser's own button. The current document stops itself; the debugger stops a load
 * without a document, which scripts cannot reach.
 * @throws the debugger's error if a person has forbidden it, or a timeout
 */
export async function stopLoading(tabId: number, stop: Stop): Promise<void> {
  const signal = AbortSignal.timeout(STOP_MS);
  await abortable(stopAll(tabId, stop, signal), signal);
}

async function stopAll(tabId: number, { debuggers, isOurs }: Stop, signal: AbortSignal): Promise<void> {
  if (!isOurs()) return;
  await stopDocuments(tabId, isOurs);
  if (!isOurs() || !isPending(await browser.tabs.get(tabId))) return;
  await debuggers.use(tabId, signal, async (lease) => {
    if (isOurs()) await stopLoad(lease, STOP_MS);
  });
}

/**
 * Stops a tab's document, and any that replaces it meanwhile. Each is named: a busy page runs scripts late, and by then
 * another call's document may have replaced it.
 */
async function stopDocuments(tabId: number, isOurs: () => boolean): Promise<void> {
  let stopped: string | null = null;
  for (;;) {
    const shown = await shownDocument(tabId);
    if (shown === null || shown === stopped || !isOurs()) return;
    const target = { tabId, documentIds: [shown] };
    await runInPage({ target, url: '', func: stopDocument }).catch(() => undefined);
    stopped = shown;
  }
}

async function shownDocument(tabId: number): Promise<string | null> {
  const frame = await browser.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
  return frame?.documentId ?? null;
}

/** On a busy machine the browser starts to save a file this long after its arrival. */
const LATE_MS = 10_000;
/** A page that leaves for a file at once does so by then. */
const LEAVES_MS = 2_000;
/** For a load that nothing waits for. */
const LOAD_MS = 60_000;

const kept = new Set<UnsavedFiles>();
let stopAsking: () => void = () => undefined;

/** Call when an act begins in a tab, or a person takes it over: files saved from then on are theirs. */
export function maySave(tabId: number): void {
  for (const each of kept) each.leave(tabId);
}

async function isUnwanted(url: string): Promise<boolean> {
  for (const each of kept) if (await each.loads(url)) return true;
  return false;
}

/** The request for a frame's document. */
interface Asked {
  readonly tabId: number;
  url: string;
  /** Whether a person was using the page. */
  readonly isPersons: unknown;
}

/**
 * Keeps the browser from saving files that a tab or one of its frames loads instead of a page: an agent may navigate
 * without asking, but not save a file.
 */
export class UnsavedFiles {
  readonly #tabs = new Set<number>();
  /** By its id. Those of a new tab arrive before its number. */
  readonly #asked = new Map<string, Asked>();
  #isAlone = false;
  #hasLoaded = false;
  readonly #stop = browserEvents((event) => this.#take(event));

  constructor(tabId: number | null = null) {
    if (tabId !== null) this.add(tabId);
    if (kept.size === 0) stopAsking = beforeSaving(isUnwanted);
    kept.add(this);
  }

  add(tabId: number): void {
    this.#tabs.add(tabId);
  }

  leave(tabId: number): void {
    this.#tabs.delete(tabId);
  }

  /** For a tab whose load nothing waits for. */
  endWithLoad(): void {
    this.#isAlone = true;
    setTimeout(() => this.end(), LOAD_MS);
  }

  /**
   * Call when the tab has loaded, or has failed to. Files that have arrived, or arrive at once, are still not saved,
   * unless a person uses the page.
   */
  end(): void {
    this.#hasLoaded = true;
    setTimeout(() => this.#stop(), LEAVES_MS);
    setTimeout(() => {
      kept.delete(this);
      if (kept.size === 0) stopAsking();
    }, LATE_MS);
  }

  #take(event: NavigationEvent): void {
    const { tabId, type } = event;
    const isOurs = this.#tabs.has(tabId);
    if (this.#isAlone && isOurs && (type === 'loaded' || type === 'tab_removed')) this.end();
    if (event.type === 'tab_replaced' && isOurs) this.add(event.by);
    if (event.type === 'request' && event.frame === true) {
      const { id, url } = event;
      const run = { target: { tabId }, url, func: isUsed, timeoutMs: STOP_MS };
      const isPersons = this.#hasLoaded && isOurs && runInPage(run).catch(() => false);
      this.#asked.set(id, { tabId, url: bareUrl(url), isPersons });
    }
    if (event.type === 'redirect') {
      const asked = this.#asked.get(event.id);
      if (asked !== undefined) asked.url = bareUrl(event.to);
    }
    // The tab shows it: a person may save it.
    if (event.type === 'committed') this.#pop(event.url, new Set([tabId]));
  }

  /** Whether a tab loads the file: once for each request, since two frames may load it, and then a person may save it. */
  async loads(url: string): Promise<boolean> {
    return (await this.#pop(url, this.#tabs)) === false;
  }

  /** Takes a request for an address from the list. Resolves to whether a person made it; undefined without one. */
  #pop(url: string, tabs: ReadonlySet<number>): Asked['isPersons'] | undefined {
    const address = bareUrl(url);
    for (const [id, asked] of this.#asked)
      if (asked.url === address && tabs.has(asked.tabId) && this.#asked.delete(id)) return asked.isPersons;
    return undefined;
  }
}
