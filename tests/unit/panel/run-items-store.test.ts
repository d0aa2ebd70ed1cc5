import { expect, it } from 'vitest';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import { RunItemsStore } from '../../../extension/panel/feed/run-items-store.ts';

/** A run of two items, of which a page has at most `pageMax`. */
class FakeRun {
  count = 2;
  pageMax = Infinity;
  readonly asked: string[] = [];
  readonly store = new RunItemsStore(async ({ offset = 0, limit = 100 }) => {
    this.asked.push(`${offset}+${limit}`);
    await Promise.resolve();
    const length = Math.max(0, Math.min(limit, this.count - offset, this.pageMax));
    return { items: upTo(length, offset), total: this.count, next_offset: offset + length };
  });

  get run() {
    return this.store.of('home', 'run_1');
  }

  step(): void {
    this.store.take('home', [stepOf('run_1', this.count)]);
  }
}

const stepOf = (id: string, items: number): FeedEvent => ({
  type: 'run',
  phase: 'progress',
  ts: '2026-11-20T08:00:00.000Z',
  run_id: id,
  tool: 'crawl',
  progress: { done: items, queued: 3, failed: 1, rate_per_second: 2.5 },
  items,
});
const upTo = (length: number, from = 0): number[] => Array.from({ length }, (_, at) => from + at);

it('items of a run come as they are committed, where the last ones are shown', async () => {
  const fake = new FakeRun();
  await expect.poll(() => fake.run.items.value).toEqual([0, 1]);
  fake.count = 5;
  fake.store.take('other', [stepOf('run_1', 5)]);
  fake.store.take('home', [stepOf('run_2', 5)]);
  expect(fake.asked).toHaveLength(1);
  fake.step();
  await expect.poll(() => fake.run.items.value).toEqual(upTo(5));
  fake.pageMax = 10;
  fake.count = 45;
  fake.step();
  await expect.poll(() => fake.run.items.value).toEqual(upTo(45));
  // Those that come while others are read are read afterwards, and the last ones at the end.
  const asked = fake.asked.length;
  for (fake.count = 46; fake.count < 55; fake.count += 1) fake.step();
  const line = { id: 'w-1', ts: '2026-11-20T08:00:00.000Z', event: 'run_ended', run_id: 'run_1' };
  fake.store.take('home', [{ type: 'run', phase: 'ended', line }]);
  await expect.poll(() => fake.run.items.value).toEqual(upTo(55));
  expect(fake.asked.length - asked).toBeLessThan(6);
});
