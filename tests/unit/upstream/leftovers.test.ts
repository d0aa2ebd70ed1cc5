import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withUpstreams } from '../../../server/cli/upstream.ts';
import { isPidRunning } from '../../../server/machine/process-identity.ts';
import { endLeftovers } from '../../../server/upstream/mcp/leftovers.ts';
import { temporaryHome } from '../../support/home.ts';
import { PATIENCE } from '../../support/patience.ts';
import { FAULTS } from '../../support/upstream-rig.ts';

const HOLDER = fileURLToPath(new URL('../../support/upstream-holder.ts', import.meta.url));

const notesOf = (home: string): Promise<string[]> => readdir(join(home, 'upstreams')).catch(() => []);

/** Elsewhere the start of a process is not known, so nothing is noted. */
const isLinux = process.platform === 'linux';

it.runIf(isLinux)('what a server that was killed has left is ended by the next one', async () => {
  const home = await temporaryHome();
  const holder = spawn(process.execPath, ['--import', 'tsx', HOLDER, home], { stdio: 'ignore' });
  await vi.waitFor(async () => expect(await notesOf(home)).toHaveLength(1), PATIENCE);
  const [note = ''] = await notesOf(home);
  const pid = Number(note.split('-').at(-2));
  onTestFinished(() => void (isPidRunning(pid) && process.kill(pid, 'SIGKILL')));
  // Its server lives: nobody ends it.
  await endLeftovers(home);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(isPidRunning(pid)).toBe(true);
  await withUpstreams({ home, upstream: [`good=${process.execPath} ${FAULTS}`] }, async () => {
    await vi.waitFor(() => expect(isPidRunning(pid)).toBe(false), PATIENCE);
  });
  await vi.waitFor(async () => expect(await notesOf(home)).toEqual([]), PATIENCE);
});

it.runIf(isLinux)('a process that only has the pid of a note is left alone', async () => {
  const home = await temporaryHome();
  const script = 'setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore', detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'latin1')).slice(0, 8);
  await mkdir(join(home, 'upstreams'));
  const note = `${boot}-4194303-1-${child.pid}-1`;
  for (const name of [note, 'of somebody else']) await writeFile(join(home, 'upstreams', name), '');
  await endLeftovers(home);
  expect(await notesOf(home)).toEqual(['of somebody else']);
  expect(isPidRunning(child.pid ?? 0)).toBe(true);
});
