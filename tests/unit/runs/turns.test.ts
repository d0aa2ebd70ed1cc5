import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryHome } from '../../support/home.ts';
import { ownProcess } from '../../../server/machine/process-identity.ts';
import { openEnvironment } from '../../../server/runs/environment.ts';
import { Turns } from '../../../server/runs/turns.ts';

const OTHER = '00000000-0000-4000-8000-000000000000';
/** Above every pid that Linux gives. */
const DEAD_PID = 4_194_305;

function newTurns(folder: string): Turns {
  const turns = new Turns(folder, 'run_A');
  onTestFinished(() => turns.leave());
  return turns;
}

it.each(['at work', 'waiting'])(
  'a process that died %s blocks nobody, and its file is removed',
  async (how) => {
    const folder = await temporaryHome();
    const turns = newTurns(folder);
    await writeFile(join(folder, `turn-${DEAD_PID}-1-${OTHER}`), how === 'at work' ? '1' : '');
    expect(turns.takeSync(() => 'done')).toBe('done');
    newTurns(folder);
    expect(await readdir(folder)).not.toContain(`turn-${DEAD_PID}-1-${OTHER}`);
  },
);

it('ends its turn when its work throws', async () => {
  const folder = await temporaryHome();
  const [turns, other] = [newTurns(folder), newTurns(folder)];
  const failed = (): never => {
    throw new Error('refused');
  };
  await expect(turns.take(failed)).rejects.toThrow('refused');
  expect(other.takeSync(() => 'done')).toBe('done');
});

it('an environment is opened, changed and closed at its turn', async () => {
  const folder = await temporaryHome();
  const { pid, startTime } = ownProcess();
  const other = join(folder, `turn-${pid}-${startTime}-${OTHER}`);
  await writeFile(other, '1');
  const opening = openEnvironment(folder, 'run_A');
  await expect.poll(() => readdirSync(folder).length).toBe(3);
  expect(existsSync(join(folder, 'lock.mdb'))).toBe(false);
  await truncate(other);
  const environment = await opening;
  const isBusy = (): boolean =>
    readdirSync(folder).some((name) => name.startsWith('turn-') && statSync(join(folder, name)).size > 0);
  expect(isBusy()).toBe(false);
  environment.write(() => expect(isBusy()).toBe(true));
  expect(isBusy()).toBe(false);
  await writeFile(other, '1');
  let isClosed = false;
  const closing = environment.close().then(() => (isClosed = true));
  await nextTurn();
  expect(isClosed).toBe(false);
  await truncate(other);
  await closing;
  expect(await readdir(folder)).not.toContain(expect.stringMatching(/^turn-(?!.*0000)/));
});
