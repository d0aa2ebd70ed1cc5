import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { isPidRunning, isRunning, ownProcess } from '../../../server/machine/process-identity.ts';
import { PATIENCE } from '../../support/patience.ts';

describe('a noted process', () => {
  it('runs until it has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const pid = child.pid ?? -1;
    expect(isPidRunning(pid)).toBe(true);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(isPidRunning(pid)).toBe(false);
  });

  it('is this one, whatever the clock says', () => {
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] });
    expect(isRunning(ownProcess())).toBe(true);
    vi.useRealTimers();
  });

  it.runIf(process.platform === 'linux')('does not run when only the pid is the same', () => {
    const { pid, startTime } = ownProcess();
    expect(isRunning({ pid, startTime: String(Number(startTime) - 1) })).toBe(false);
    expect(isRunning({ pid: 1, startTime })).toBe(false);
    expect(isPidRunning(1)).toBe(true);
  });

  it.runIf(process.platform === 'linux')('does not run when it has ended and is not yet reaped', async () => {
    // The shell's child ends; the program that takes the shell's place never waits for it.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
    try {
      const pid = Number(await once(parent.stdout, 'data'));
      const stateOf = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] ?? '';
      await vi.waitUntil(() => stateOf() === 'Z', PATIENCE);
      expect(isPidRunning(pid)).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('does not run without a pid that can be one', () => {
    for (const pid of [0, -1, 2 ** 30]) expect(isPidRunning(pid)).toBe(false);
  });
});
