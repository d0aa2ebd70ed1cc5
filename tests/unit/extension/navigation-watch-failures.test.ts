import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ABORT_GRACE_MS, SIGN_IN_GRACE_MS } from '../../../extension/background/navigation/watch.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import {
  URL_A,
  URL_B,
  type Said,
  started,
  main,
  sub,
  response,
  typed,
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
    ['a type that browsers may save', 200, typed('text/plain'), 'not saved'],
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

  it('takes an abort without an answer for the end only when nothing follows', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), ended('1'), failed(URL_A, 'net::ERR_ABORTED'));
    await vi.advanceTimersByTimeAsync(ABORT_GRACE_MS);
    expectError(end(), 'navigation_failed', 'was stopped before a response arrived');
  });

  it('answers an error status without a page', async () => {
    const { say, end } = watched();
    await say(started(URL_A), main('1', URL_A), response('1', 404));
    await say(failed(URL_A, 'net::ERR_HTTP_RESPONSE_CODE_FAILURE'));
    expect(end()).toEqual(done({ status: 404 }));
  });

  it('does not wait for a person to sign in, only for a password manager', async () => {
    const asked: Said[] = [started(URL_A), main('1', URL_A), { type: 'sign_in_asked', id: '1' }];
    const [person, manager] = [watched(), watched()];
    await person.say(...asked);
    await manager.say(...asked, response('1'));
    await vi.advanceTimersByTimeAsync(SIGN_IN_GRACE_MS - 1);
    expect(person.end()).toBe(null);
    await vi.advanceTimersByTimeAsync(1);
    expectError(person.end(), 'navigation_failed', 'HTTP authentication');
    await manager.say(committed(URL_A), loaded);
    expect(manager.end()).toEqual(done());
  });

  it('names the tab that was closed', async () => {
    const { say, end } = watched();
    await say(started(URL_A), { type: 'tab_removed' });
    expectError(end(), 'tab_not_found', 'Tab 4');
  });

  it.each<[string, Said[], string]>([
    ['nothing', [], 'no navigation has started'],
    ['a start', [started(URL_A), main('1', URL_A)], `${URL_A} has not responded`],
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
