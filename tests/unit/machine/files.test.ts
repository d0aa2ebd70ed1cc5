import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFileLock } from '../../../server/machine/files.ts';
import { testFolder } from '../../support/test-folder.ts';

it('leaves the lock that another program has taken while this one slept', async () => {
  const lock = join(testFolder(), 'lock');
  const later = new Date(Date.now() + 60_000);
  await withFileLock(lock, AbortSignal.timeout(5_000), async () => utimesSync(lock, later, later));
  expect(existsSync(lock)).toBe(true);
});
