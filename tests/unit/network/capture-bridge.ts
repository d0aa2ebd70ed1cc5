import type { StreamMethodName, StreamMethodParams } from '../../../shared/bridge/methods.ts';
import type { SpillwayError } from '../../../shared/errors.ts';
import type { CaptureLine } from '../../../shared/tools/network/methods.ts';
import type { Bridge, BridgeCallOptions, BridgeStream, BrowserState } from '../../../server/core/services.ts';
import { event } from './replay.ts';

type Ending = 'stopped' | 'tab_closed' | 'cancelled_by_person' | 'debugger_lost';

/** One `network.capture` that the bridge was asked for. */
interface OpenCapture {
  readonly bodies: string;
  readonly lines: string[];
  isCancelled: boolean;
  ended: Ending | SpillwayError | null;
  wake: () => void;
}

const BROWSER: BrowserState = {
  id: 'b1',
  connected: true,
  instance: 'i',
  facts: { name: 'Chromium', version: '1', label: null },
  extensionVersion: '1',
  hostVersion: '1',
  wire: 1,
  connectedAt: 0,
  reconnects: 1,
};

const response = {
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': 'application/json' },
  mimeType: '',
};

/** The browser side of captures, made up: a test says which lines come, and how a stream ends. */
export class CaptureBridge implements Bridge {
  readonly streams: OpenCapture[] = [];
  source: 'debugger' | 'web_request' = 'debugger';
  /** What every start is answered with. */
  refusal: SpillwayError | null = null;
  #changed: Parameters<Bridge['onChange']>[0] = () => undefined;
  #waiting: (() => void)[] = [];

  browsers(): [] {
    return [];
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  // The methods of a capture are the only ones that are asked for.
  async request(_browser: string, method: string, params: object): Promise<never> {
    return this.#answer(method, params) as never;
  }

  stream<M extends StreamMethodName>(
    _browser: string,
    _method: M,
    params: StreamMethodParams<M>,
    options: BridgeCallOptions = {},
  ): BridgeStream<M> {
    const bodies = 'bodies' in params ? String(params.bodies) : '';
    const capture: OpenCapture = {
      bodies,
      lines: [],
      isCancelled: false,
      ended: this.refusal,
      wake: () => undefined,
    };
    const before = this.streams.at(-1);
    this.streams.push(capture);
    if (before !== undefined) this.#finish(before, 'stopped');
    options.signal?.addEventListener('abort', () => {
      capture.isCancelled = true;
      capture.wake();
    });
    for (const started of this.#waiting.splice(0)) started();
    const done = new Promise<unknown>((resolve, reject) => {
      capture.wake = () => undefined;
      settle.set(capture, { resolve, reject });
    });
    done.catch(() => undefined);
    return { chunks: chunksOf(capture, this.source, options), done: done as BridgeStream<M>['done'] };
  }

  onChange(listener: Parameters<Bridge['onChange']>[0]): () => void {
    this.#changed = listener;
    return () => undefined;
  }

  setClients(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The browser is back. */
  connect(): void {
    this.#changed('connected', BROWSER);
  }

  /** Resolves when so many captures have been asked for. */
  async started(count: number): Promise<void> {
    while (this.streams.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  send(line: CaptureLine): void {
    const capture = this.streams.at(-1);
    if (capture === undefined) throw new Error('Nothing is being captured.');
    capture.lines.push(`${JSON.stringify(line)}\n`);
    capture.wake();
  }

  begin(requestId: string, url = `http://a.test/${requestId}`): void {
    this.send(
      event('requestWillBeSent', {
        requestId,
        request: { url, method: 'GET', headers: {} },
        timestamp: 10,
        wallTime: 1_700_000_000,
        type: 'Fetch',
      }),
    );
  }

  finish(requestId: string, { body }: { readonly body: string }): void {
    this.send(event('responseReceived', { requestId, timestamp: 11, response }));
    this.send(event('loadingFinished', { requestId, timestamp: 12, encodedDataLength: body.length }));
    this.send({
      kind: 'body',
      session: null,
      request_id: requestId,
      base64: false,
      data: body,
      size_bytes: body.length,
    });
  }

  /** A whole request. */
  exchange(requestId: string, { url, body }: { readonly url?: string; readonly body: string }): void {
    this.begin(requestId, url);
    this.finish(requestId, { body });
  }

  /** The browser ends the newest capture; resolves when the server has heard. */
  end(how: Ending): Promise<void> {
    return this.#over(how);
  }

  fail(error: SpillwayError): Promise<void> {
    return this.#over(error);
  }

  async #over(how: Ending | SpillwayError): Promise<void> {
    const capture = this.streams.at(-1);
    if (capture !== undefined) this.#finish(capture, how);
    await new Promise((resolve) => setImmediate(resolve));
  }

  #finish(capture: OpenCapture, how: Ending | SpillwayError): void {
    capture.ended ??= how;
    capture.wake();
  }

  #answer(method: string, params: object): unknown {
    const capture = this.streams.at(-1);
    if (this.refusal !== null) throw this.refusal;
    if (method === 'network.ready') return { source: this.source };
    if (method === 'network.mark' && 'mark' in params) this.send({ kind: 'mark', mark: Number(params.mark) });
    if (method === 'network.stop' && capture !== undefined) this.#finish(capture, 'stopped');
    return {};
  }
}

const settle = new WeakMap<
  OpenCapture,
  { readonly resolve: (value: unknown) => void; readonly reject: (reason: unknown) => void }
>();

async function* chunksOf(
  capture: OpenCapture,
  source: string,
  { signal }: BridgeCallOptions,
): AsyncGenerator<string> {
  for (;;) {
    const line = capture.lines.shift();
    if (line !== undefined) yield line;
    else if (capture.isCancelled) throw signal?.reason;
    else if (capture.ended === null) await new Promise<void>((resolve) => (capture.wake = resolve));
    else if (typeof capture.ended === 'string') {
      settle.get(capture)?.resolve({ source, ended: capture.ended, lost_lines: 0 });
      return;
    } else {
      settle.get(capture)?.reject(capture.ended);
      throw capture.ended;
    }
  }
}
