import { CaptureLine } from '../../../shared/tools/network/lines.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { receiveStream, type Received } from './stream.ts';
import type { HostPort } from './test-host.ts';

const WINDOW = 8 * 1024 * 1024;
const MIB = 1024 * 1024;

type Line<K extends CaptureLine['kind']> = Extract<CaptureLine, { kind: K }>;

/** A request as the lines of a capture tell of it; a redirect has one a hop. */
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

export interface CaptureStart {
  readonly port: HostPort;
  readonly tabId: number;
  readonly bodies?: 'none' | 'text' | 'all';
  readonly bodyBytes?: number;
  readonly bodiesBytes?: number;
  readonly channel?: number;
  /** Does not read before {@link TestCapture.listen}: nothing is granted beyond the first window. */
  readonly isDeaf?: boolean;
  readonly window?: number;
}

let nextStream = 1_000;

/** A capture as a server sees it: its lines as they come, and its end. */
export class TestCapture {
  readonly lines: CaptureLine[] = [];
  readonly stream: Promise<Received>;
  readonly result: Promise<MethodResult<'network.capture'>>;
  readonly id: number;
  readonly #start: CaptureStart;
  readonly #stream: number;
  #isDeaf: boolean;
  #owedBytes = 0;
  #rest = '';

  private constructor(start: CaptureStart) {
    this.#start = start;
    const { port, tabId, channel = 1, bodies = 'all', window = WINDOW } = start;
    const stream = nextStream++;
    this.#stream = stream;
    this.#isDeaf = start.isDeaf ?? false;
    this.stream = receiveStream(port, {
      stream,
      channel,
      window,
      onChunk: ({ data }) => {
        this.#take(data);
        if (this.#isDeaf) this.#owedBytes += Buffer.byteLength(data);
        return !this.#isDeaf;
      },
    });
    const params = {
      tab_id: tabId,
      bodies,
      body_bytes: start.bodyBytes ?? 2 * MIB,
      bodies_bytes: start.bodiesBytes ?? 1024 * MIB,
      stream,
      credit: window,
    };
    const call = port.start('network.capture', params, channel);
    this.id = call.id;
    this.result = call.result as Promise<MethodResult<'network.capture'>>;
    // A test that ends the port or fails elsewhere does not wait for these.
    this.result.catch(() => undefined);
    this.stream.catch(() => undefined);
  }

  /** Begins, and resolves when the tab is being captured. */
  static async start(start: CaptureStart): Promise<TestCapture> {
    const capture = new TestCapture(start);
    await start.port.call('network.ready', { tab_id: start.tabId }, start.channel);
    return capture;
  }

  /** Begins without waiting. */
  static begin(start: CaptureStart): TestCapture {
    return new TestCapture(start);
  }

  /** Resolves when everything that happened so far has come. */
  async mark(mark: number): Promise<void> {
    const { port, tabId, channel } = this.#start;
    await port.call('network.mark', { tab_id: tabId, mark }, channel);
    await this.line((line) => line.kind === 'mark' && line.mark === mark);
  }

  /** Reads on. */
  listen(): void {
    const { port, channel = 1 } = this.#start;
    this.#isDeaf = false;
    port.send(channel, { stream: this.#stream, credit: this.#owedBytes });
    this.#owedBytes = 0;
  }

  async stop(): Promise<MethodResult<'network.capture'>> {
    const { port, tabId, channel } = this.#start;
    await port.call('network.stop', { tab_id: tabId }, channel);
    return this.result;
  }

  /** The first line, there already or to come, that `matches`. */
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

  /** The one request whose address ends so; the last hop of a redirect. */
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
