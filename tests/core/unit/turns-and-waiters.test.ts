import { expect, it } from 'vitest';
import { defer } from '../../../shared/base/async.ts';
import { Waiters } from '../../../shared/base/waiters.ts';
import { WorkOrder } from '../../../shared/base/work-order.ts';

it('work on one key begins when the work before it has ended, in whatever way', async () => {
  const order = new WorkOrder<string>();
  const [first, begun] = [defer<void>(), [] as string[]];
  const work = (name: string, until: Promise<void>) => async () => {
    begun.push(name);
    await until;
    return name;
  };
  const failing = order.run('tab', work('first', first.promise));
  const second = order.run('tab', work('second', Promise.resolve()));
  await expect(order.run('other', work('other', Promise.resolve()))).resolves.toBe('other');
  expect(begun).toEqual(['first', 'other']);
  first.reject(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  await expect(second).resolves.toBe('second');
});

it('those who wait for a key all get its next value, unless they have stopped or were aborted', async () => {
  const waiters = new Waiters<number, string>();
  const [cancel, seen] = [new AbortController(), [] as string[]];
  const left = waiters.open(7);
  void left.next.then(() => seen.push('left'));
  left.stop();
  left.stop();
  const cancelled = waiters.wait(7, cancel.signal);
  const waiting = [waiters.open(7).next, waiters.wait(7, new AbortController().signal)];
  cancel.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  waiters.notify(8, 'other');
  waiters.notify(7, 'arrived');
  expect([...(await Promise.all(waiting)), ...seen]).toEqual(['arrived', 'arrived']);
});
