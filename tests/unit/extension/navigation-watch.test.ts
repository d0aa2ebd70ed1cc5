import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NavigationEvent } from '../../../extension/background/navigation/events.ts';
import { LONG_LIVED_AFTER_MS } from '../../../extension/background/navigation/requests.ts';
import {
  ABORT_GRACE_MS,
  IDLE_MS,
  NavigationWatch,
  SIGN_IN_GRACE_MS,
  UNRECOGNISED_MS,
  type WatchOptions,
} from '../../../extension/background/navigation/watch.ts';
import { SpillwayError } from '../../../shared/errors.ts';

const TAB = 4;
const URL_A = 'http://site.test/a';
const URL_B = 'http://site.test/b';

/** An event without its tab. */
type Said = NavigationEvent extends infer E ? (E extends unknown ? Omit<E, 'tabId'> : never) : never;

const on = (event: Said, tabId = TAB): NavigationEvent => ({ ...event, tabId }) as NavigationEvent;
const started = (url: string): Said => ({ type: 'started', url });
const main = (id: string, url: string): Said => ({ type: 'request', id, url, main: true, longLived: false });
const sub = (id: string, longLived = false): Said => ({
  type: 'request',
  id,
  url: `http://site.test/${id}`,
  main: false,
  longLived,
});
const response = (id: string, status = 200): Said => ({ type: 'response', id, status, longLived: false });
const ended = (id: string): Said => ({ type: 'request_ended', id });
const committed = (url: string, isHistoryStep = false): Said => ({
  type: 'committed',
  url,
  isHistoryStep,
});
const failed = (url: string, error: string): Said => ({ type: 'failed', url, error });
const dom: Said = { type: 'dom_content_loaded' };
const loaded: Said = { type: 'loaded' };

/** The usual course of a load, up to its commit. */
const arriving = (id: string, url: string): Said[] => [
  started(url),
  main(id, url),
  response(id),
  committed(url),
];

interface Watched {
  readonly watch: NavigationWatch;
  readonly say: (...events: Said[]) => Promise<void>;
  readonly end: () => unknown;
  readonly abort: AbortController;
}

function watched(options: Partial<WatchOptions> = {}): Watched {
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
  return { watch, say, end: () => end, abort };
}

const done = (more: object = {}): object => ({ tabId: TAB, status: 200, redirects: [], ...more });

function expectError(end: unknown, code: string, said: string): void {
  expect(end).toBeInstanceOf(SpillwayError);
  expect(end).toMatchObject({ code, message: expect.stringContaining(said) as string });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the document that was asked for', () => {
  it('is done at its load event, not before', async () => {
    const { say, end } = watched();
    await say(...arriving('1', URL_A), dom);
    expect(end()).toBe(null);
    await say(loaded);
    expect(end()).toEqual(done());
  });

  it('is done at DOMContentLoaded when that is awaited', async () => {
    const { say, end } = watched({ wait_until: 'domcontentloaded' });
    await say(...arriving('1', URL_A));
    expect(end()).toBe(null);
    await say(dom);
    expect(end()).toEqual(done());
  });

  it('is done for the fragment and the user that requests do not show', async () => {
    const { say, end } = watched({ url: 'http://me:secret@site.test/a#part' });
    await say(...arriving('1', URL_A), loaded);
    expect(end()).toEqual(done());
  });

  it('is found among the events of every tab once its own is known', async () => {
    const { watch, say, end } = watched({ tabId: null });
    for (const event of [...arriving('1', URL_A), loaded]) watch.take(on(event, 9));
    await say(...arriving('2', URL_A));
    expect(end()).toBe(null);
    watch.setTab(9);
    await vi.advanceTimersByTimeAsync(0);
    expect(end()).toEqual(done({ tabId: 9 }));
  });

  it('may be heard of by its request first', async () => {
    const { say, end } = watched();
    await say(main('1', URL_A), started(URL_A), response('1', 404), committed(URL_A), loaded);
    expect(end()).toEqual(done({ status: 404 }));
  });

  it('is followed through redirects that a new tab reports before it announces the navigation', async () => {
    const hop = { url: URL_A, status: 302 };
    const second = { url: `${URL_A}/2`, status: 301 };
    const { say, end } = watched();
    await say(main('1', URL_A), { type: 'redirect', id: '1', hop, to: second.url });
    await say({ type: 'redirect', id: '1', hop: second, to: URL_B }, response('1'));
    await say(started(URL_A), committed(URL_B), dom, loaded);
    expect(end()).toEqual(done({ redirects: [hop, second] }));
  });

  it('is named where it failed after such redirects', async () => {
    const hop = { url: URL_A, status: 302 };
    const { say, end } = watched();
    await say(main('1', URL_A), { type: 'redirect', id: '1', hop, to: URL_B });
    await say(started(URL_A), failed(URL_B, 'net::ERR_CONNECTION_REFUSED'));
    expectError(end(), 'navigation_failed', `${URL_B} failed with net::ERR_CONNECTION_REFUSED`);
  });

  it('is followed through redirects', async () => {
    const { say, end } = watched();
    const hop = { url: URL_A, status: 302 };
    await say(started(URL_A), main('1', URL_A), { type: 'redirect', id: '1', hop, to: URL_B });
    await say(response('1'), committed(URL_B), loaded);
    expect(end()).toEqual(done({ redirects: [hop] }));
  });

  it('is followed when it sends itself elsewhere before it has loaded', async () => {
    const { say, end } = watched();
    await say(...arriving('1', URL_A), started(URL_B), loaded);
    expect(end()).toBe(null);
    await say(main('2', URL_B), response('2', 203), committed(URL_B), loaded);
    expect(end()).toEqual(done({ status: 203, redirects: [{ url: URL_A, status: 200 }] }));
  });

  it('stays when it only started a download', async () => {
    const { say, end } = watched();
    await say(...arriving('1', URL_A), started(URL_B), main('2', URL_B), response('2'), loaded);
    expect(end()).toBe(null);
    await say(failed(URL_B, 'net::ERR_ABORTED'));
    expect(end()).toEqual(done());
  });

  it('follows a tab that the browser replaced', async () => {
    const { watch, say, end } = watched();
    await say(started(URL_A), { type: 'tab_replaced', by: 8 });
    for (const event of [main('1', URL_A), response('1'), committed(URL_A), loaded]) watch.take(on(event, 8));
    await vi.advanceTimersByTimeAsync(0);
    expect(end()).toEqual(done({ tabId: 8 }));
  });
});

