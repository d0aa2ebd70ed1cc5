import {
  METHODS,
  type MethodName,
  type MethodParams,
  type MethodResult,
  type StreamMethodName,
  type StreamMethodParams,
} from '../../shared/core/bridge/methods.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import type {
  Bridge,
  BridgeCallOptions,
  BridgeStream,
  BrowserId,
  BrowserState,
} from '../../server/core/services.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import { TOOL_CASES } from './cases.generated.ts';
import type { BridgeHandlers, FakeCall } from './bridge-handlers.ts';
import { FakeTabs, type FakeTab } from './fake-tabs.ts';

type AnyHandler = (params: unknown, call: FakeCall) => Promise<unknown> | AsyncGenerator<string, unknown>;

const STREAM_PARAMS = { stream: 1, credit: 1 } as const;

/** A connected browser; a test overrides what matters to it. */
export function browserState(special: Partial<BrowserState> = {}): BrowserState {
  const id = special.id ?? 'b1';
  return {
    id,
    connected: true,
    instance: `instance-${id}`,
    facts: { name: 'Chromium', version: '156.0', label: null },
    extensionVersion: '0.1.0',
    hostVersion: '0.1.0',
    wire: 1,
    reconnects: 0,
    ...special,
  };
}

/**
 * Browsers in memory, behind the same interface as the real bridge. Params and results pass the same Zod schemas as on
 * the wire. {@link FakeTabs} answers everything that a test does not.
 */
export class FakeBridge implements Bridge {
  isPrivate = false;
  readonly calls: {
    readonly method: MethodName;
    readonly params: unknown;
    readonly scope?: CallScope | null | undefined;
  }[] = [];
  readonly tabs = new FakeTabs();
  #handlers: BridgeHandlers;
  #browsers: readonly BrowserState[] = [];
  readonly #listeners = new Set<Parameters<Bridge['onChange']>[0]>();

  constructor(handlers: BridgeHandlers = {}) {
    const ofTools = Object.values(TOOL_CASES).map(({ fakeHandlers }) => fakeHandlers);
    this.#handlers = Object.assign({}, this.tabs.handlers, ...ofTools, handlers);
  }

  answer(handlers: BridgeHandlers): void {
    this.#handlers = { ...this.#handlers, ...handlers };
  }

  addBrowser(tabs: Readonly<Record<number, FakeTab>> = {}, connected = true): BrowserId {
    const id: BrowserId = `b${this.#browsers.length + 1}`;
    this.#browsers = [...this.#browsers, browserState({ id, connected })];
    this.tabs.add(id, tabs);
    return id;
  }

  /** Replaces the browsers; listeners are called with each. */
  change(...browsers: BrowserState[]): void {
    this.#browsers = browsers;
    for (const browser of browsers)
      for (const listener of this.#listeners)
        listener(browser.connected ? 'connected' : 'disconnected', browser);
  }

  browsers(): readonly BrowserState[] {
    return this.#browsers;
  }

  ready(): Promise<void> {
    if (this.#browsers.some(({ connected }) => connected)) return Promise.resolve();
    return Promise.reject(
      new SpillwayError('browser_not_connected', 'No native host has registered itself.'),
    );
  }

  async request<M extends MethodName>(
    browser: BrowserId,
    method: M,
    params: MethodParams<M>,
    options?: BridgeCallOptions,
  ): Promise<MethodResult<M>> {
    options?.signal?.throwIfAborted();
    METHODS[method].params.parse(params);
    return resultOf(method, await this.#handle({ browser, method, params, options }));
  }

  async *stream<M extends StreamMethodName>(
    browser: BrowserId,
    method: M,
    params: StreamMethodParams<M>,
    options?: BridgeCallOptions,
  ): BridgeStream<M> {
    METHODS[method].params.parse({ ...params, ...STREAM_PARAMS });
    const made = this.#handle({ browser, method, params, options });
    if (!(Symbol.asyncIterator in made)) throw new Error(`${method} streams.`);
    return resultOf(method, yield* made);
  }

  get listening(): number {
    return this.#listeners.size;
  }

  onChange(listener: Parameters<Bridge['onChange']>[0]): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  setClients(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }

  #handle(call: {
    readonly browser: BrowserId;
    readonly method: MethodName;
    readonly params: object;
    readonly options: BridgeCallOptions | undefined;
  }): ReturnType<AnyHandler> {
    const { browser, method, params, options } = call;
    this.calls.push({ method, params, scope: options?.call });
    const known = this.#browsers.find(({ id }) => id === browser);
    if (known === undefined) throw new SpillwayError('browser_not_found', `no ${browser}`);
    if (!known.connected) throw new SpillwayError('browser_disconnected', `${browser} is gone`);
    options?.onSend?.();
    // The handler's type is inferred from the schema that the params have passed.
    const handler = this.#handlers[method] as AnyHandler | undefined;
    if (handler === undefined) throw new SpillwayError('api_not_found', `The fake bridge has no ${method}.`);
    return handler(params, { browser, signal: options?.signal ?? new AbortController().signal });
  }
}

function resultOf<M extends MethodName>(method: M, answer: unknown): MethodResult<M> {
  return METHODS[method].result.parse(answer) as MethodResult<M>;
}
