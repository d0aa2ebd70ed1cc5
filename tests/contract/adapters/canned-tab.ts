import type { MethodName, MethodParams, StreamMethodName } from '../../../shared/bridge/methods.ts';
import type { BrowserId } from '../../../server/core/services.ts';
import type { FakeBridge } from '../../support/fake-bridge.ts';

/** One transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const URL = 'https://example.com/';
const page = {
  url: URL,
  title: 'Example',
  lang: 'en',
  content_type: 'text/html',
  ready_state: 'complete',
  frames: 1,
};
const field = (value: string): object => ({ value, strategy: 'tables', selector: 'td', confidence: 1 });
const record = { strategy: 'tables', where: '#1', lang: 'en', fields: { name: field('Lamp') } };
const message = {
  at_ms: 1_700_000_000_000,
  level: 'error',
  text: 'It broke.',
  source: 'console',
  url: URL,
  line: 1,
  column: 2,
  stack: [],
};

/** What streams other than a read of the page answer. */
const STREAMS: Partial<
  Record<StreamMethodName, { readonly chunks: readonly string[]; readonly done: object }>
> = {
  'page.console': {
    chunks: [`${JSON.stringify(message)}\n`],
    done: { url: URL, messages: 1, dropped: 0 },
  },
  'page.screenshot': {
    chunks: [PIXEL],
    done: {
      url: URL,
      width: 1,
      height: 1,
      scale: 1,
      size_bytes: 68,
      shown: { x: 0, y: 0, width: 1, height: 1 },
      coverage: [],
    },
  },
  'page.skeleton': {
    chunks: ['<html>\n', '  <body>\n'],
    done: { page, coverage: [], hidden_elements: 0 },
  },
  'page.extract': {
    chunks: [`${JSON.stringify(record)}\n`],
    done: {
      page,
      coverage: [],
      tried: [{ strategy: 'tables', records: 1, coverage: 1 }],
      hidden_records: 0,
      next: null,
    },
  },
};

async function* insteadOf(read: AsyncIterable<string>, told: readonly string[]): AsyncGenerator<string> {
  for await (const _chunk of read);
  yield* told;
}

/** Teaches a made-up browser what every tool asks of a tab. */
export function answerEverything(bridge: FakeBridge): void {
  const stream = bridge.stream.bind(bridge);
  const request = bridge.request.bind(bridge);
  Object.assign(bridge, {
    stream: (browser: BrowserId, method: StreamMethodName, params: never) => {
      const canned = STREAMS[method];
      const { chunks, done } = stream(browser, method, params);
      if (canned === undefined) return { chunks, done };
      // The tab itself is read first, so that one that is gone or broken fails here too.
      return { chunks: insteadOf(chunks, canned.chunks), done: done.then(() => canned.done) };
    },
    request: async (browser: BrowserId, method: MethodName, params: MethodParams<'tabs.get'>) => {
      if (method !== 'tabs.get') return request(browser, method, params as never);
      const { tabs } = await request(browser, 'tabs.list', {});
      return { tab: tabs.find(({ id }) => id === params.tab_id) };
    },
  });
}
