import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import type { SpillwayError } from '../../../shared/base/errors.ts';
import type { CaptureLine } from '../../../shared/network/lines.ts';
import type { BodyChoice } from '../../../shared/network/network.methods.ts';
import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { defer } from '../../../shared/base/async.ts';
import { browserState, FakeBridge } from '../../support/fake-bridge.ts';
import { event } from './replay.ts';

type CaptureResult = MethodResult<'network.capture'>;
type Ending = CaptureResult['ended'];
interface OpenCapture {
  readonly bodies: string;
  readonly lines: string[];
  isCancelled: boolean;
  ended: Ending | SpillwayError | null;
  wake: () => void;
  /** Resolves when the server has read its last line. */
  readonly over: ReturnType<typeof defer<void>>;
}

const headers = { 'content-type': 'application/json' };
const response = { status: 200, statusText: 'OK', headers, mimeType: '' };

/** A fake browser side of captures: a test decides which lines come, and how a stream ends. */
export class CaptureBridge extends FakeBridge {
  readonly streams: OpenCapture[] = [];
  source: 'debugger' | 'web_request' = 'debugger';
  refusal: SpillwayError | null = null;
  /** A stop waits for it. */
  stopping = Promise.resolve();
  readonly handlers: BridgeHandlers = {
    'network.ready': async () => {
      this.#refuse();
      return { source: this.source };
    },
    'network.mark': async ({ mark }) => {
      this.#refuse();
      this.send({ kind: 'mark', mark });
      return {};
    },
    'network.stop': async () => {
      this.#refuse();
      await this.stopping;
      this.#finish(this.streams.at(-1), 'stopped');
      return {};
    },
    'network.capture': ({ bodies }, { signal }) => this.#capture(bodies, signal),
  };
  #waiting: (() => void)[] = [];

  constructor() {
    super();
    this.addBrowser();
    this.answer(this.handlers);
  }

  connect(): void {
    this.change(browserState({ reconnects: 1 }));
  }

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
    const facts = { session: null, request_id: requestId, base64: false, size_bytes: body.length };
    this.send({ kind: 'body', data: body, ...facts });
  }

  exchange(requestId: string, { url, body }: { readonly url?: string; readonly body: string }): void {
    this.begin(requestId, url);
    this.finish(requestId, { body });
  }

  /** The browser ends the newest capture; resolves when the server knows. */
  async end(how: Ending | SpillwayError): Promise<void> {
    const capture = this.streams.at(-1);
    this.#finish(capture, how);
    await capture?.over.promise;
    await new Promise((resolve) => setImmediate(resolve));
  }

  #finish(capture: OpenCapture | undefined, how: Ending | SpillwayError): void {
    if (capture === undefined) return;
    capture.ended ??= how;
    capture.wake();
  }

  #refuse(): void {
    if (this.refusal !== null) throw this.refusal;
  }

  async *#capture(bodies: BodyChoice, signal: AbortSignal): AsyncGenerator<string, CaptureResult> {
    this.#refuse();
    const lines: string[] = [];
    const state = { isCancelled: false, ended: null, wake: () => undefined };
    const capture: OpenCapture = { bodies, lines, ...state, over: defer() };
    this.#finish(this.streams.at(-1), 'stopped');
    this.streams.push(capture);
    signal.addEventListener('abort', () => {
      capture.isCancelled = true;
      capture.wake();
    });
    for (const started of this.#waiting.splice(0)) started();
    try {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) yield line;
        else if (capture.isCancelled) throw signal.reason;
        else if (capture.ended === null) await new Promise<void>((resolve) => (capture.wake = resolve));
        else if (typeof capture.ended !== 'string') throw capture.ended;
        else return { source: this.source, ended: capture.ended, lost_lines: 0 };
      }
    } finally {
      capture.over.resolve();
    }
  }
}
