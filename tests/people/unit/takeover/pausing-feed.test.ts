import { beforeEach, expect, it } from 'vitest';
import { PersonTabs, personHasTab } from '../../../../extension/core/person-tabs.ts';
import type { CaptureFeed } from '../../../../extension/network/worker/web-request-feed.ts';
import { PausingFeed } from '../../../../extension/network/worker/capture.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { defer } from '../../../../shared/base/async.ts';

const TAB = 7;

class FakeFeed implements CaptureFeed {
  readonly source = 'debugger';
  readonly #lost = new AbortController();
  readonly lost = this.#lost.signal;
  progress = 10;
  isClosed = false;

  lose(reason: SpillwayError): void {
    this.#lost.abort(reason);
  }
  settle = async (): Promise<void> => undefined;
  stopObserving = async (): Promise<void> => undefined;
  close = async (): Promise<void> => void (this.isClosed = true);
}

let tabs: PersonTabs;
let taken: Set<number>;
let pushed: string[];
let attempts: ReturnType<typeof defer<CaptureFeed>>[];

beforeEach(() => {
  [taken, pushed, attempts] = [new Set(), [], []];
  tabs = new PersonTabs();
  tabs.follow({ loaded: Promise.resolve(), has: (tabId) => taken.has(tabId), hadAt: () => false });
});

function take(tabId = TAB, isTaken = true): void {
  taken[isTaken ? 'add' : 'delete'](tabId);
  tabs.tell(tabId, isTaken);
}
const giveBack = (): void => take(TAB, false);

const opening = (): Promise<PausingFeed> =>
  PausingFeed.open({
    tabId: TAB,
    personTabs: tabs,
    open: () => {
      const attempt = defer<CaptureFeed>();
      attempts.push(attempt);
      return attempt.promise;
    },
    push: ({ kind }) => void pushed.push(kind),
  });

/** Completes an attempt to observe, once it is made. */
async function answer(count: number, how: CaptureFeed | SpillwayError): Promise<void> {
  await expect.poll(() => attempts.length).toBeGreaterThanOrEqual(count);
  if (how instanceof SpillwayError) attempts[count - 1]?.reject(how);
  else attempts[count - 1]?.resolve(how);
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
}

async function opened(inner = new FakeFeed()): Promise<{ feed: PausingFeed; inner: FakeFeed }> {
  const open = opening();
  await answer(1, inner);
  return { feed: await open, inner };
}

it('observes nothing while a person has the tab, and begins again afterwards', async () => {
  const { feed, inner } = await opened();
  take(8);
  expect(pushed).toEqual([]);
  take();
  expect(inner.isClosed).toBe(true);
  expect(feed.progress).toBe(10);
  giveBack();
  await answer(2, new FakeFeed());
  expect(pushed).toEqual(['paused', 'resumed']);
  expect(feed.progress).toBe(20);
  expect(feed.lost.aborted).toBe(false);
});

it('does not begin in a tab that a person has, and closes what is opened after the end', async () => {
  take();
  const feed = await opening();
  expect(attempts).toHaveLength(0);
  giveBack();
  await answer(1, new FakeFeed());
  expect(pushed).toEqual(['paused', 'resumed']);
  take();
  giveBack();
  await expect.poll(() => attempts).toHaveLength(2);
  await feed.close();
  const late = new FakeFeed();
  await answer(2, late);
  expect(late.isClosed).toBe(true);
  take();
  expect(pushed).toEqual(['paused', 'resumed', 'paused']);
});

it('a tab that is taken again before it was attached to is observed once, and by one feed', async () => {
  await opened();
  take();
  giveBack();
  await expect.poll(() => attempts).toHaveLength(2);
  take();
  giveBack();
  const [late, last] = [new FakeFeed(), new FakeFeed()];
  await answer(2, late);
  expect(late.isClosed).toBe(true);
  await answer(3, last);
  expect(last.isClosed).toBe(false);
  expect(pushed).toEqual(['paused', 'resumed']);
});

it('an attachment that a person has ended pauses it, and any other loss ends it', async () => {
  const { feed, inner } = await opened();
  inner.lose(personHasTab(TAB));
  expect(pushed).toEqual(['paused']);
  giveBack();
  const next = new FakeFeed();
  await answer(2, next);
  next.lose(new SpillwayError('debugger_unavailable', 'Gone.'));
  expect(feed.lost.aborted).toBe(true);
});
