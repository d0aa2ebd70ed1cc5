import { constants } from 'node:os';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toRunError } from '../../../server/runs/run-error.ts';
import { DONE, gate, request, setUp, waiting } from './support.ts';

const openFiles = (): number => readdirSync('/proc/self/fd').length;

it.runIf(process.platform === 'linux')('runs that wait for their turn keep no files open', async () => {
  const { open, opened } = gate();
  const { runs } = await setUp({ work: () => opened.then(() => DONE) });
  const before = openFiles();
  const ids: string[] = [];
  let most = 0;
  for (let count = 0; count < 25; count += 1) {
    ids.push((await runs.start(request())).run_id);
    most = Math.max(most, openFiles() - before);
  }
  // Two at work and eight that were opened last, four files each, and what is being closed; 100 for all.
  expect(most).toBeLessThanOrEqual(80);
  expect((await runs.list({ count: 1, status: 'queued' })).total).toBe(23);
  const [cancelled = '', ...others] = ids.toReversed();
  expect((await runs.cancel(cancelled, 'a test')).status).toBe('cancelled');
  open();
  for (const runId of others) expect((await runs.wait(runId, waiting()))?.view.status).toBe('completed');
});

it.each([
  { code: 'EMFILE', errno: -constants.errno.EMFILE },
  { code: 'ENFILE', errno: -constants.errno.ENFILE },
  { code: constants.errno.EMFILE },
])('too many open files, as %j, say what to do', (facts) => {
  const { code, hint } = toRunError(Object.assign(new Error('refused'), facts), '/home/of/runs');
  expect(code).toBe('store_write_failed');
  expect(hint).toContain('ulimit -n');
});
