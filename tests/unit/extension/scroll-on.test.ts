import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { delay } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { ActTraffic } from '../../../extension/background/act/act-traffic.ts';
import { scrollOn } from '../../../extension/background/act/scroll-on.ts';
import type { NavigationEvent, NavigationListener } from '../../../extension/background/navigation/events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TAB = 7;
const LIST = 'https://a.test/list';

interface World {
  /** When the page draws, in milliseconds from the beginning of the act; at once if not said. */
  readonly drawnAt?: number;
  /** When a request for more of the list ends; nothing is requested if not said. */
  readonly moreAt?: number;
  /** The request is pending when the act begins. Otherwise the page makes it when it is drawn first. */
  readonly isEarly?: boolean;
  /** A request for the same address is pending when the act begins, and ends then. */
  readonly hasAsked?: boolean;
  /** The page has to be scrolled to reach its end. */
  readonly canMove?: boolean;
  /** The page makes a request of its own, which the act did not cause, after so many milliseconds, again and again. */
  readonly pollsMs?: number;
}

/** Scrolls to an entry of a page in which an entry appears 20 ms after the request for it has ended. */
async function scroll(world: World): Promise<unknown> {
  const { drawnAt = 0, moreAt, isEarly, hasAsked, canMove, pollsMs } = world;
  const startedAt = performance.now();
  const now = (): number => performance.now() - startedAt;
  let tell: NavigationListener = () => undefined;
  const pending = new Set<string>(isEarly === true ? ['more'] : []);
  const request = (id: string, url: string): void => {
    pending.add(id);
    tell({ tabId: TAB, type: 'request', id, url, main: false, longLived: false } as NavigationEvent);
  };
  const end = (id: string): void => {
    pending.delete(id);
    tell({ tabId: TAB, type: 'request_ended', id, hasFailed: false });
  };
  const traffic = new ActTraffic(TAB, {
    pending: hasAsked === true || isEarly === true ? [LIST] : [],
    source: (listener) => ((tell = listener), () => undefined),
  });
  let isThere = false;
  const arrive = async (): Promise<void> => {
    await delay(Math.max(0, (moreAt ?? 0) - now()));
    end('more');
    await delay(20);
    isThere = true;
  };
  if (isEarly === true) void arrive();
  if (pollsMs !== undefined)
    setInterval(() => {
      request('poll', LIST);
      end('poll');
    }, pollsMs);
  const bottom = canMove === true ? 4_000 : 0;
  let top = 0;
  let hasAskedForMore = moreAt === undefined || isEarly === true;
  const draw = async (): Promise<void> => {
    await delay(Math.max(5, drawnAt - now()));
    if (top >= bottom && !hasAskedForMore) {
      hasAskedForMore = true;
      request('more', LIST);
      void arrive();
    }
  };
  const page = {
    async ask(asked: { readonly do: string; readonly how?: string }) {
      const before = top;
      if (asked.do === 'scroll') top = asked.how === 'on' ? bottom : Math.max(0, top - 3_000);
      const moved = top !== before;
      if (moved || asked.do === 'drawn') await draw();
      return { moved, top };
    },
  };
  const options = {
    frames: {
      find: () =>
        isThere
          ? Promise.resolve('the entry')
          : Promise.reject(new SpillwayError('selector_not_found', 'It is not there.')),
      page: () => Promise.resolve(page),
    },
    traffic,
    pendingIds: () => [...pending],
    waitMs: 5_000,
    signal: new AbortController().signal,
  };
  const scrolled = scrollOn('css=#entry', options as unknown as Parameters<typeof scrollOn>[1]).then(
    (found: unknown) => found,
    (thrown: unknown) => (thrown as Error).message,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return scrolled;
}

describe('the end of a page is judged', () => {
  const found = 'the entry';
  test.each<[string, World]>([
    ['after the page was drawn', { drawnAt: 3_000, moreAt: 3_100 }],
    ['after a request that the page made when it was drawn', { moreAt: 4_000 }],
    ['after a request that was pending at first', { moreAt: 4_000, isEarly: true }],
  ])('%s', async (_name, world) => {
    expect(await scroll(world)).toBe(found);
  });

  const ended = 'No element matches css=#entry, even after scrolling the page to its end.';
  test.each<[string, World]>([
    ['without requests', {}],
    ['of a page that is drawn late', { drawnAt: 4_000 }],
    ['of a page that polls', { hasAsked: true, pollsMs: 90, canMove: true }],
  ])('%s, where nothing more comes', async (_name, world) => {
    expect(await scroll(world)).toBe(ended);
  });
});
