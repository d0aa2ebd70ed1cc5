import { expect, it } from 'vitest';
import { LargePageLock } from '../../../extension/offscreen/large-page-lock.ts';

const LARGE = 2_000_000;

/** Ids in the order in which they entered. */
function watch(turns: LargePageLock): { entered: number[]; enter: (id: number, sizeBytes: number) => void } {
  const entered: number[] = [];
  return {
    entered,
    enter: (id, sizeBytes) => void turns.acquire(id, sizeBytes).then(() => entered.push(id)),
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets small pages pass, and large ones one after the other', async () => {
  const turns = new LargePageLock();
  const { entered, enter } = watch(turns);
  for (const id of [1, 2, 3]) enter(id, LARGE);
  enter(4, 10);
  await settled();
  expect(entered).toEqual([1, 4]);
  turns.release(4);
  turns.release(1);
  await settled();
  expect(entered).toEqual([1, 4, 2]);
});
