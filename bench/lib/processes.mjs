import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Parent and start time of a process, or null when it has exited or the system has no /proc. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may contain spaces and brackets: fields are counted after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], parent: Number(fields[1]), started: fields[19] };
  } catch {
    return null;
  }
}

/**
 * A process and all its descendants. On systems other than Linux, only the process.
 * @param {number} root
 * @returns {{ pid: number, started: string | null }[]}
 */
export function processTree(root) {
  if (process.platform !== 'linux') return [{ pid: root, started: null }];
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat === null) continue;
    const entry = { pid: Number(name), started: stat.started };
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), entry]);
  }
  const found = [{ pid: root, started: statOf(root)?.started ?? null }];
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** The same process still runs: a pid alone may have been given to another one since. */
function isAlive({ pid, started }) {
  const stat = statOf(pid);
  if (stat !== null) return stat.started === started && stat.state !== 'Z';
  if (process.platform === 'linux') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function kill({ pid }, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Waits for processes to exit by themselves; the rest are killed at the deadline, each by its pid.
 * @param {readonly { pid: number, started: string | null }[]} tree
 * @param {number} timeoutMs
 */
export async function endTree(tree, timeoutMs) {
  const deadline = performance.now() + timeoutMs;
  while (tree.some(isAlive) && performance.now() < deadline) await delay(POLL_MS);
  for (const entry of tree) if (isAlive(entry)) kill(entry, 'SIGKILL');
}

/**
 * Resident memory of one process in bytes, or null on systems other than Linux.
 * @param {number} pid
 */
export function residentBytes(pid) {
  try {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match === null ? null : Number(match[1]) * 1024;
  } catch {
    return null;
  }
}

function roleOf(pid) {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  if (command.includes('--extension-process')) return 'worker';
  if (command.includes('--type=renderer')) return 'page';
  if (/--type=|crashpad/.test(command)) return 'helpers';
  if (command.includes('host.js')) return 'host';
  return command.includes('index.js') ? 'server' : 'browser';
}

/** Time on a core in milliseconds, all threads of a process that live. */
function cpuMs(pid) {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return ns / 1e6;
}

/**
 * Time on a core by role of a process and all below it, in milliseconds; null where the system does
 * not tell (Linux only). It hardly depends on what else the machine does, as elapsed time does.
 * @param {number} root
 * @returns {Record<string, number> | null}
 */
export function cpuByRole(root) {
  if (process.platform !== 'linux') return null;
  const sums = {};
  for (const { pid } of processTree(root)) {
    try {
      const role = roleOf(pid);
      sums[role] = (sums[role] ?? 0) + cpuMs(pid);
    } catch {
      // It exited during the look-up.
    }
  }
  return sums;
}

/**
 * Samples a process's memory until `stop`, which answers the growth from the first sample to the peak.
 * @param {number} pid
 */
export function watchMemory(pid, intervalMs = 10) {
  const first = residentBytes(pid);
  let peak = first;
  const sample = () => {
    const now = residentBytes(pid);
    if (now !== null && peak !== null) peak = Math.max(peak, now);
  };
  const timer = setInterval(sample, intervalMs);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return { firstBytes: first, peakBytes: peak, growthBytes: first === null ? null : peak - first };
    },
  };
}
