import browser from 'webextension-polyfill';
import { z } from 'zod';
import { delay, onAbort } from '../../../shared/base/async.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { Holds } from '../../core/holds.ts';
import { NETWORK_BUFFERS } from './debugger/send-command.ts';
import type { DebuggerEvent, DebuggerLease, DebuggerSessions } from './debugger/sessions.ts';
import { followSessions } from './debugger/targets.ts';
import { networkEvent, type NetworkEvent } from './network-events.ts';

const MIB = 1024 * 1024;
/** Bodies that the browser keeps of a tab. */
export const KEPT_BODIES_BYTES = 128 * MIB;
const SETTLE_MS = 1_000;

const StorageUse = z.object({
  usageBreakdown: z.array(z.object({ storageType: z.string(), usage: z.number() })),
});

type Listener = (event: NetworkEvent) => void;

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
    try {
      const followed = followSessions(lease, (sessionId, type) => {
        if (type === 'service_worker') void tap.#dropBodies();
        return tap.#enable(sessionId);
      });
      await Promise.all([followed, tap.#enable(null), lease.send('Page.enable'), tap.#keepBodies()]);
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
    for (const { announcement } of this.lease.targets()) listener(networkEvent(announcement));
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @throws SpillwayError with the browser's message: `evicted` of a body that it kept and dropped */
  body(requestId: string, sessionId: string | null): Promise<Record<string, unknown>> {
    return this.lease.send('Network.getResponseBody', { requestId }, { sessionId });
  }

  /** The body of a request. */
  postData(requestId: string, sessionId: string | null): Promise<Record<string, unknown>> {
    return this.lease.send('Network.getRequestPostData', { requestId }, { sessionId });
  }

  /** Has a response's events bring its body from now on; the answer has what came before. */
  stream(requestId: string, sessionId: string | null): Promise<Record<string, unknown>> {
    return this.lease.send('Network.streamResourceContent', { requestId }, { sessionId });
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

  #enable(sessionId: string | null): Promise<unknown> {
    return this.lease.send('Network.enable', NETWORK_BUFFERS, { sessionId });
  }

  #event(event: DebuggerEvent): void {
    if (event.method === 'Page.javascriptDialogOpening') this.#answerDialog(event);
    const seen = networkEvent(event);
    for (const listener of this.#listeners) listener(seen);
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
}

/** The taps of all tabs: all captures of a tab share one. */
export class Taps {
  readonly #taps = new Holds<number, Promise<Tap>, Promise<void>>({
    // Without a tap, its callers have the error.
    close: (opening) => opening.then((tap) => tap.release()).catch(() => undefined),
  });

  constructor(private readonly debuggers: DebuggerSessions) {
    debuggers.onLoad(async (tabId, url) => (await this.#taps.get(tabId))?.foresee(url));
  }

  /** Returns the tab's tap and a function that releases it. */
  async acquire(
    tabId: number,
  ): Promise<{ readonly tap: Tap; readonly release: () => Promise<void> | undefined }> {
    const opening = this.#taps.get(tabId) ?? this.#open(tabId);
    const release = this.#taps.hold(tabId, opening);
    try {
      const tap = await opening;
      tap.signal.throwIfAborted();
      return { tap, release };
    } catch (thrown) {
      void release();
      throw thrown;
    }
  }

  #open(tabId: number): Promise<Tap> {
    const opening = Tap.open(this.debuggers, tabId);
    // Later callers cannot use a lost tap.
    const forget = (): void => this.#taps.forget(tabId, opening);
    opening.then(({ signal }) => void onAbort(signal, forget), forget);
    return opening;
  }
}
