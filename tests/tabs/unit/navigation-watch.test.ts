import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LONG_LIVED_AFTER_MS } from '../../../extension/core/navigation/tab-requests.ts';
import {
  IDLE_MS,
  ABORT_GRACE_MS,
  NavigationWatch,
  type WatchOptions,
} from '../../../extension/tabs/worker/watch.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import {
  isIcon,
  type FileFacts,
  type NavigationEvent,
} from '../../../extension/core/navigation/browser-events.ts';

const TAB = 4;
const URL_A = 'http://site.test/a';
const URL_B = 'http://site.test/b';

type Said = NavigationEvent extends infer E ? (E extends unknown ? Omit<E, 'tabId'> : never) : never;

const on = (event: Said, tabId = TAB): NavigationEvent => ({ ...event, tabId }) as NavigationEvent;
const started = (url: string): Said => ({ type: 'started', url });
const main = (id: string, url: string): Said => ({ type: 'request', id, url, main: true, longLived: false });
const sub = (id: string, longLived = false): Said => {
  return { type: 'request', id, url: `http://site.test/${id}`, main: false, longLived };
};
const response = (id: string, status = 200, file?: FileFacts): Said => {
  return { type: 'response', id, status, longLived: false, ...(file !== undefined && { file }) };
};
/** The facts of a response of that content type. */
const typed = (contentType: string, isAttachment = false): FileFacts => {
  return { name: null, contentType, isAttachment, sizeBytes: null };
};
const ended = (id: string): Said => ({ type: 'request_ended', id, hasFailed: false });
const committed = (url: string, isHistoryStep = false): Said => ({ type: 'committed', url, isHistoryStep });
const failed = (url: string, error: string): Said => ({ type: 'failed', url, error });
const dom: Said = { type: 'dom_content_loaded' };
const loaded: Said = { type: 'loaded', url: URL_A };

/** The usual course of a load, up to its commit. */
const arriving = (id: string, url: string) => [started(url), main(id, url), response(id), committed(url)];

function watched(options: Partial<WatchOptions> = {}) {
  const abort = new AbortController();
  const watch = new NavigationWatch({
    tabId: TAB,
    action: 'goto',
    url: URL_A,
    wait_until: 'load',
    timeout_ms: 30_000,
    signal: abort.signal,
    ...options,
  });
  let end: unknown = null;
  watch.done.then(
    (outcome) => (end = outcome),
    (error: unknown) => (end = error),
  );
  const say = async (...events: Said[]): Promise<void> => {
    for (const event of events) watch.take(on(event));
    await vi.advanceTimersByTimeAsync(0);
  };
  return { watch, say, end: (): unknown => end, abort };
}

const done = (more: object = {}): object => ({ tabId: TAB, status: 200, redirects: [], ...more });

function expectError(end: unknown, code: string, said: string): void {
  expect(end).toBeInstanceOf(SpillwayError);
  expect(end).toMatchObject({ code, message: expect.stringContaining(said) as string });
}

beforeEach(() => void vi.useFakeTimers());

