import { vouchEach } from '../../support/clean.ts';
import type { NetworkEntry } from '../../../server/libraries/har/parts.ts';
import type { NetworkCaptures } from '../../../server/network/index.ts';
import type { MethodResult, StreamMethodName } from '../../../shared/core/bridge/methods.ts';
import type { TabInfo } from '../../../shared/core/bridge/page.ts';
import type { SpillwayError } from '../../../shared/base/errors.ts';
import { browserState, FakeBridge } from '../../support/fake-bridge.ts';
import { pageFacts, tabInfo } from '../../support/fake-tabs.ts';

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

const LINE = '{"kind":"fact"}\n';

/** The tab b1:42 with everything that a bundle requests from it, and its failures. */
export class FakeTab {
  url = 'http://fixture.test/';
  text = 'Mill\n';
  isCaptured = false;
  readonly calls: string[] = [];
  readonly failures = new Map<string, SpillwayError>();
  readonly hangs = new Set<string>();

  readonly bridge = new FakeBridge({
    'tabs.get': async () => {
      this.#called('tabs.get');
      return { tab: this.#info() };
    },
    'page.navigate': async ({ caller }) => {
      this.#called('page.navigate', caller?.session);
      return { tab: this.#info(), status: 200, redirects: [{ url: this.url, status: 302 }] };
    },
    'page.screenshot': (_params, { signal }) =>
      this.#told('page.screenshot', signal, Buffer.from('a picture').toString('base64'), {
        url: '',
        width: 10,
        height: 20,
        scale: 1,
        size_bytes: 9,
        shown: { x: 0, y: 0, width: 10, height: 20 },
        coverage: [{ kind: 'cut', detail: 'the rest' }],
      }),
    'page.read': (_params, { signal }) =>
      this.#told('page.read', signal, this.text, {
        page: pageFacts({ url: this.url, title: 'Mill' }),
        coverage: [{ kind: 'closed_frame', detail: 'one' }],
        hidden_elements: 0,
        main_content: 'not_asked',
      }),
    'page.mhtml': (_params, { signal }) => this.#told('page.mhtml', signal, MHTML, { size_bytes: 1 }),
    'page.facts': (_params, { signal }) => this.#told('page.facts', signal, LINE, { items: 1 }),
    'page.console': (_params, { signal }) =>
      this.#told('page.console', signal, LINE, { url: '', messages: 1, dropped: 0, left_out: 2 }),
  });

  constructor() {
    this.bridge.change(browserState({ extensionVersion: '0.2.0', hostVersion: '0.3.0' }));
  }

  readonly network: Pick<NetworkCaptures, keyof NetworkCaptures> = {
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
        entries: vouchEach(this.#entries()),
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

  #info(): TabInfo {
    return tabInfo({ id: 42, url: this.url, title: 'Mill' });
  }

  async *#told<M extends StreamMethodName>(
    method: M,
    signal: AbortSignal,
    text: string,
    result: MethodResult<M>,
  ): AsyncGenerator<string, MethodResult<M>> {
    this.#called(method);
    yield text;
    if (this.hangs.has(method))
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return result;
  }
}
