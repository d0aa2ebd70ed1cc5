import { readFileSync } from 'node:fs';

/** A pid with the start of its process, in milliseconds since the epoch: a pid alone is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: number;
}

/** What {@link lookUpProcess} can tell. `other` is a process that has taken over a dead one's pid. */
export type ProcessVerdict = 'alive' | 'dead' | 'other';

/** `/proc/stat`'s boot time has whole seconds; both ends of the comparison round. */
const START_TOLERANCE_MS = 3_000;
/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const TICK_MS = 10;
/** Place of `starttime` in `/proc/<pid>/stat`, counted behind the command's closing parenthesis. */
const START_TIME_FIELD = 19;

/** This process. */
export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, startedAt: Math.round(Date.now() - process.uptime() * 1_000) };
}

/**
 * Whether the process of a note left on disk is still there. Off Linux, where a start time costs
 * a child process, the pid alone decides.
 */
export function lookUpProcess(identity: ProcessIdentity): ProcessVerdict {
  if (!hasPid(identity.pid)) return 'dead';
  const seen = readProcess(identity.pid);
  if (seen === null) return 'alive';
  // Where nobody collects the dead, as in a container without an init, they keep their pids.
  if (seen.state === 'Z' || seen.state === 'X') return 'dead';
  return Math.abs(seen.startedAt - identity.startedAt) <= START_TOLERANCE_MS ? 'alive' : 'other';
}

function hasPid(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** State and start of a process on Linux (proc(5)), or null where they cannot be told. */
function readProcess(pid: number): { readonly state: string; readonly startedAt: number } | null {
  if (process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[START_TIME_FIELD]);
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
    if (boot === undefined || Number.isNaN(ticks)) return null;
    return { state: fields[0] ?? '', startedAt: Number(boot) * 1_000 + ticks * TICK_MS };
  } catch {
    return null;
  }
}
