import browser from 'webextension-polyfill';
import { z } from 'zod';
import { isObject } from '../../../shared/json.ts';
import { delay, onAbort } from '../../../shared/async.ts';
import type {
  DebuggerEvent,
  DebuggerLease,
  DebuggerSessions,
} from '../../background/chromium/debugger/sessions.ts';
import { NETWORK_BUFFERS } from '../../background/chromium/debugger/send-command.ts';
import { AUTO_ATTACH } from '../../background/chromium/debugger/tab-holds.ts';
import { LIMITS } from '../../../shared/limits.ts';

const MIB = 1024 * 1024;
const KEPT_BODIES_BYTES = 128 * MIB;
const SETTLE_MS = 1_000;

const StorageUse = z.object({
  usageBreakdown: z.array(z.object({ storageType: z.string(), usage: z.number() })),
});

type Listener = (event: DebuggerEvent) => void;

/**
 * The network of one tab: its page, its frames in other processes and its workers, each a session below the tab's. New
 * ones are paused until their events are enabled, so that nothing is missed; the same commands resume them.
 */
export class Tap {
  readonly #listeners = new Set<Listener>();
  readonly #dropping = new Set<() => void>();

  /** Whether no page with a service worker is known. */
  #mayKeep = true;
  /** The bodies of the tab's own session can be collected late: the browser keeps them, not the page. */
  keepsBodies = false;

  private constructor(private readonly lease: DebuggerLease) {}

