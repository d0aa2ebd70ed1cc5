import { waitAtMost } from '../../../../shared/base/async.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { HeldInput, releaseHeld, type HeldMemory, type Release } from './held-input.ts';
import { OwnContexts } from './own-contexts.ts';
import {
  PageGuard,
  pageDialog,
  targetIn,
  type DebuggerEvent,
  type PageDialog,
  type Target,
} from './page-guard.ts';
import { TabSessions } from '../../tab-sessions.ts';
import { attachError, detachError, sendCommand, type SendOptions } from './send-command.ts';
import { TabSizes } from './tab-sizes.ts';

/** Version of the protocol that `attach` requests. */
const PROTOCOL = '1.3';
const EMULATION_MS = 250;
/** How long to wait for a release. A busy page handles it later. */
const RELEASE_MS = 1_000;

export type { DebuggerEvent };

/** Reports the open dialog of a tab, or that it has closed. */
export type DialogListener = (tabId: number, dialog: PageDialog | null) => void;

interface Lease {
  readonly abort: AbortController;
  readonly listeners: Set<(event: DebuggerEvent) => void>;
  /** Sessions whose Runtime domain it has enabled. */
  readonly recording: Set<string | null>;
  keepsDialogs: boolean;
  /** It has new sessions wait, and lets them go. */
  resumes?: boolean;
}

class Attachment {
  /** Known only if the dialog opened while a lease had enabled the Page domain. */
  dialog: PageDialog | null = null;
  /** The debugger may attach to the current page; a later page is checked again. */
  isChecked = false;
  readonly children = new Map<string, Target>();
  readonly autoAttaching = new Set<string | null>();
  readonly contexts = new OwnContexts();
  readonly leases = new Set<Lease>();

  constructor(
    readonly tabId: number,
    readonly attached: Promise<void>,
    readonly held: HeldInput,
    readonly sizes: TabSizes,
  ) {}
}

/**
 * One tool's lease of a tab's debugger. Several may share the tab's one attachment, so none of them disables a domain:
 * the last release does, by detaching. The Runtime and Log domains report their history only when they are enabled; to
 * get it again, they are disabled and immediately enabled.
 */
export type DebuggerLease = ReturnType<typeof leaseOf>;

function leaseOf(attachment: Attachment, lease: Lease, onKeep: () => void, release: () => Promise<void>) {
  const { tabId, held } = attachment;
  const { signal } = lease.abort;
  const contexts: Pick<OwnContexts, 'of' | 'in'> = attachment.contexts;
  const send = (method: string, params?: object, options?: SendOptions): Promise<Record<string, unknown>> => {
    const session = options?.sessionId ?? null;
    if (method === 'Target.setAutoAttach') {
      attachment.autoAttaching.add(session);
      lease.resumes ||= Reflect.get(params ?? {}, 'waitForDebuggerOnStart') === true;
    }
    if (method === 'Emulation.setDeviceMetricsOverride') attachment.sizes.forget(tabId);
    if (method === 'Runtime.enable') lease.recording.add(session);
    if (method === 'Runtime.disable') {
      lease.recording.delete(session);
      attachment.contexts.forget(session);
    }
    // A command is not sent if its attachment has ended.
    if (!signal.aborted) held.note(session, method, { ...params });
    return sendCommand({ tabId, method, params, options, gone: signal });
  };
  return {
    tabId,
    /** Aborted when the attachment ends before the release; its reason is coded. */
    signal,
    /**
     * Sends a CDP command.
     * @throws SpillwayError of the lost attachment, `page_unresponsive`, `page_forbidden` for another target, or `internal_error` with CDP's message
     */
    send,
    /** Contexts of our own scripts, in sessions with the Runtime domain enabled. */
    contexts,
    /** The sessions below the tab that auto-attaching has created, for any caller. */
    sessions: (): readonly string[] => [...attachment.children.keys()],
    targets: (): readonly Target[] => [...attachment.children.values()],
    /** Whether another lease has enabled the Runtime domain. */
    isRecording: (session: string | null): boolean =>
      [...attachment.leases].some((one) => one !== lease && one.recording.has(session)),
    autoAttaches: (session: string | null): boolean => attachment.autoAttaching.has(session),
    /**
     * Makes dialogs of the tab known and wait for an answer. Without it, dialogs that no window shows are left to the
     * caller that enabled the Page domain.
     */
    keepDialogs: async (): Promise<void> => {
      lease.keepsDialogs = true;
      onKeep();
      await send('Page.enable');
    },
    dialogsAreKept: (): boolean => keepsDialogs(attachment),
    /** Releases keys and buttons that commands to the tab left pressed. Never rejects. */
    releaseInput: async (): Promise<void> => {
      const sent = held
        .take()
        .map(({ method, params, sessionId }) => send(method, params, { sessionId, timeoutMs: RELEASE_MS }));
      await Promise.allSettled(sent);
    },
    /** Receives every event of the tab and its sessions until the release, or the returned function is called. */
    onEvent: (listener: (event: DebuggerEvent) => void): (() => void) => {
      lease.listeners.add(listener);
      return () => void lease.listeners.delete(listener);
    },
    /** Idempotent. */
    release,
  };
}

