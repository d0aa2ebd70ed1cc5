import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

export type FoundProcess = { readonly pid: number; readonly command: string };

/**
 * Processes, zombies aside, whose arguments or environment hold `marker`: a temporary home or
 * profile finds everything that a test started with it. Linux only, by /proc.
 */
export function findProcesses(marker: string): FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = read(`/proc/${name}/cmdline`);
      // A zombie no longer has arguments: it has ended, and waits for its parent to notice.
      if (command === '') return [];
      const isOurs = command.includes(marker) || read(`/proc/${name}/environ`).includes(marker);
      return isOurs ? [{ pid: Number(name), command: command.replaceAll('\0', ' ').trim() }] : [];
    });
}

/** Whether its files and sockets are closed: a process that dies loses its arguments first. */
export const hasEnded = (pid: number): boolean => /^$|\) [ZX] /.test(read(`/proc/${pid}/stat`));

/** The native host that serves a folder of sockets. */
export function hostPid(bridgeDirectory: string): number {
  const host = findProcesses(bridgeDirectory).find(({ command }) => command.includes('host.js'));
  if (host === undefined) throw new Error('There is no native host.');
  return host.pid;
}

/**
 * Waits until no process holds `marker`.
 * @throws with the remaining ones at the deadline
 */
export async function waitForNoProcess(marker: string, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let left = findProcesses(marker); left.length > 0; left = findProcesses(marker)) {
    if (performance.now() > deadline)
      throw new Error(
        `Still there after ${timeoutMs} ms:\n${left.map(({ pid, command }) => `${pid} ${command}`).join('\n')}`,
      );
    await delay(POLL_MS);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** None once it has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

export function findBelow(server: number, is: (command: string) => boolean): number {
  const below = [server];
  for (const pid of below) {
    if (pid !== server && is(read(`/proc/${pid}/cmdline`))) return pid;
    const children = threadsOf(pid).map((thread) => read(`/proc/${pid}/task/${thread}/children`));
    below.push(...children.join(' ').split(' ').filter(Boolean).map(Number));
  }
  throw new Error('There is no such process.');
}

/** The browser itself, not one of its children. */
export const isBrowser = (command: string): boolean =>
  command.includes('--user-data-dir=') && !/--type=|crashpad/.test(command);
