import { spawn } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { isPidRunning, isRunning, ownProcess } from '../../../server/core/machine/process-identity.ts';

it('a noted process runs until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const pid = child.pid ?? -1;
  expect(isPidRunning(pid)).toBe(true);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  for (const none of [pid, 0, -1, 2 ** 30]) expect(isPidRunning(none)).toBe(false);
});

it('a noted process is this one, whatever the clock says', () => {
  vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] });
  expect(isRunning(ownProcess())).toBe(true);
});

it.runIf(process.platform === 'linux')('a noted process does not run when only the pid is the same', () => {
  const { pid, startTime } = ownProcess();
  expect(isRunning({ pid, startTime: String(Number(startTime) - 1) })).toBe(false);
  expect(isRunning({ pid: 1, startTime })).toBe(false);
  expect(isPidRunning(1)).toBe(true);
});