describe('the document that was asked for', () => {
  it.each([
    ['load', [dom], loaded],
    ['domcontentloaded', [], dom],
  ] as const)('is done at %s where that is awaited, not before', async (wait_until, before, event) => {
    const { say, end } = watched({ wait_until });
    await say(...arriving('1', URL_A), ...before);
    expect(end()).toBe(null);
    await say(event);
    expect(end()).toEqual(done());
  });

  it('is followed through redirects, also those that a new tab reports before it announces the navigation', async () => {
    const hop = { url: URL_A, status: 302 };
    const second = { url: `${URL_A}/2`, status: 301 };
    const redirects: Said[] = [
      { type: 'redirect', id: '1', hop, to: second.url },
      { type: 'redirect', id: '1', hop: second, to: URL_B },
    ];
    for (const first of [
      [main('1', URL_A), ...redirects, response('1'), started(URL_A)],
      [started(URL_A), main('1', URL_A), ...redirects, response('1')],
    ]) {
      const { say, end } = watched();
      await say(...first, committed(URL_B), dom, loaded);
      expect(end()).toEqual(done({ redirects: [hop, second] }));
    }
    const { say, end } = watched();
    await say(main('1', URL_A), ...redirects, started(URL_A), failed(URL_B, 'net::ERR_CONNECTION_REFUSED'));
    expectError(end(), 'navigation_failed', `${URL_B} failed with net::ERR_CONNECTION_REFUSED`);
  });

  it.each([
    ['before its response', [], [response('1')]],
    ['after its response', [response('1')], []],
  ])('is followed into another process %s', async (_when, before, after) => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), ...before, started(URL_A), failed(URL_A, 'net::ERR_ABORTED'));
    await vi.advanceTimersByTimeAsync(2 * ABORT_GRACE_MS);
    expect(end()).toBe(null);
    await say(committed(URL_A), ...after, dom, loaded);
    expect(end()).toEqual(done());
  });

  it('is followed through redirects of a service worker, whose requests are not reported', async () => {
    const { say, end } = watched();
    await say(started(URL_A), committed('http://site.test/before'));
    await say({ type: 'committed', url: URL_B, isHistoryStep: false, isRedirected: true }, dom, loaded);
    expect(end()).toEqual(done({ status: null }));
    const other = watched();
    await other.say(started(URL_A), failed('http://site.test/before', 'net::ERR_ABORTED'));
    expect(other.end()).toBe(null);
    await other.say(failed(URL_B, 'net::ERR_CONNECTION_REFUSED'));
    expectError(other.end(), 'navigation_failed', `${URL_B} failed with net::ERR_CONNECTION_REFUSED`);
  });

  it.each([
    ['a client certificate', 'SSL_CLIENT_AUTH_CERT_NEEDED', 'asks for a client certificate'],
    ['a form that is not sent again', 'CACHE_MISS', 'is the answer to a form'],
  ])('names %s', async (_what, error, said) => {
    const { say, end } = watched();
    await say(main('1', URL_A), started(URL_A), failed(URL_A, `net::ERR_${error}`));
    expectError(end(), 'navigation_failed', said);
  });
});

const asked = main('1', URL_A);
const shown = committed(URL_A);
const [blank, empty] = [started('about:blank'), committed('about:blank')];

it.each([
  ['commits and loads in between', arriving('0', URL_B), arriving('1', URL_A)],
  ['commits while the new one is fetched', [started(URL_A), asked, committed(URL_B)], arriving('1', URL_A)],
  ['is empty, and announced late', [asked, blank, response('1'), empty], [started(URL_A), shown]],
  ['is empty, and shown late', [asked, blank, started(URL_A), response('1'), empty], [shown]],
])('the document that was there before does not count when it %s', async (_what, events, then) => {
  const { say, end } = watched();
  await say(...events, dom, loaded);
  expect(end()).toBe(null);
  await say(...then, loaded);
  expect(end()).toEqual(done());
});

it.each([
  ['goto', 'http://site.test/a#x', { isHistoryStep: false }],
  ['back', null, { isHistoryStep: true }],
] as const)('%s within the document fetches nothing', async (action, url, { isHistoryStep }) => {
  const { watch, say, end } = watched({ action, url });
  const begins = watch.begins(1_000);
  await say({ type: 'same_document', url: 'http://site.test/a#x', isHistoryStep });
  expect(await begins).toBe(true);
  expect(end()).toBe(null);
  await say({ type: 'tab_complete' });
  expect(end()).toEqual(done({ status: null }));
});

it.each(['goto', 'reload'] as const)('%s is not done by what the old page writes', async (action) => {
  const { say, end } = watched({ action });
  await say({ type: 'same_document', url: URL_A, isHistoryStep: false }, { type: 'tab_complete' });
  expect(end()).toBe(null);
  await say(started(URL_A), failed(URL_A, 'net::ERR_CONNECTION_REFUSED'));
  expectError(end(), 'navigation_failed', 'ERR_CONNECTION_REFUSED');
});

const idle = { wait_until: 'networkidle' } as const;

it('networkidle waits until nothing was pending for the whole time', async () => {
  const { say, end } = watched(idle);
  await say(...arriving('1', URL_A), sub('2'), ended('1'), loaded);
  await vi.advanceTimersByTimeAsync(IDLE_MS * 2);
  expect(end()).toBe(null);
  await say(ended('2'));
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  await say(sub('3'), ended('3'));
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(end()).toBe(null);
  await vi.advanceTimersByTimeAsync(1);
  expect(end()).toEqual(done());
});

