import type { HeldMemory, Release } from '../../../../extension/platform/chromium/debugger/held-input.ts';
import { installBrowser } from '../../../support/browser-api.ts';

type Source = chrome.debugger.DebuggerSession;
type Params = Readonly<Record<string, unknown>>;
type EventListener = (source: Source, method: string, params?: Params) => void;
type DetachListener = (source: chrome.debugger.Debuggee, reason: string) => void;

type CommittedListener = (details: { tabId: number; frameId: number; url: string }) => void;
type UpdatedListener = (tabId: number, change: { url?: string }) => void;

export type SentCommand = { readonly target: Source; readonly method: string; readonly params: Params };

const SILENT = { addListener: () => undefined, removeListener: () => undefined };
const RUNTIME = { getURL: (path: string): string => `chrome-extension://spillway/${path}` };

export type Answer = (command: SentCommand) => unknown;

/** The part of `chrome.debugger` that the extension uses: accepts and refuses attachments as Chrome does. */
export class FakeDebugger {
  readonly attached = new Set<number>();
  readonly calls: string[] = [];
  readonly sent: SentCommand[] = [];
  refusal: string | null = null;
  ready: Promise<void> | null = null;
  answer: Answer = () => ({});
  readonly #onEvent = new Set<EventListener>();
  readonly #onDetach = new Set<DetachListener>();
  readonly #onCommitted = new Set<CommittedListener>();
  readonly #onUpdated = new Set<UpdatedListener>();
  /** The last listener for each event of `webRequest`. */
  readonly onRequest = new Map<string | symbol, (details: object) => void>();
  readonly urls = new Map<number, string>();

  /** Replaces `chrome.debugger`; `more` adds other parts of `chrome`. */
  static install(more: object = {}): FakeDebugger {
    const fake = new FakeDebugger();
    const parts = { debugger: fake.#api(), ...fake.#pages(), webRequest: fake.#requests() };
    installBrowser({ ...parts, runtime: RUNTIME, ...more });
    return fake;
  }

  emit(tabId: number, method: string, params: Params = {}, sessionId?: string): void {
    const source = sessionId === undefined ? { tabId } : { tabId, sessionId };
    for (const listener of this.#onEvent) listener(source, method, params);
  }

  detach(tabId: number, reason: string): void {
    this.attached.delete(tabId);
    for (const listener of this.#onDetach) listener({ tabId }, reason);
  }

  /** The methods that were sent, with the session below the tab. */
  get methods(): string[] {
    return this.sent.map(({ target, method }) => `${target.sessionId ?? 'tab'} ${method}`);
  }

  /** The browser commits a navigation; `shown` is the address that the tab shows for it. */
  navigate(tabId: number, url: string, shown = url): void {
    this.urls.set(tabId, shown);
    for (const listener of this.#onCommitted) listener({ tabId, frameId: 0, url });
    for (const listener of this.#onUpdated) listener(tabId, { url: shown });
  }

  #requests(): object {
    const get = (_target: object, name: string | symbol): object => ({
      ...SILENT,
      addListener: (listener: (details: object) => void) => void this.onRequest.set(name, listener),
    });
    return new Proxy({}, { get });
  }

  #pages(): object {
    return {
      tabs: {
        onRemoved: SILENT,
        get: (tabId: number) =>
          Promise.resolve({ id: tabId, url: this.urls.get(tabId) ?? 'https://a.test/' }),
        onActivated: { addListener: () => undefined },
        onUpdated: { addListener: (listener: UpdatedListener) => void this.#onUpdated.add(listener) },
      },
      webNavigation: {
        onCommitted: { addListener: (listener: CommittedListener) => void this.#onCommitted.add(listener) },
      },
    };
  }

  #api(): object {
    return {
      onEvent: { addListener: (listener: EventListener) => void this.#onEvent.add(listener) },
      onDetach: { addListener: (listener: DetachListener) => void this.#onDetach.add(listener) },
      attach: ({ tabId = -1 }: Source) => this.#attach(tabId),
      detach: ({ tabId = -1 }: Source) => this.#detach(tabId),
      sendCommand: (target: Source, method: string, params: Params) => this.#send({ target, method, params }),
      getTargets: () =>
        Promise.resolve([...this.attached].map((tabId) => ({ tabId, attached: true, type: 'page' }))),
    };
  }

  async #attach(tabId: number): Promise<void> {
    this.calls.push(`attach ${tabId}`);
    if (this.ready !== null) await this.ready;
    if (this.refusal !== null) throw new Error(this.refusal);
    if (this.attached.has(tabId))
      throw new Error(`Another debugger is already attached to the tab with id: ${tabId}.`);
    this.attached.add(tabId);
  }

  async #detach(tabId: number): Promise<void> {
    this.calls.push(`detach ${tabId}`);
    if (!this.attached.delete(tabId))
      throw new Error(`Debugger is not attached to the tab with id: ${tabId}.`);
  }

  #send(command: SentCommand): Promise<unknown> {
    this.sent.push(command);
    return Promise.resolve().then(() => this.answer(command));
  }
}

export class FakeCancelMemory {
  isSet = false;
  isCancelled = async (): Promise<boolean> => this.isSet;
  remember = async (): Promise<void> => void (this.isSet = true);
}

export class FakeHeldMemory implements HeldMemory {
  readonly kept = new Map<number, readonly Release[]>();
  keep = async (tabId: number, releases: readonly Release[]): Promise<void> => {
    if (releases.length === 0) this.kept.delete(tabId);
    else this.kept.set(tabId, releases);
  };
  all = async (): Promise<ReadonlyMap<number, readonly Release[]>> => new Map(this.kept);
}
