import { expect, it } from 'vitest';
import { lazy } from '../../../server/core/lazy.ts';
import { deferred } from '../../../shared/async/deferred.ts';

it('makes with the first use, once for all who ask meanwhile and later', async () => {
  const { promise, resolve } = deferred<string>();
  let asked = 0;
  const load = lazy(() => {
    asked += 1;
    return promise;
  });
  expect(asked).toBe(0);
  const all = Promise.all([load(), load()]);
  resolve('made');
  expect([...(await all), await load(), asked]).toEqual(['made', 'made', 'made', 1]);
});

it('tells all who waited of a failure, and tries again with the next use', async () => {
  let asked = 0;
  const load = lazy(async () => {
    asked += 1;
    if (asked === 1) throw new Error('too many open files');
    return asked;
  });
  const failed = await Promise.allSettled([load(), load()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await load(), await load()]).toEqual([2, 2]);
});