describe('the document that was there before', () => {
  it('does not count when it commits and loads in between', async () => {
    const { say, end } = watched();
    await say(started(URL_B), main('0', URL_B), response('0'), committed(URL_B), dom, loaded);
    expect(end()).toBe(null);
    await say(...arriving('1', URL_A), loaded);
    expect(end()).toEqual(done());
  });

  it('does not count when it commits while the new one is being fetched', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), committed(URL_B), dom, loaded);
    expect(end()).toBe(null);
    await say(response('1'), committed(URL_A), loaded);
    expect(end()).toEqual(done());
  });

  it('is aborted without a word about the new one', async () => {
    const { say, end } = watched();
    await say(started(URL_B), failed(URL_B, 'net::ERR_ABORTED'), started(URL_A));
    await say(failed(URL_B, 'net::ERR_ABORTED'));
    await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
    expect(end()).toBe(null);
    await say(main('1', URL_A), response('1'), committed(URL_A), loaded);
    expect(end()).toEqual(done());
  });

  it('is what counts when the browser changed the address that was asked for', async () => {
    const { watch, say, end } = watched();
    watch.commandTaken();
    await say(...arriving('1', URL_B), loaded);
    expect(end()).toBe(null);
    await vi.advanceTimersByTimeAsync(UNRECOGNISED_MS);
    expect(end()).toEqual(done());
  });
});

