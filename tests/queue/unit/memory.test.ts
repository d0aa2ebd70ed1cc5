import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limitRenderers } from '../../../server/queue/memory.ts';

test.runIf(process.platform === 'linux')('passes over a renderer that has just ended', async () => {
  const renderer = spawn(process.execPath, ['-e', 'process.stdin.resume()', '--', '--type=renderer']);
  await once(renderer, 'spawn');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const kill = vi.spyOn(process, 'kill').mockThrow(new Error('kill ESRCH'));
  onTestFinished(() => void kill.mockRestore());
  const warn = vi.fn();
  const end = limitRenderers(0, { warn } as never);
  vi.advanceTimersByTime(500);
  expect(kill).toHaveBeenCalledWith(renderer.pid, 'SIGKILL');
  expect(warn).not.toHaveBeenCalled();
  end();
  renderer.stdin.end();
});
