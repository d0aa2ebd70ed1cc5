import { beforeEach, expect, it, vi } from 'vitest';
import { LateBodies } from '../../../extension/network/worker/late-bodies.ts';

const MIB = 2 ** 20;

let taken: number[];
let late: LateBodies<number>;

beforeEach(() => {
  vi.useFakeTimers();
  taken = [];
  late = new LateBodies(
    (item) => taken.push(item),
    () => false,
  );
});

it('leaves bodies with the browser while the tab loads, and takes them in order once it is quiet', () => {
  const items = Array.from({ length: 20 }, (_, item) => item);
  for (const item of items) {
    late.touch();
    late.add(item, 10);
    vi.advanceTimersByTime(300);
  }
  expect(taken).toEqual([]);
  vi.advanceTimersByTime(150);
  expect(taken).toEqual(items);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['the browser has to drop the oldest', 64, MIB],
  ['so many requests are pending that the server gives the oldest up', 2_000, 1],
])('takes bodies before %s', (_what, most, sizeBytes) => {
  for (let item = 1; item < most; item += 1) late.add(item, sizeBytes);
  expect(taken).toEqual([]);
  late.add(most, sizeBytes);
  expect(taken).toHaveLength(most);
});