  /** @throws as {@link DebuggerSessions.acquire} */
  static async open(debuggers: DebuggerSessions, tabId: number): Promise<Tap> {
    const lease = await debuggers.acquire(tabId, new AbortController().signal);
    const tap = new Tap(lease);
    lease.onEvent((event) => tap.#event(event));
    // Another lease of the debugger may already have attached to frames and workers.
    for (const event of lease.announcements()) tap.#attached(event);
    try {
      await Promise.all([tap.#enable(null), lease.send('Page.enable'), tap.#keepBodies()]);
    } catch (thrown) {
      await lease.release();
      throw thrown;
    }
    return tap;
  }

  /** Aborted when the attachment is lost; its reason is coded. */
  get signal(): AbortSignal {
    return this.lease.signal;
  }

  /** Reports every event from now on, beginning with the existing sessions. */
  subscribe(listener: Listener): () => void {
    for (const announcement of this.lease.announcements()) listener(announcement);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  send(method: string, params: object, sessionId: string | null): Promise<Record<string, unknown>> {
    return this.lease.send(method, params, { sessionId });
  }

  /** Resolves when the events so far have arrived, or after waiting for a busy page. */
  async settle(): Promise<void> {
    // Sessions answer in order: once a command is answered, all earlier events have arrived.
    const pings = [null, ...this.lease.sessions()].map((sessionId) =>
      this.lease.send('Runtime.runIfWaitingForDebugger', {}, { sessionId, timeoutMs: SETTLE_MS }),
    );
    await Promise.allSettled(pings);
  }

  release(): Promise<void> {
    this.#listeners.clear();
    return this.lease.release();
  }

  /** Calls a listener before the browser drops the bodies that it keeps. */
  onDrop(listener: () => void): () => void {
    this.#dropping.add(listener);
    return () => void this.#dropping.delete(listener);
  }

  /**
   * Before a page is loaded: while the browser keeps bodies, pages do not, and the browser never has those that a service
   * worker answers with. Once the page is requested, it is too late to change that.
   */
  async foresee(url: string): Promise<void> {
    if (this.#mayKeep && url.startsWith('http') && (await this.#hasWorker(new URL(url).origin)))
      await this.#dropBodies();
  }

  /** Whether an origin has a service worker, running or not. */
  async #hasWorker(origin: string): Promise<boolean> {
    const timeoutMs = SETTLE_MS;
    const used = await this.lease
      .send('Storage.getUsageAndQuota', { origin }, { timeoutMs })
      .catch(() => ({}));
    const parts = StorageUse.safeParse(used).data?.usageBreakdown ?? [];
    return parts.some(({ storageType, usage }) => storageType === 'service_workers' && usage > 0);
  }

  /** Browsers from before 2026 lack the command: there, bodies have to be collected at once. */
  async #keepBodies(): Promise<void> {
    const { url = '' } = await browser.tabs.get(this.lease.tabId);
    await this.foresee(url);
    const sizes = {
      maxTotalBufferSize: KEPT_BODIES_BYTES,
      maxResourceBufferSize: LIMITS.networkBodyBytesMax,
    };
    if (!this.#mayKeep) return;
    this.keepsBodies = await this.lease.send('Network.configureDurableMessages', sizes).then(
      () => true,
      () => false,
    );
    if (!this.#mayKeep) await this.#dropBodies();
  }

  /** For good: the switch would cost another page its bodies. */
  async #dropBodies(): Promise<void> {
    this.#mayKeep = false;
    if (!this.keepsBodies) return;
    this.keepsBodies = false;
    // Bodies that have not been requested yet are requested first.
    for (const listener of this.#dropping) listener();
    await delay(0);
    await this.lease.send('Network.configureDurableMessages', {}).catch(() => undefined);
  }

  async #enable(sessionId: string | null): Promise<void> {
    await Promise.all([
      this.lease.send('Network.enable', NETWORK_BUFFERS, { sessionId }),
      this.lease.send('Target.setAutoAttach', AUTO_ATTACH, { sessionId }),
    ]);
  }

  #event(event: DebuggerEvent): void {
    if (event.method === 'Target.attachedToTarget') this.#attached(event);
    else if (event.method === 'Page.javascriptDialogOpening') this.#answerDialog(event);
    for (const listener of this.#listeners) listener(event);
  }

  /**
   * Enabled page events make a dialog wait for the debugger if no window shows it (headless): it is answered as the
   * browser alone would have. A dialog that a person sees is theirs, and one in a tab that an agent acts on is the
   * agent's.
   */
  #answerDialog({ params, sessionId }: DebuggerEvent): void {
    if (params['hasBrowserHandler'] === true || this.lease.dialogsAreKept()) return;
    const accept = params['type'] === 'alert' || params['type'] === 'beforeunload';
    // Another lease of the tab's debugger may have answered it first.
    void this.lease.send('Page.handleJavaScriptDialog', { accept }, { sessionId }).catch(() => undefined);
  }

  #attached({ params }: DebuggerEvent): void {
    const sessionId = String(params['sessionId']);
    const { targetInfo } = params;
    if (isObject(targetInfo) && targetInfo['type'] === 'service_worker') void this.#dropBodies();
    // Not every kind of target has both, but all of them wait to be resumed.
    void this.#enable(sessionId).catch(() => undefined);
    void this.lease.send('Runtime.runIfWaitingForDebugger', {}, { sessionId }).catch(() => undefined);
  }
}

interface Shared {
  readonly tap: Promise<Tap>;
  holders: number;
}

/** The taps of all tabs: all captures of a tab share one. */
export class Taps {
  readonly #taps = new Map<number, Shared>();

  constructor(private readonly debuggers: DebuggerSessions) {
    debuggers.onLoad(async (tabId, url) => (await this.#taps.get(tabId)?.tap)?.foresee(url));
  }

  /** Returns the tab's tap and a function that releases it. */
  async acquire(tabId: number): Promise<{ readonly tap: Tap; readonly release: () => Promise<void> }> {
    const shared = this.#taps.get(tabId) ?? this.#open(tabId);
    shared.holders += 1;
    let isHeld = true;
    const release = (): boolean => {
      if (!isHeld) return false;
      isHeld = false;
      shared.holders -= 1;
      if (shared.holders > 0) return false;
      if (this.#taps.get(tabId) === shared) this.#taps.delete(tabId);
      return true;
    };
    try {
      const tap = await shared.tap;
      if (tap.signal.aborted) throw tap.signal.reason;
      return { tap, release: async () => void (release() && (await tap.release())) };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  #open(tabId: number): Shared {
    const shared: Shared = { tap: Tap.open(this.debuggers, tabId), holders: 0 };
    this.#taps.set(tabId, shared);
    // Later callers cannot use a lost tap.
    const forget = (): void => {
      if (this.#taps.get(tabId) === shared) this.#taps.delete(tabId);
    };
    shared.tap.then(({ signal }) => void onAbort(signal, forget), forget);
    return shared;
  }
}

/** A tab without events for this long has loaded, and collecting its bodies delays nothing. */
const QUIET_MS = 400;
/** The same while requests are pending: a slow answer, or one that never ends. */
const QUIET_PENDING_MS = 2_000;
/** A page that is never quiet waits no longer; the server gives a body up after 30 s. */
const AGE_MS = 10_000;
/** Half of what the browser keeps, so that the other half can arrive meanwhile. */
const WAITING_BYTES = KEPT_BODIES_BYTES / 2;
/** Waiting requests are pending at the server, which keeps 4,096 of them. */
const WAITING = 2_000;

/**
 * Bodies that the browser keeps and that are collected late: once the tab is quiet, when somebody waits for them, or
 * before the browser would drop the oldest.
 */
export class LateBodies<Item> {
  #waiting: Item[] = [];
  #waitingBytes = 0;
  #oldestAt = 0;
  #lastEventAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param take collects an item now; called in order of arrival
   * @param isPending whether the tab waits for an answer
   */
  constructor(
    private readonly take: (item: Item) => void,
    private readonly isPending: () => boolean,
  ) {}

  touch(): void {
    this.#lastEventAt = performance.now();
  }

  add(item: Item, sizeBytes: number): void {
    if (this.#waiting.length === 0) this.#oldestAt = performance.now();
    this.#waiting.push(item);
    this.#waitingBytes += sizeBytes;
    if (this.#waiting.length >= WAITING || this.#waitingBytes >= WAITING_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.#look(), QUIET_MS);
  }

  /** Collects everything that waits. */
  flush(): void {
    const items = this.#waiting;
    this.clear();
    for (const item of items) this.take(item);
  }

  /** Drops the waiting events. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    const leftMs = (this.isPending() ? QUIET_PENDING_MS : QUIET_MS) - (now - this.#lastEventAt);
    if (leftMs <= 0 || now - this.#oldestAt >= AGE_MS) this.flush();
    else this.#timer = setTimeout(() => this.#look(), Math.min(Math.ceil(leftMs), QUIET_MS));
  }
}
