import { onAbort } from '../../../shared/async/abort.ts';
import type {
  DebuggerEvent,
  DebuggerLease,
  DebuggerSessions,
} from '../../background/chromium/debugger/sessions.ts';
import { NETWORK_BUFFERS } from '../../background/chromium/debugger/send-command.ts';
import { LIMITS } from '../../../shared/limits.ts';

const MIB = 1024 * 1024;
const KEPT_BODIES_BYTES = 128 * MIB;
const SETTLE_MS = 1_000;

type Listener = (event: DebuggerEvent) => void;

/**
 * The network of one tab: its page, its frames in other processes and its workers, each a session
 * of its own below the tab's. New ones are stopped until their events are on, so that nothing of
 * them is missed, and are let go by the commands that are sent with it.
 */
export class Tap {
  readonly #lease: DebuggerLease;
  readonly #listeners = new Set<Listener>();
  readonly #sessions = new Map<string, DebuggerEvent>();

  /** Bodies of the tab's own session can be taken late: the browser keeps them, not the page. */
  keepsBodies = false;

  private constructor(lease: DebuggerLease) {
    this.#lease = lease;
  }

  /** @throws what {@link DebuggerSessions.acquire} does */
  static async open(debuggers: DebuggerSessions, tabId: number): Promise<Tap> {
    const lease = await debuggers.acquire(tabId, new AbortController().signal);
    const tap = new Tap(lease);
    lease.onEvent((event) => tap.#event(event));
    // Another holder of the debugger may have attached to frames and workers already.
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
    return this.#lease.signal;
  }

  /** Tells of every event from now on, and first of the sessions that are there already. */
  subscribe(listener: Listener): () => void {
    for (const announcement of this.#sessions.values()) listener(announcement);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  send(method: string, params: object, sessionId: string | null): Promise<Record<string, unknown>> {
    return this.#lease.send(method, params, { sessionId });
  }

  /** Resolves when the events of what has happened so far have come, or a busy page was waited for. */
  async settle(): Promise<void> {
    // Sessions answer in order: behind a command's answer nothing is left that came before it.
    const pings = [null, ...this.#sessions.keys()].map((sessionId) =>
      this.#lease.send('Runtime.runIfWaitingForDebugger', {}, { sessionId, timeoutMs: SETTLE_MS }),
    );
    await Promise.allSettled(pings);
  }

  release(): Promise<void> {
    this.#listeners.clear();
    return this.#lease.release();
  }

  /** Browsers of before 2026 do not know the command: there, bodies have to be taken at once. */
  async #keepBodies(): Promise<void> {
    const sizes = {
      maxTotalBufferSize: KEPT_BODIES_BYTES,
      maxResourceBufferSize: LIMITS.networkBodyBytesMax,
    };
    this.keepsBodies = await this.#lease.send('Network.configureDurableMessages', sizes).then(
      () => true,
      () => false,
    );
  }

  async #enable(sessionId: string | null): Promise<void> {
    await Promise.all([
      this.#lease.send('Network.enable', NETWORK_BUFFERS, { sessionId }),
      this.#lease.send(
        'Target.setAutoAttach',
        { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
        { sessionId },
      ),
    ]);
  }

  #event(event: DebuggerEvent): void {
    if (event.method === 'Target.attachedToTarget') this.#attached(event);
    else if (event.method === 'Target.detachedFromTarget') this.#sessions.delete(sessionOf(event));
    else if (event.method === 'Page.javascriptDialogOpening') this.#answerDialog(event);
    for (const listener of this.#listeners) listener(event);
  }

  /**
   * Page events make a dialog wait for the debugger where no window shows it (headless): it is
   * answered as the browser would have, alone. One that a person sees is theirs, and one in a tab that an
   * agent acts on is the agent's.
   */
  #answerDialog({ params, sessionId }: DebuggerEvent): void {
    if (params['hasBrowserHandler'] === true || this.#lease.dialogsAreKept()) return;
    const accept = params['type'] === 'alert' || params['type'] === 'beforeunload';
    // Another holder of the tab's debugger may have answered it first.
    void this.#lease.send('Page.handleJavaScriptDialog', { accept }, { sessionId }).catch(() => undefined);
  }

  #attached(event: DebuggerEvent): void {
    const sessionId = sessionOf(event);
    this.#sessions.set(sessionId, event);
    // Not every kind of target has both, but all of them wait to be let go.
    void this.#enable(sessionId).catch(() => undefined);
    void this.#lease.send('Runtime.runIfWaitingForDebugger', {}, { sessionId }).catch(() => undefined);
  }
}

const sessionOf = ({ params }: DebuggerEvent): string => String(params['sessionId']);

interface Shared {
  readonly tap: Promise<Tap>;
  holders: number;
}

/** The taps of all tabs: a tab is tapped once for all its captures. */
export class Taps {
  readonly #debuggers: DebuggerSessions;
  readonly #taps = new Map<number, Shared>();

  constructor(debuggers: DebuggerSessions) {
    this.#debuggers = debuggers;
  }

  /** Returns the tab's tap and a function that gives it back. */
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
    const shared: Shared = { tap: Tap.open(this.#debuggers, tabId), holders: 0 };
    this.#taps.set(tabId, shared);
    // A tap that was lost is of no use to those who come later.
    shared.tap.then(
      ({ signal }) => void onAbort(signal, () => this.#forget(tabId, shared)),
      () => this.#forget(tabId, shared),
    );
    return shared;
  }

  #forget(tabId: number, shared: object): void {
    if (this.#taps.get(tabId) === shared) this.#taps.delete(tabId);
  }
}

/** A tab without events for so long has loaded, and taking its bodies delays nothing. */
const QUIET_MS = 400;
/** The same while requests are pending: a slow answer, or one that never ends. */
const QUIET_PENDING_MS = 2_000;
/** A page that is never quiet waits no longer; the server gives a body up after 30 s. */
const AGE_MS = 10_000;
/** Half of what the browser keeps, so that the other half can come meanwhile. */
const WAITING_BYTES = KEPT_BODIES_BYTES / 2;
/** Requests that wait are pending at the server, which keeps 4,096 of them. */
const WAITING = 2_000;

/**
 * Bodies that the browser keeps and that are taken late: once the tab is quiet, when somebody waits
 * for them, or before the browser would drop the oldest.
 */
export class LateBodies<Item> {
  readonly #take: (item: Item) => void;
  readonly #isPending: () => boolean;
  #waiting: Item[] = [];
  #waitingBytes = 0;
  #oldestAt = 0;
  #lastEventAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param take takes an item now; items are given in the order in which they came
   * @param isPending whether the tab waits for an answer
   */
  constructor(take: (item: Item) => void, isPending: () => boolean) {
    this.#take = take;
    this.#isPending = isPending;
  }

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

  /** Takes all that waits. */
  flush(): void {
    const items = this.#waiting;
    this.clear();
    for (const item of items) this.#take(item);
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
    const leftMs = (this.#isPending() ? QUIET_PENDING_MS : QUIET_MS) - (now - this.#lastEventAt);
    if (leftMs <= 0 || now - this.#oldestAt >= AGE_MS) this.flush();
    else this.#timer = setTimeout(() => this.#look(), Math.min(Math.ceil(leftMs), QUIET_MS));
  }
}