it('networkidle does not count sockets and event streams, nor what has been open for long', async () => {
  const { say, end } = watched(idle);
  await say(...arriving('1', URL_A), ended('1'), loaded, sub('socket', true), sub('events'), sub('poll'));
  await say({ type: 'response', id: 'events', status: 200, longLived: true });
  await vi.advanceTimersByTimeAsync(LONG_LIVED_AFTER_MS - 1);
  expect(end()).toBe(null);
  await vi.advanceTimersByTimeAsync(1 + IDLE_MS);
  expect(end()).toEqual(done());
});

describe('a navigation that does not arrive', () => {
  it('lets the command be given again for a page, once', async () => {
    const { watch, say, end } = watched();
    const again = vi.fn((tabId: number) => watch.startOver(tabId));
    watch.whenStopped(again);
    for (const id of ['1', '2']) {
      await say(started(URL_A), main(id, URL_A), response(id, 200, typed('text/html')), ended(id));
      await say(failed(URL_A, 'net::ERR_ABORTED'));
      await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
      expect(again.mock.calls).toEqual([[4]]);
      expect(end() === null).toBe(id === '1');
    }
    expectError(end(), 'navigation_failed', 'before its page was shown');
  });

  const mail = { type: 'redirect', id: '1', hop: { url: URL_A, status: 302 }, to: 'mailto:a@b' } as const;
  it.each<[string, Said, string, Said?]>([
    ['an attachment', response('1', 200, typed('text/html', true)), 'not saved'],
    ['one that Firefox reports as loaded', response('1', 200, typed('a/b', true)), 'not saved', loaded],
    ['no content', response('1', 204, typed('text/html')), 'without content'],
    ['a response whose headers were not seen', response('1'), 'not saved'],
    ['a redirect to an address for mail', mail, 'mailto:a@b is for another program'],
  ])('is explained, and not asked for again, for %s', async (_what, answer, said, last) => {
    const { watch, say, end } = watched();
    const again = vi.fn();
    watch.whenStopped(again);
    await say(started(URL_A), main('1', URL_A), answer, last ?? failed(URL_A, 'net::ERR_ABORTED'));
    await vi.advanceTimersByTimeAsync(2 * ABORT_GRACE_MS);
    expect(again).not.toHaveBeenCalled();
    expectError(end(), 'not_a_page', said);
  });

  it.each([
    ['before', [failed(URL_A, 'net::ERR_ABORTED'), started(URL_A)]],
    ['after', [started(URL_A), failed(URL_A, 'net::ERR_ABORTED')]],
  ])(
    'outlasts the abort of an earlier navigation to its address, told %s it starts',
    async (_when, events) => {
      const { say, end } = watched();
      await say(started(URL_A), main('1', URL_A), response('1'), ...events, main('2', URL_A));
      await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
      expect(end()).toBe(null);
      await say(response('2'), committed(URL_A), loaded);
      expect(end()).toEqual(done());
    },
  );

  it.each<[string, Said[], string, WatchOptions['action']?]>([
    ['a start', [started(URL_A), asked], `${URL_A} has not responded`],
    ['a document', [...arriving('1', URL_A)], 'has started to load'],
    ['a question of the browser', [], 'whether to send the form of this page again', 'reload'],
  ])('says after the deadline that it got to %s', async (_name, events, said, action = 'goto') => {
    const { say, end } = watched({ action, timeout_ms: 800 });
    await say(...events);
    await vi.advanceTimersByTimeAsync(799);
    expect(end()).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expectError(end(), 'navigation_timeout', said);
  });

  it('stops with the signal, before or while it waits', async () => {
    const late = watched();
    const begins = late.watch.begins(10_000);
    late.abort.abort(new SpillwayError('cancelled', 'Enough.'));
    await vi.advanceTimersByTimeAsync(0);
    expectError(late.end(), 'cancelled', 'Enough.');
    expect(await begins).toBe(true);
    const early = watched({ signal: AbortSignal.abort(new SpillwayError('cancelled', 'Before.')) });
    await vi.advanceTimersByTimeAsync(0);
    expectError(early.end(), 'cancelled', 'Before.');
    expect(vi.getTimerCount()).toBe(0);
  });
});

it.each([
  ['https://a.test/favicon.ico', true],
  ['https://a.test/static/favicon-32x32.png?v=2', true],
  ['https://a.test/apple-touch-icon.png', true],
  ['https://a.test/img/site.ico', true],
  ['https://a.test/favicons/list.json', false],
  ['https://a.test/icons?name=favicon.ico', false],
])('the icon of a site differs from what a page loads: %s', (url, expected) =>
  expect(isIcon(url)).toBe(expected),
);
