import type { NetworkCaptures, NetworkEntry } from '../../../server/core/network.ts';
import type { Bridge, BridgeStream, BrowserState } from '../../../server/core/services.ts';
import type { MethodResult, StreamMethodName } from '../../../shared/bridge/methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';

const MHTML = [
  'From: <Saved by Blink>',
  'Content-Type: multipart/related; boundary="x"',
  '',
  '--x',
  'Content-Type: text/html',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>Mill</p>',
  '--x--',
  '',
].join('\r\n');

const BROWSER: BrowserState = {
  id: 'b1',
  connected: true,
  instance: 'instance-1',
  facts: { name: 'Chromium', version: '156.0', label: null },
  extensionVersion: '0.2.0',
  hostVersion: '0.3.0',
  wire: 1,
  connectedAt: 0,
  reconnects: 0,
};

/** The tab b1:42 with everything that a bundle asks of it, and what goes wrong with it. */
export class FakeTab {
  url = 'http://fixture.test/';
  text = 'Mill\n';
  isCaptured = false;
  readonly calls: string[] = [];
  readonly failures = new Map<string, SpillwayError>();
  readonly breaksAfterFirstChunk = new Set<string>();
  readonly hangs = new Set<string>();

  readonly bridge: Bridge = {
    browsers: () => [BROWSER],
    ready: () => Promise.resolve(),
    request: async (_browser, method) => {
      this.#called(method);
      const tab = {
        id: 42,
        window_id: 1,
        url: this.url,
        title: 'Mill',
        active: true,
        status: 'complete',
        discarded: false,
      };
      const answers = {
        'tabs.get': { tab },
        'page.navigate': { tab, status: 200, redirects: [{ url: this.url, status: 302 }] },
      };
      return Reflect.get(answers, method) as MethodResult<typeof method>;
    },
    stream: (_browser, method, _params, options) => this.#stream(method, options?.signal),
    onChange: () => () => undefined,
    setClients: () => undefined,
    close: () => Promise.resolve(),
  };

  readonly network: NetworkCaptures = {
    start: async (_session, _target, { bodies }) => {
      this.#called('network.start', bodies);
      this.isCaptured = true;
      return this.#view();
    },
    stop: async () => {
      this.#called('network.stop');
      return this.#view();
    },
    clear: () => undefined,
    status: () => ({
      captures: this.isCaptured ? [this.#view()] : [],
      entries: 1,
      size_bytes: 0,
      max_bytes: 0,
      dropped_entries: 0,
      dropped_bodies: 0,
      lost_lines: 0,
      disk_error: null,
    }),
    has: () => this.isCaptured,
    entries: async (_session, { filter }) => {
      this.#called('network.entries', filter.since);
      return {
        entries: this.#entries(),
        coverage: [],
        redacted: { secrets: {}, invisibleCharacters: 0, instructionLike: 0 },
        pages: [],
      };
    },
    startAll: () => Promise.resolve([]),
    stopAll: () => Promise.resolve([]),
    beforeLoad: () => Promise.resolve(),
    capturesFromStart: () => false,
    close: () => Promise.resolve(),
  };

  async *#entries(): AsyncGenerator<NetworkEntry> {
    yield { _id: 'r1', startedDateTime: '2026-11-20T10:00:00.000Z' };
  }

  #view() {
    return {
      tab: 'b1:42',
      state: 'capturing',
      source: 'debugger',
      bodies: 'all',
      ended: null,
      gaps: 0,
    } as const;
  }

  #called(name: string, detail?: string): void {
    this.calls.push(detail === undefined ? name : `${name} ${detail}`);
    const failure = this.failures.get(name);
    if (failure !== undefined) throw failure;
  }

  #stream<M extends StreamMethodName>(method: M, signal?: AbortSignal): BridgeStream<M> {
    let settle: { resolve: (result: MethodResult<M>) => void; reject: (reason: unknown) => void } | undefined;
    const done = new Promise<MethodResult<M>>((resolve, reject) => (settle = { resolve, reject }));
    done.catch(() => undefined);
    const source = async function* (this: FakeTab): AsyncGenerator<string> {
      try {
        this.#called(method);
        yield CONTENTS[method]?.(this.text) ?? '{"kind":"fact"}\n';
        if (this.breaksAfterFirstChunk.has(method))
          throw new SpillwayError('browser_disconnected', 'The browser has gone.');
        if (this.hangs.has(method))
          await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
        settle?.resolve(RESULTS[method] as MethodResult<M>);
      } catch (thrown) {
        settle?.reject(thrown);
        throw thrown;
      }
    };
    return { chunks: source.call(this), done };
  }
}

const CONTENTS: Readonly<Record<string, (text: string) => string>> = {
  'page.screenshot': () => Buffer.from('a picture').toString('base64'),
  'page.read': (text) => text,
  'page.mhtml': () => MHTML,
};

const RESULTS: Readonly<Record<string, unknown>> = {
  'page.screenshot': { url: '', width: 10, height: 20, scale: 1, size_bytes: 9 },
  'page.read': { coverage: [{ kind: 'closed_frame', detail: 'one' }] },
  'page.mhtml': { size_bytes: 1 },
  'page.facts': { items: 1 },
  'page.console': { url: '', messages: 1, dropped: 0 },
};
