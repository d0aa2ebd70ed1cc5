import { expect, it, vi } from 'vitest';
import { ShownTabs, TabOpenings } from '../../../extension/tabs/worker/openings.ts';
import { defer } from '../../../shared/base/async.ts';
import { installBrowser } from '../../support/browser-api.ts';

const [ACTED, OTHER, EARLY, LATE, OWN, FRONT] = [10, 20, 9, 11, 12, 2];
type Listener = (details: object) => void;

it('a tab that opens once an act begins is sent back and reported, shortly after it by the next one, and later ones are a person’s', async () => {
  vi.useFakeTimers();
  const [fronts, front] = [new Array<number>(), defer<object[]>()];
  const listeners = new Map<string, Listener>();
  const hear = (name: string) => ({ addListener: (listener: Listener) => listeners.set(name, listener) });
  installBrowser({
    tabs: {
      ...{ onActivated: hear('shown'), query: () => front.promise },
      ...{ get: async (id: number) => ({ id, windowId: 1 }), update: async (id: number) => fronts.push(id) },
    },
    windows: { onFocusChanged: hear('focused'), getAll: async () => [{ id: 1, focused: true }] },
    webNavigation: { onCreatedNavigationTarget: hear('opened') },
  });
  const openings = new TabOpenings();
  const opensInFront = async (tabId: number): Promise<void> => {
    listeners.get('shown')?.({ tabId, windowId: 1 });
    listeners.get('opened')?.({ sourceTabId: ACTED, tabId });
    await vi.advanceTimersByTimeAsync(0);
  };
  const act = openings.watch(ACTED);
  await opensInFront(EARLY);
  front.resolve([{ id: FRONT, windowId: 1 }]);
  expect(await act.take()).toMatchObject([{ id: EARLY }]);
  act.end();
  await vi.advanceTimersByTimeAsync(4_999);
  await opensInFront(LATE);
  expect(fronts).toEqual([FRONT, FRONT]);
  await vi.advanceTimersByTimeAsync(1);
  openings.watch(OTHER);
  await opensInFront(OWN);
  expect(fronts).toEqual([FRONT, FRONT]);
  expect(await openings.watch(ACTED).take()).toMatchObject([{ id: LATE }]);
});

it('a second follower of the front waits until the first knows it, though the browser refused another before', async () => {
  const tabs = defer<{ id: number; windowId: number }[]>();
  const asked = [Promise.reject(new Error('Not now.')), tabs.promise];
  const hear = { addListener: () => undefined };
  installBrowser({
    tabs: { onActivated: hear, query: () => asked.shift() },
    windows: { onFocusChanged: hear, getAll: async () => [] },
  });
  const shown = new ShownTabs();
  await expect(shown.follow()).rejects.toThrow('Not now.');
  const [, second] = [shown.follow(), shown.follow().then(() => shown.isShown(FRONT))];
  tabs.resolve([{ id: FRONT, windowId: 1 }]);
  expect(await second).toBe(true);
});
