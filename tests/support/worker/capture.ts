import { CaptureLine } from '../../../shared/network/lines.ts';
import type { MethodResult } from '../../../shared/core/bridge/methods.ts';
import { receiveStream } from './stream.ts';
import type { HostPort } from './test-host.ts';

const MIB = 1024 * 1024;

type Line<K extends CaptureLine['kind']> = Extract<CaptureLine, { kind: K }>;

/** A request as reported by a capture's lines; a redirect has one per hop. */
export interface Exchange {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly type: string;
  readonly session: string | null;
  status: number | null;
  error: string | null;
  /** The body's text or base64, with its size. */
  body: { readonly data: string; readonly base64: boolean; readonly sizeBytes: number } | null;
  noBody: { readonly reason: string; readonly sizeBytes: number | null } | null;
  readonly request: Record<string, unknown>;
}

type CaptureStart = { readonly port: HostPort; readonly tabId: number };

let nextStream = 1_000;

/** A capture as a server sees it: its lines as they come, and its end. */
export class TestCapture {
  readonly lines: CaptureLine[] = [];
  readonly result: Promise<MethodResult<'network.capture'>>;
  readonly #start: CaptureStart;
  #rest = '';

  private constructor(start: CaptureStart) {
    this.#start = start;
    const { port, tabId } = start;
    const stream = nextStream++;
    const received = receiveStream(port, { stream, onChunk: ({ data }) => this.#take(data) });
    const params = {
      ...{ tab_id: tabId, bodies: 'all', body_bytes: 2 * MIB, bodies_bytes: 1024 * MIB },
      ...{ stream, credit: 8 * MIB },
    };
    this.result = port.start('network.capture', params).result as Promise<MethodResult<'network.capture'>>;
    // A test that ends the port or fails elsewhere does not wait for these.
    for (const end of [this.result, received]) end.catch(() => undefined);
  }

  static async start(start: CaptureStart): Promise<TestCapture> {
    const capture = new TestCapture(start);
    await start.port.call('network.ready', { tab_id: start.tabId });
    return capture;
  }

  async mark(mark: number): Promise<void> {
    const { port, tabId } = this.#start;
    await port.call('network.mark', { tab_id: tabId, mark });
    await this.line((line) => line.kind === 'mark' && line.mark === mark);
  }

  async stop(): Promise<MethodResult<'network.capture'>> {
    const { port, tabId } = this.#start;
    await port.call('network.stop', { tab_id: tabId });
    return this.result;
  }

  /** The first line, past or future, that `matches`. */
  async line(matches: (line: CaptureLine) => boolean): Promise<CaptureLine> {
    for (;;) {
      const found = this.lines.find(matches);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  of<K extends CaptureLine['kind']>(kind: K): Line<K>[] {
    return this.lines.filter((line): line is Line<K> => line.kind === kind);
  }

  events(method: string): Record<string, unknown>[] {
    return this.of('event').flatMap((line) => (line.method === method ? [line.params] : []));
  }

  exchanges(): Exchange[] {
    const latest = new Map<string, Exchange>();
    const all: Exchange[] = [];
    for (const line of this.lines) {
      if (line.kind === 'event') fold(line, latest, all);
      else if (line.kind === 'body' || line.kind === 'no_body') {
        const exchange = latest.get(line.request_id);
        if (exchange === undefined) continue;
        if (line.kind === 'no_body') exchange.noBody = { reason: line.reason, sizeBytes: line.size_bytes };
        else exchange.body = { data: line.data, base64: line.base64, sizeBytes: line.size_bytes };
      }
    }
    return all;
  }

  /** The only request whose address ends like this; the last hop of a redirect. */
  exchange(end: string): Exchange {
    const found = this.exchanges().find(({ url }) => url.endsWith(end));
    if (found === undefined) throw new Error(`No request of ${end} was captured.`);
    return found;
  }

  readonly #waiters: (() => void)[] = [];

  #take(data: string): void {
    const texts = (this.#rest + data).split('\n');
    this.#rest = texts.pop() ?? '';
    for (const text of texts) this.lines.push(CaptureLine.parse(JSON.parse(text)));
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

function fold(line: Line<'event'>, latest: Map<string, Exchange>, all: Exchange[]): void {
  const params = line.params as Record<string, unknown>;
  const id = String(params['requestId']);
  const known = latest.get(id);
  if (line.method === 'Network.requestWillBeSent') {
    const redirect = params['redirectResponse'] as { status: number } | undefined;
    if (known !== undefined && redirect !== undefined) known.status = redirect.status;
    const request = params['request'] as Record<string, unknown>;
    const [url, method, type] = [request['url'], request['method'], params['type']].map(String);
    const exchange: Exchange = {
      id,
      url: url ?? '',
      method: method ?? '',
      type: type ?? '',
      session: line.session,
      status: null,
      error: null,
      body: null,
      noBody: null,
      request,
    };
    latest.set(id, exchange);
    all.push(exchange);
  }
  if (known === undefined) return;
  if (line.method === 'Network.responseReceived')
    known.status = (params['response'] as { status: number }).status;
  if (line.method === 'Network.loadingFailed') known.error = String(params['errorText']);
}
