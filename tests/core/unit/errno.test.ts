import { constants } from 'node:os';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { errnoOf } from '../../../server/core/machine/errno.ts';

const { EDQUOT } = constants.errno;

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}

it.each<[string, () => unknown, string | undefined]>([
  ['a system error', () => readFileSync('/no/such/file/of/spillway'), 'ENOENT'],
  // Its number is that of another error of the system.
  ['zlib', () => gunzipSync('no gzip'), 'Z_DATA_ERROR'],
  [
    'an error that libuv does not know',
    () => Object.assign(new Error('full'), { code: `Unknown system error -${EDQUOT}`, errno: -EDQUOT }),
    'EDQUOT',
  ],
])('the name of an error of %s', (_what, work, name) => expect(errnoOf(thrownBy(work))).toBe(name));
