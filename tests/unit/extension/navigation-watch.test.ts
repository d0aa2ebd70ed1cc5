import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LONG_LIVED_AFTER_MS } from '../../../extension/background/navigation/tab-requests.ts';
import { IDLE_MS } from '../../../extension/background/navigation/watch.ts';
import {
  type Said,
  URL_A,
  URL_B,
  started,
  main,
  sub,
  response,
  ended,
  committed,
  failed,
  dom,
  loaded,
  arriving,
  watched,
  done,
  expectError,
} from '../../support/watched-navigation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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

  it('names a client certificate that a site asks for', async () => {
    const { say, end } = watched();
    await say(main('1', URL_A), started(URL_A), failed(URL_A, 'net::ERR_SSL_CLIENT_AUTH_CERT_NEEDED'));
    expectError(end(), 'navigation_failed', 'asks for a client certificate');
  });
});

it.each([
  ['commits and loads in between', [started(URL_B), main('0', URL_B), response('0'), committed(URL_B)]],
  ['commits while the new one is being fetched', [started(URL_A), main('1', URL_A), committed(URL_B)]],
])('the document that was there before does not count when it %s', async (_what, events) => {
  const { say, end } = watched();
  await say(...events, dom, loaded);
  expect(end()).toBe(null);
  await say(started(URL_A), main('1', URL_A), response('1'), committed(URL_A), loaded);
  expect(end()).toEqual(done());
});

it.each([
  ['announced late', [started('about:blank'), response('1')], [started(URL_A)]],
  ['shown after the response has come', [started('about:blank'), started(URL_A), response('1')], []],
])(
  'the document that was there before does not count when it is the empty one of a new tab, and is %s',
  async (_how, first, then) => {
    const { say, end } = watched();
    await say(main('1', URL_A), ...first, committed('about:blank'), dom, loaded);
    expect(end()).toBe(null);
    await say(...then, committed(URL_A), loaded);
    expect(end()).toEqual(done());
  },
);

it.each([
  ['goto', 'http://site.test/a#x', { isHistoryStep: false }],
  ['back', null, { isHistoryStep: true }],
] as const)(
  'history and fragments %s within the document fetches nothing',
  async (action, url, { isHistoryStep }) => {
    const { watch, say, end } = watched({ action, url });
    const begins = watch.begins(1_000);
    await say({ type: 'same_document', url: 'http://site.test/a#x', isHistoryStep });
    expect(await begins).toBe(true);
    expect(end()).toBe(null);
    await say({ type: 'tab_complete' });
    expect(end()).toEqual(done({ status: null }));
  },
);

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
