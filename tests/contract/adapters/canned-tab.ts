import type { BrowserId } from '../../../server/core/services.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { ConsoleMessage } from '../../../shared/tools/console/methods.ts';
import type { FakeBridge } from '../../support/fake-bridge.ts';
import { pageFacts } from '../../support/fake-tabs.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const URL = 'https://example.com/';
const page = { ...pageFacts({ url: URL, title: 'Example' }), lang: 'en' };
const field = (value: JsonValue) => ({ value, strategy: 'tables', selector: 'td', confidence: 1 }) as const;
const record: FoundRecord = { strategy: 'tables', where: '#1', lang: 'en', fields: { name: field('Lamp') } };
const message: ConsoleMessage = {
  at_ms: 1_700_000_000_000,
  level: 'error',
  text: 'It broke.',
  source: 'console',
  url: URL,
  line: 1,
  column: 2,
  stack: [],
};

export function answerEverything(bridge: FakeBridge): void {
  // The tab itself is read first, so that one that is closed or broken fails in each of its streams.
  const insteadOf = async function* (
    browser: BrowserId,
    tabId: number,
    told: string,
  ): AsyncGenerator<string> {
    for await (const _chunk of bridge.tabs.find(browser, tabId).content());
    yield told;
  };
  bridge.answer({
    'page.console': async function* ({ tab_id }, { browser }) {
      yield* insteadOf(browser, tab_id, `${JSON.stringify(message)}\n`);
      return { url: URL, messages: 1, dropped: 0 };
    },
    'page.screenshot': async function* ({ tab_id, tiles }, { browser }) {
      const shown = { x: 0, y: 0, width: 1, height: 1 };
      const lines = [
        { url: URL, tiles: 1 },
        { ...shown, scale: 1, base64: PIXEL },
      ];
      const text = tiles === undefined ? PIXEL : lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      yield* insteadOf(browser, tab_id, text);
      return { url: URL, width: 1, height: 1, scale: 1, size_bytes: 68, shown, coverage: [] };
    },
    'page.skeleton': async function* ({ tab_id }, { browser }) {
      yield* insteadOf(browser, tab_id, '<html>\n  <body>\n');
      return { page, coverage: [], hidden_elements: 0 };
    },
    'page.extract': async function* ({ tab_id }, { browser }) {
      yield* insteadOf(browser, tab_id, `${JSON.stringify(record)}\n`);
      const tried = [{ strategy: 'tables', records: 1, coverage: 1 } as const];
      return { page, coverage: [], tried, hidden_records: 0, next: null };
    },
  });
}
