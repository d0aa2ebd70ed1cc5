import { compile } from '@jmespath-community/jmespath';
import { expect, it, vi } from 'vitest';

it('counts the work of each expression by itself, also where the module is there twice', async () => {
  const load = () => import('../../../server/output/query/metered.ts');
  const first = await load();
  vi.resetModules();
  const second = await load();
  expect(second).not.toBe(first);
  const node = compile('a.b');
  const value = { a: { b: 1 } };
  for (let time = 0; time < 10; time += 1) {
    expect(first.evaluate(node, value, 5)).toBe(1);
    expect(second.evaluate(node, value, 5)).toBe(1);
  }
  expect(() => second.evaluate(node, value, 1)).toThrow('it takes too much work.');
});