describe('history and fragments', () => {
  it('goes back to what the history says', async () => {
    const { say, end } = watched({ action: 'back', url: null });
    await say(started(URL_B), committed(URL_B), loaded);
    expect(end()).toBe(null);
    await say(started(URL_A), committed(URL_A, true), { type: 'tab_complete' });
    expect(end()).toEqual(done({ status: null }));
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

  it('does not take a script of the page for the history', async () => {
    const { watch, say, end } = watched({ action: 'back', url: null });
    const begins = watch.begins(1_000);
    await say({ type: 'same_document', url: URL_A, isHistoryStep: false }, { type: 'tab_complete' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await begins).toBe(false);
    expect(end()).toBe(null);
  });
});

describe('networkidle', () => {
  const idle = { wait_until: 'networkidle' } as const;

  it('waits until nothing was pending for the whole time', async () => {
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

  it('forgets the requests of the page before, and none of the new one', async () => {
    const { say, end } = watched(idle);
    await say(sub('old'), started(URL_A), main('1', URL_A), response('1'), sub('new'), committed(URL_A));
    await say(ended('1'), loaded);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(end()).toBe(null);
    await say(ended('new'));
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(end()).toEqual(done());
  });

  it('does not count sockets and event streams, nor what has been open for long', async () => {
    const { say, end } = watched(idle);
    await say(...arriving('1', URL_A), ended('1'), loaded, sub('socket', true), sub('events'), sub('poll'));
    await say({ type: 'response', id: 'events', status: 200, longLived: true });
    await vi.advanceTimersByTimeAsync(LONG_LIVED_AFTER_MS - 1);
    expect(end()).toBe(null);
    await vi.advanceTimersByTimeAsync(1 + IDLE_MS);
    expect(end()).toEqual(done());
  });
});

describe('failures', () => {
  it('names the network error', async () => {
    const { say, end } = watched();
    await say(started(URL_A), failed(URL_A, 'net::ERR_CONNECTION_REFUSED'));
    expectError(end(), 'navigation_failed', `${URL_A} failed with net::ERR_CONNECTION_REFUSED`);
  });

  it.each([
    [204, 'without content'],
    [200, 'downloads'],
  ])('explains an abort after %i', async (status, said) => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), response('1', status), failed(URL_A, 'net::ERR_ABORTED'));
    await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
    expectError(end(), 'not_a_page', said);
  });

  it.each([
    ['before', [failed(URL_A, 'net::ERR_ABORTED'), started(URL_A)]],
    ['after', [started(URL_A), failed(URL_A, 'net::ERR_ABORTED')]],
  ])(
    'outlasts the abort of an earlier navigation to the same address, told %s it starts',
    async (_when, events) => {
      const { say, end } = watched();
      await say(started(URL_A), main('1', URL_A), response('1'), ...events, main('2', URL_A));
      await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
      expect(end()).toBe(null);
      await say(response('2'), committed(URL_A), loaded);
      expect(end()).toEqual(done());
    },
  );

  it('takes an abort without an answer for the end only when nothing follows', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), ended('1'), failed(URL_A, 'net::ERR_ABORTED'));
    await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
    expectError(end(), 'navigation_failed', 'was stopped before a response arrived');
  });

  it('continues when another navigation follows the abort', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), failed(URL_A, 'net::ERR_ABORTED'), ...arriving('2', URL_B));
    await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
    expect(end()).toBe(null);
    await say(loaded);
    expect(end()).toEqual(done());
  });

  it('answers an error status without a page', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), response('1', 404));
    await say(failed(URL_A, 'net::ERR_HTTP_RESPONSE_CODE_FAILURE'));
    expect(end()).toEqual(done({ status: 404 }));
  });

  it('does not wait for a person to sign in', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), { type: 'sign_in_asked', id: '1' });
    await vi.advanceTimersByTimeAsync(SIGN_IN_GRACE_MS - 1);
    expect(end()).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expectError(end(), 'navigation_failed', 'HTTP authentication');
  });

  it('continues when a password manager signs in', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), { type: 'sign_in_asked', id: '1' }, response('1'));
    await vi.advanceTimersByTimeAsync(SIGN_IN_GRACE_MS);
    await say(committed(URL_A), loaded);
    expect(end()).toEqual(done());
  });

  it('names the tab that was closed', async () => {
    const { say, end } = watched();
    await say(started(URL_A), { type: 'tab_removed' });
    expectError(end(), 'tab_not_found', 'Tab 4');
  });

  it.each<[string, Said[], string]>([
    ['nothing', [], 'no navigation has started'],
    ['a start', [started(URL_A), main('1', URL_A)], `${URL_A} has not responded`],
    ['an answer', [started(URL_A), main('1', URL_A), response('1')], 'responded with 200, but no document'],
    ['a document', [...arriving('1', URL_A)], 'has started to load'],
    ['DOMContentLoaded', [...arriving('1', URL_A), dom, sub('2')], 'domcontentloaded was reached'],
    ['the page before', [started(URL_B), committed(URL_B), loaded], 'no navigation has started'],
  ])('says after the deadline that it got to %s', async (_name, events, said) => {
    const { say, end } = watched({ timeout_ms: 800 });
    await say(...events);
    await vi.advanceTimersByTimeAsync(799);
    expect(end()).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expectError(end(), 'navigation_timeout', said);
  });

  it('says that load was reached when only the network is busy', async () => {
    const { say, end } = watched({ timeout_ms: 800, wait_until: 'networkidle' });
    await say(...arriving('1', URL_A), ended('1'), loaded, sub('busy'));
    await vi.advanceTimersByTimeAsync(800);
    expectError(end(), 'navigation_timeout', 'load was reached');
    expectError(end(), 'navigation_timeout', 'http://site.test/busy');
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