/** Remembers a person's Cancel beyond the worker, but not beyond the browser. */
export interface CancelMemory {
  isCancelled(): Promise<boolean>;
  remember(): Promise<void>;
}

/**
 * Every use of `chrome.debugger`: one attachment per tab, counted, with focus emulation on. It is dropped when the last
 * lease or the bridge goes, and after a person's Cancel it is not made again until they allow it.
 */
export class DebuggerSessions extends TabSessions {
  readonly #guard: PageGuard;
  readonly #attachments = new Map<number, Attachment>();
  readonly #keptDialogs = new Set<number>();
  readonly #sizes = new TabSizes();
  #onDialog: DialogListener = () => undefined;
  /** Ends leftovers of an earlier worker, which the browser takes for another debugger's attachments. */
  #reconciled: Promise<void> = Promise.resolve();

  /** Registers its listeners at once: a worker that wakes must not miss an event. */
  constructor(
    private readonly memory: CancelMemory,
    private readonly heldMemory: HeldMemory,
  ) {
    super();
    this.#guard = new PageGuard((tabId, error) => {
      if (!this.#attachments.has(tabId)) return;
      // The leases end before the browser is asked, so they send no more commands.
      this.#lose(tabId, error);
      void detach(tabId);
    });
    chrome.debugger.onEvent.addListener((source, method, params) =>
      this.#event(source, method, { ...params }),
    );
    chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
      if (reason === 'canceled_by_user') void this.memory.remember();
      if (reason === 'target_closed' && tabId !== undefined) this.#keptDialogs.delete(tabId);
      if (tabId !== undefined) this.#lose(tabId, detachError(tabId, reason));
    });
  }

  /**
   * Attaches, or shares an existing attachment.
   * @throws SpillwayError `debugger_cancelled`, `debugger_unavailable`, `page_forbidden`, `tab_not_found`, or
   *   the signal's reason
   */
  async acquire(tabId: number, signal: AbortSignal): Promise<DebuggerLease> {
    await this.#reconciled;
    await this.#checkAllowed();
    if (this.#attachments.get(tabId)?.isChecked !== true) await this.#guard.check(tabId);
    signal.throwIfAborted();
    this.checkLent(tabId);
    const attachment = this.#attachments.get(tabId) ?? this.#attach(tabId);
    const abort = new AbortController();
    const lease: Lease = { abort, listeners: new Set(), recording: new Set(), keepsDialogs: false };
    attachment.leases.add(lease);
    try {
      await attachment.attached;
      // A Cancel while nothing was attached has ended nothing.
      await this.#checkAllowed();
      // The page may have changed by the time the browser has attached.
      if (!attachment.isChecked) await this.#guard.check(tabId);
      attachment.isChecked = true;
      signal.throwIfAborted();
      this.checkLent(tabId);
      lease.abort.signal.throwIfAborted();
    } catch (thrown) {
      await this.#release(attachment, lease);
      throw thrown;
    }
    const onKeep = (): void => void this.#keptDialogs.add(tabId);
    return leaseOf(attachment, lease, onKeep, () => this.#release(attachment, lease));
  }

  /** Does work with a lease that ends with it. @throws SpillwayError as {@link acquire}, and of the work */
  async use<T>(tabId: number, signal: AbortSignal, work: (lease: DebuggerLease) => Promise<T>): Promise<T> {
    const lease = await this.acquire(tabId, signal);
    try {
      return await work(lease);
    } finally {
      await lease.release();
    }
  }

  /** The debugger is attached to some tab. */
  get isInUse(): boolean {
    return this.#attachments.size > 0;
  }

  /** The open dialog of a tab, if known: never attaches. */
  dialogOf(tabId: number): PageDialog | null {
    return this.#attachments.get(tabId)?.dialog ?? null;
  }

  /** Whether the dialogs of a tab were ever kept for an agent, which has then acted there. */
  hasKeptDialogs(tabId: number): boolean {
    return this.#keptDialogs.has(tabId);
  }

  /** Reports every dialog that opens while dialogs are known, and its end. */
  onDialog(listener: DialogListener): void {
    this.#onDialog = listener;
  }

  /** Detaches from every tab: the bridge has disconnected, and with it all users. */
  dropAll(reason: SpillwayError): void {
    for (const tabId of [...this.#attachments.keys()]) this.drop(tabId, reason);
  }

  /** Detaches from a tab: all its users lose it. */
  drop(tabId: number, reason: SpillwayError): void {
    const attachment = this.#attachments.get(tabId);
    if (attachment === undefined) return;
    releaseHeld(tabId, attachment.held.take());
    this.#lose(tabId, reason);
    void detach(tabId);
  }

  /** Ends attachments of an earlier worker, as the worker starts. @param clear removes what it has left in a tab */
  reconcile(clear: (tabId: number) => unknown = () => undefined): Promise<void> {
    // Attaching to a leftover that could not be ended fails; everything else works.
    this.#reconciled = this.#endLeftovers(clear).catch(() => undefined);
    return this.#reconciled;
  }

  async #endLeftovers(clear: (tabId: number) => unknown): Promise<void> {
    const held = await this.heldMemory.all().catch(() => new Map<number, readonly Release[]>());
    for (const { tabId, attached } of await chrome.debugger.getTargets()) {
      if (!attached || tabId === undefined || this.#attachments.has(tabId)) continue;
      releaseHeld(tabId, held.get(tabId) ?? []);
      void clear(tabId);
      // Another debugger's attachment is not ours to end, and the browser does not let us.
      await detach(tabId);
    }
    for (const tabId of held.keys()) if (!this.#attachments.has(tabId)) await this.heldMemory.keep(tabId, []);
  }

  async #checkAllowed(): Promise<void> {
    if (await this.memory.isCancelled())
      throw new SpillwayError('debugger_cancelled', 'A person stopped debugging in this browser.');
  }

  #attach(tabId: number): Attachment {
    const attached = chrome.debugger.attach({ tabId }, PROTOCOL).then(
      async () => {
        const now = this.#attachments.get(tabId);
        // Lost before it was made. If there is a newer one, it has replaced this one, or fails because of it.
        if (now === undefined) return detach(tabId);
        if (now !== attachment) return now.attached.catch(() => detach(tabId));
        // Without it a background tab gets no frames, no timers and no lazy pictures.
        const emulated = chrome.debugger
          .sendCommand({ tabId }, 'Emulation.setFocusEmulationEnabled', { enabled: true })
          .catch(() => undefined);
        const sized = this.#sizes.give(tabId).catch(() => undefined);
        // A tab that waits for a document accepts it only after its arrival, which may never happen.
        await waitAtMost(Promise.all([emulated, sized]), EMULATION_MS);
      },
      (thrown: unknown) => {
        if (this.#attachments.get(tabId) === attachment) this.#attachments.delete(tabId);
        throw attachError(thrown, tabId);
      },
    );
    attached.catch(() => undefined);
    const held = new HeldInput(tabId, this.heldMemory);
    const attachment: Attachment = new Attachment(tabId, attached, held, this.#sizes);
    this.#attachments.set(tabId, attachment);
    return attachment;
  }

  async #release(attachment: Attachment, lease: Lease): Promise<void> {
    lease.listeners.clear();
    if (attachment.leases.delete(lease)) await this.#detachUnused(attachment);
  }

  /** A debugger attached after a dialog has opened cannot answer it, so the attachment that saw it open stays. */
  async #detachUnused(attachment: Attachment): Promise<void> {
    if (attachment.leases.size > 0 || attachment.dialog !== null) return;
    if (this.#attachments.get(attachment.tabId) !== attachment) return;
    this.#attachments.delete(attachment.tabId);
    this.#sizes.forget(attachment.tabId);
    releaseHeld(attachment.tabId, attachment.held.take());
    await detach(attachment.tabId);
  }

  #lose(tabId: number, reason: SpillwayError): void {
    const attachment = this.#attachments.get(tabId);
    if (attachment === undefined) return;
    this.#attachments.delete(tabId);
    this.#sizes.forget(tabId);
    attachment.held.take();
    this.#setDialog(attachment, null);
    for (const { abort } of attachment.leases) abort.abort(reason);
  }

  #event(
    { tabId, sessionId }: chrome.debugger.DebuggerSession,
    method: string,
    params: Record<string, unknown>,
  ): void {
    const attachment = tabId === undefined ? undefined : this.#attachments.get(tabId);
    if (attachment === undefined) return;
    const event: DebuggerEvent = { sessionId: sessionId ?? null, method, params };
    if (!this.#guard.passes(attachment.tabId, event)) return;
    const target = targetIn(event);
    if (target !== null) attachment.children.set(target.session, target);
    const child = params['sessionId'];
    if (typeof child === 'string' && method === 'Target.detachedFromTarget') {
      attachment.children.delete(child);
      attachment.autoAttaching.delete(child);
      attachment.contexts.forget(child);
    }
    attachment.contexts.take(event.sessionId, method, params);
    // If no window shows it, the caller that enabled the Page domain answers it at once, unless it is kept.
    if (
      method === 'Page.javascriptDialogOpening' &&
      (params['hasBrowserHandler'] === true || keepsDialogs(attachment))
    )
      this.#setDialog(attachment, pageDialog(params));
    if (method === 'Page.javascriptDialogClosed') this.#setDialog(attachment, null);
    for (const { listeners } of attachment.leases) for (const listener of listeners) listener(event);
    resumeSession(attachment, params);
  }

  #setDialog(attachment: Attachment, dialog: PageDialog | null): void {
    if (attachment.dialog === null && dialog === null) return;
    attachment.dialog = dialog;
    this.#onDialog(attachment.tabId, dialog);
    if (dialog === null) void this.#detachUnused(attachment);
  }
}

const detach = (tabId: number): Promise<void> => chrome.debugger.detach({ tabId }).catch(() => undefined);

const keepsDialogs = ({ leases }: Attachment): boolean =>
  [...leases].some(({ keepsDialogs: keeps }) => keeps);

/** The lease that made sessions wait may have gone, while another keeps the attachment. */
function resumeSession({ tabId, leases }: Attachment, params: Record<string, unknown>): void {
  if (params['waitingForDebugger'] !== true || [...leases].some(({ resumes }) => resumes)) return;
  chrome.debugger
    .sendCommand({ tabId, sessionId: String(params['sessionId']) }, 'Runtime.runIfWaitingForDebugger')
    .catch(() => undefined);
}
