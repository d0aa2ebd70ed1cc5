import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { currentProcess, lookUpProcess } from '../../../server/bridge/process-identity.ts';

describe('a noted process', () => {
  it('is alive while it runs and dead afterwards', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const identity = { pid: child.pid ?? -1, startedAt: Date.now() };
    expect(lookUpProcess(identity)).toBe('alive');
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(lookUpProcess(identity)).toBe('dead');
  });

  it('is this one', () => {
    expect(lookUpProcess(currentProcess())).toBe('alive');
  });

  it.runIf(process.platform === 'linux')('is another one when only the pid is the same', () => {
    const { pid, startedAt } = currentProcess();
    expect(lookUpProcess({ pid, startedAt: startedAt - 60_000 })).toBe('other');
  });

  it.runIf(process.platform === 'linux')(
    'is dead when it has ended and nobody has collected it',
    async () => {
      // The shell's child ends; the program that takes the shell's place never waits for it.
      const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
      try {
        const pid = Number(await once(parent.stdout, 'data'));
        const startedAt = Date.now();
        const stateOf = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2] ?? '';
        await vi.waitUntil(() => stateOf() === 'Z', { timeout: 20_000, interval: 10 });
        expect(lookUpProcess({ pid, startedAt })).toBe('dead');
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('is dead without a pid that can be one', () => {
    for (const pid of [0, -1, 2 ** 30]) expect(lookUpProcess({ pid, startedAt: 0 })).toBe('dead');
  });
});
