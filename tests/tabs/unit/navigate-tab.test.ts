import { beforeEach, expect, it, vi } from 'vitest';
import { stepEntry } from '../../../extension/platform/chromium/loading.ts';
import { navigateTab, type Steering } from '../../../extension/tabs/worker/navigate-tab.ts';
import { installBrowser } from '../../support/browser-api.ts';
import { codeOf } from '../../support/code-of.ts';
import { PATIENCE } from '../../support/patience.ts';

const tab = { id: 7, windowId: 1, url: 'https://site.test/', title: '', active: true, status: 'complete' };
const event = { addListener: () => {}, removeListener: () => {} };
const navigated = vi.fn();
const hear = (name: string | symbol) => ({ ...event, addListener: navigated.bind(null, name) });
const webNavigation = new Proxy({}, { get: (_, name) => hear(name) });
const events = new Proxy({}, { get: () => event });
const update = vi.fn(() => Promise.resolve());
const goBack = vi.fn(() => Promise.reject(new Error('Cannot find a next page in history.')));
type Script = { func: (...args: unknown[]) => unknown; args?: unknown[] };
const executeScript = vi.fn(async ({ func, args = [] }: Script) => [{ result: func(...args) }]);
const on = { onRemoved: event, onReplaced: event, onUpdated: event };

beforeEach(() => {
  for (const each of [update, goBack, navigated]) each.mockClear();
  installBrowser({
    extension: { isAllowedFileSchemeAccess: () => Promise.resolve(false) },
    tabs: { get: () => Promise.resolve(tab), update, goBack, ...on },
    scripting: { executeScript },
    downloads: events,
    webNavigation,
    webRequest: events,
  });
});

const left = new Error('left');
const goTo = (signal: AbortSignal, stop?: NonNullable<Steering['stop']>): Promise<string> =>
  navigateTab(
    { tab_id: 7, url: 'https://site.test/next', action: 'goto', wait_until: 'load', timeout_ms: 5_000 },
    signal,
    stop === undefined ? {} : { stop },
  ).then(() => 'came', String);

/* Stopping the first load must not stop the second. In a real browser one call in a hundred loses this race. */
it('begins the next load when the one that was left has been stopped', async () => {
  const first = new AbortController();
  let release = (): void => {};
  let isOurs = (): boolean => true;
  const stop = vi.fn((_tabId: number, ours: () => boolean): Promise<void> => {
    isOurs = ours;
    return new Promise((resolve) => (release = resolve));
  });
  const leaving = goTo(first.signal, stop);
  await vi.waitFor(() => expect(update).toHaveBeenCalledTimes(1), PATIENCE);
  first.abort(left);
  await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(1), PATIENCE);
  expect(isOurs()).toBe(true);

  // A second call that starts and is abandoned meanwhile changes nothing: the load still has to be stopped.
  const second = new AbortController();
  const passing = goTo(second.signal);
  second.abort(left);
  expect(await passing).toContain('left');
  const third = new AbortController();
  const next = goTo(third.signal);
  expect(isOurs()).toBe(true);
  expect(update).toHaveBeenCalledTimes(1);
  release();
  await leaving;
  await vi.waitFor(() => expect(update).toHaveBeenCalledTimes(2), PATIENCE);
  expect(isOurs()).toBe(false);
  third.abort(left);
  expect(await next).toContain('left');
});

const BACK = { tab_id: 7, action: 'back', wait_until: 'load', timeout_ms: 5_000 } as const;

it.each([
  ['stays as it is when a frame in it has gone back, to a slow site', true, 'no error'],
  ['has nothing to go back to when a frame in it has only loaded', false, 'no_history_entry'],
])('a page %s', async (_what, canGoForward, code) => {
  vi.useFakeTimers().stubGlobal('navigation', { canGoForward });
  vi.stubGlobal('history', { length: 2, back: () => undefined });
  const going = codeOf(navigateTab(BACK, new AbortController().signal));
  await vi.advanceTimersByTimeAsync(0);
  for (const isFirst of [true, false]) {
    for (const [name, listener] of navigated.mock.calls)
      if ((name === 'onBeforeNavigate') === isFirst) listener({ tabId: 7, frameId: 3, url: 'frame' });
    await vi.advanceTimersByTimeAsync(1_100);
  }
  expect(await going).toBe(code);
  expect(goBack).toHaveBeenCalledTimes(canGoForward ? 0 : 1);
});

it('goes back by the entries of the tab in a page that no script may enter', async () => {
  executeScript.mockRejectedValueOnce(new Error('Frame with ID 0 is showing error page'));
  const send = vi.fn(async (..._sent: unknown[]) => ({ currentIndex: 1, entries: [{ id: 4 }, { id: 9 }] }));
  const use = (_tab: number, _signal: AbortSignal, work: (lease: object) => unknown) => work({ send });
  const { signal } = new AbortController();
  const by = { debuggers: { use }, signal } as never;
  const going = navigateTab({ ...BACK, timeout_ms: 50 }, signal, { step: (of, to) => stepEntry(of, to, by) });
  expect(await codeOf(going)).toBe('navigation_timeout');
  expect(send).toHaveBeenLastCalledWith('Page.navigateToHistoryEntry', { entryId: 4 }, expect.anything());
  expect(goBack).not.toHaveBeenCalled();
});
