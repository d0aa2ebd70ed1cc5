import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { BrowserId, BrowserState } from '../../../server/core/services.ts';
import { AddressGuard } from '../../../server/crawl/redirects.ts';
import {
  browserHops,
  browserLine,
  emptyPage,
  followHops,
  type PageSource,
} from '../../../server/crawl/source.ts';
import type { MethodName } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { browserState, FakeBridge } from '../../support/fake-bridge.ts';
import { PATIENCE } from '../../support/patience.ts';

const HREF = 'http://site.test/';
const signal = new AbortController().signal;

const profile = (instance: string, connected: boolean, id: BrowserId = 'b1'): BrowserState =>
  browserState({ instance, connected, id });

type PageFacts = ReturnType<typeof emptyPage>['facts'];
type Answer = {
  readonly lines: readonly object[];
  readonly error?: SpillwayError;
  readonly facts?: PageFacts;
};

/** A bridge whose crawl.page answers one after the other of `answers`. */
class ScriptedBridge extends FakeBridge {
  constructor(answers: readonly Answer[]) {
    super();
    this.change(profile('one', true));
    const left = [...answers];
    const lose = (): void => this.change(...this.browsers().map((one) => ({ ...one, connected: false })));
    this.answer({
      'crawl.release': async () => ({}),
      'crawl.page': async function* ({ url }) {
        const { lines, error, facts } = left.shift() ?? { lines: [] };
        if (error?.code === 'browser_disconnected') lose();
        for (const line of lines) yield `${JSON.stringify(line)}\n`;
        if (error !== undefined) throw error;
        return facts ?? emptyPage(url, { code: '', message: '' }).facts;
      },
    });
  }

  asked(method: MethodName): readonly unknown[] {
    return this.calls.filter((call) => call.method === method).map(({ params }) => params);
  }
}

function sourceOf(bridge: ScriptedBridge): { source: PageSource; events: string[] } {
  const events: string[] = [];
  const onLost = (event: string): void => void events.push(event);
  const line = browserLine({ bridge, instance: 'one', returnMs: Infinity, onLost });
  const guard = new AddressGuard([]);
  const hops = browserHops({
    bridge,
    line,
    crawl: 'run_X',
    call: null,
    render: 'never',
    format: 'markdown',
    mainContentOnly: true,
    allowPrivate: guard.allowsPrivate,
  });
  return { source: followHops(hops, guard), events };
}

const gone = new SpillwayError('browser_disconnected', 'The port went.');

test('lines become links, content and hash', async () => {
  const links = [
    { url: `${HREF}a`, text: 'A' },
    { url: `${HREF}b`, text: 'B', rel: 'external NoFollow' },
  ];
  const texts = ['# One\n', 'two'].map((text) => ({ kind: 'text', text }));
  const bridge = new ScriptedBridge([{ lines: [{ kind: 'links', links }, ...texts] }]);
  const page = await sourceOf(bridge).source.page(HREF, signal);
  expect(page.content).toBe('# One\ntwo');
  expect(page.contentHash).toBe(createHash('sha256').update('# One\ntwo').digest('hex'));
  expect(page.links).toEqual([
    { href: `${HREF}a`, text: 'A', isNofollow: false },
    { href: `${HREF}b`, text: 'B', isNofollow: true },
  ]);
  const asked = { crawl: 'run_X', url: HREF, render: 'never', format: 'markdown', extract: null };
  expect(bridge.asked('crawl.page')).toMatchObject([{ ...asked, main_content_only: true }]);
});

test.each([
  ['timeout', 'response_timeout'],
  ['stream_corrupt', 'stream_corrupt'],
  ['page_unresponsive', 'page_unresponsive'],
] as const)('a page that fails with %s has the error %s', async (code, shown) => {
  const bridge = new ScriptedBridge([{ lines: [], error: new SpillwayError(code, 'It failed.') }]);
  expect((await sourceOf(bridge).source.page(HREF, signal)).facts.error).toEqual({
    code: shown,
    message: 'It failed.',
  });
});

test('a browser that goes is waited for: the same profile, though it has another number', async () => {
  const bridge = new ScriptedBridge([
    { lines: [], error: gone },
    { lines: [{ kind: 'text', text: 'Back.' }] },
  ]);
  const { source, events } = sourceOf(bridge);
  const page = source.page(HREF, signal);
  await vi.waitUntil(() => events.length === 1, PATIENCE);
  const looks = vi.spyOn(bridge, 'ready');
  bridge.change(profile('other', true, 'b2'));
  await vi.waitUntil(() => looks.mock.calls.length > 0, PATIENCE);
  await new Promise(setImmediate);
  expect(events).toHaveLength(1);
  bridge.change(profile('other', true, 'b2'), profile('one', true, 'b3'));
  expect((await page).content).toBe('Back.');
  expect(events).toEqual(['crawl_browser_lost', 'crawl_browser_back']);
});

test('the wait for a browser ends with the crawl, and with it no wait of another', async () => {
  const bridge = new ScriptedBridge([{ lines: [], error: gone }]);
  const { source, events } = sourceOf(bridge);
  const stop = new AbortController();
  const page = source.page(HREF, stop.signal);
  await vi.waitUntil(() => events.length === 1, PATIENCE);
  const other = source.page(HREF, signal);
  stop.abort(new Error('stopped'));
  await expect(page).rejects.toThrow('stopped');
  bridge.change(profile('one', true));
  expect((await other).content).toBe('');
});

const crashed = new SpillwayError('page_crashed', 'It crashed.');
const inFacts = { ...emptyPage(HREF, crashed).facts };

test.each<[string, readonly Answer[], string | null, number]>([
  ['once, with half of its lines', [{ lines: [{ kind: 'text', text: 'Ha' }], error: crashed }], null, 2],
  ['once, and says so in its facts', [{ lines: [], facts: inFacts }], null, 2],
  [
    'twice',
    [
      { lines: [], error: crashed },
      { lines: [], facts: inFacts },
    ],
    'page_crashed',
    2,
  ],
  [
    'and the browser with it',
    [
      { lines: [], error: crashed },
      { lines: [], error: gone },
    ],
    null,
    3,
  ],
])('a page that crashes %s is asked for once more', async (_name, answers, code, times) => {
  const bridge = new ScriptedBridge([...answers, { lines: [{ kind: 'text', text: 'Whole.' }] }]);
  const { source, events } = sourceOf(bridge);
  const page = source.page(HREF, signal);
  if (times === 3) {
    await vi.waitUntil(() => events.length === 1, PATIENCE);
    bridge.change(profile('one', true));
  }
  const { facts, content } = await page;
  expect({ code: facts.error?.code || null, content }).toEqual({
    code,
    content: code === null ? 'Whole.' : '',
  });
  expect(bridge.asked('crawl.page')).toHaveLength(times);
});
