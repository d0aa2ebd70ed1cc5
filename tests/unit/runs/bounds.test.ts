import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { toRunError } from '../../../server/runs/run-error.ts';

it.each([
  { code: 'EMFILE', errno: -constants.errno.EMFILE },
  { code: 'ENFILE', errno: -constants.errno.ENFILE },
  { code: constants.errno.EMFILE },
])('too many open files, as %j, say what to do', (facts) => {
  const { code, hint } = toRunError(Object.assign(new Error('refused'), facts), '/home/of/runs');
  expect(code).toBe('store_write_failed');
  expect(hint).toContain('ulimit -n');
});
