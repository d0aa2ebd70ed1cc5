import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { toStoreError } from '../../../server/home/database.ts';

it.each([
  { code: 'EMFILE', errno: -constants.errno.EMFILE },
  { code: 'ENFILE', errno: -constants.errno.ENFILE },
])('too many open files, as %j, say what to do', (facts) => {
  const { code, hint } = toStoreError(
    Object.assign(new Error('refused'), facts),
    '/home/of/runs',
    'store_write_failed',
  );
  expect(code).toBe('store_write_failed');
  expect(hint).toContain('ulimit -n');
});
