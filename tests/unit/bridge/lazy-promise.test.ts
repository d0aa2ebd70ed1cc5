import { describe, expect, it } from 'vitest';
import { LazyPromise } from '../../../server/bridge/lazy-promise.ts';

describe('a lazy promise', () => {
  it('begins its work once, when it is first waited for', async () => {
    let begun = 0;
    const lazy = new LazyPromise(() => {
      begun += 1;
      return Promise.resolve('done');
    });
    await Promise.resolve();
    expect(begun).toBe(0);
    expect(await lazy).toBe('done');
    expect(await lazy.finally(() => undefined)).toBe('done');
    expect(await Promise.all([lazy, lazy])).toEqual(['done', 'done']);
    expect(begun).toBe(1);
  });

  it('rejects for waiters and is otherwise ignored', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    const lazy = new LazyPromise(() => Promise.reject(new Error('no')));
    await expect(lazy).rejects.toThrow('no');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
});
