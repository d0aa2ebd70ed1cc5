import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ABORT_GRACE_MS } from '../../../extension/background/navigation/watch.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import {
  URL_A,
  type Said,
  started,
  main,
  response,
  typed,
  ended,
  committed,
  failed,
  loaded,
  arriving,
  watched,
  done,
  expectError,
} from '../../support/watched-navigation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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

  it.each([
    ['an attachment', 200, typed('text/html', true), 'not saved'],
    ['no content', 204, typed('text/html'), 'without content'],
    ['a response whose headers were not seen', 200, undefined, 'not saved'],
  ])('is explained, and not asked for again, for %s', async (_what, status, file, said) => {
    const { watch, say, end } = watched();
    const again = vi.fn();
    watch.whenStopped(again);
    await say(started(URL_A), main('1', URL_A), response('1', status, file));
    await say(failed(URL_A, 'net::ERR_ABORTED'));
    await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
    expect(again).not.toHaveBeenCalled();
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

  it.each<[string, Said[], string]>([
    ['a start', [started(URL_A), main('1', URL_A)], `${URL_A} has not responded`],
    ['a document', [...arriving('1', URL_A)], 'has started to load'],
  ])('says after the deadline that it got to %s', async (_name, events, said) => {
    const { say, end } = watched({ timeout_ms: 800 });
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
