import { readFileSync } from 'node:fs';
import { errnoOf } from './errno.ts';

/** A pid with its process's start, because pids are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot on Linux, which no change of the clock affects; elsewhere {@link UNKNOWN_START}. */
  readonly startTime: string;
}

const UNKNOWN_START = '0';

let own: ProcessIdentity | undefined;

/** This process. */
export function ownProcess(): ProcessIdentity {
  own ??= { pid: process.pid, startTime: readStat(process.pid)?.startTime ?? UNKNOWN_START };
  return own;
}

/** A running process; null if its start is unknown, so that its pid may later belong to another. */
export function identityOf(pid: number): ProcessIdentity | null {
  const stat = readStat(pid);
  return stat === undefined ? null : { pid, startTime: stat.startTime };
}

/** Whether the exact process that left a note or a file still runs; if in doubt, yes. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  const stat = readStat(pid);
  if (stat === undefined) return isPidTaken(pid);
  // Without an init process, as in some containers, zombies keep their pids.
  if ('ZXx'.includes(stat.state)) return false;
  return startTime === UNKNOWN_START || stat.startTime === startTime;
}

/** Whether any process runs under a pid. */
export const isPidRunning = (pid: number): boolean => isRunning({ pid, startTime: UNKNOWN_START });

/** State and start time of a process (proc(5)), or undefined if `/proc` does not show it. */
function readStat(pid: number): { readonly state: string; readonly startTime: string } | undefined {
  if (process.platform !== 'linux') return undefined;
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  return parseStat(stat);
}

function parseStat(stat: string): { readonly state: string; readonly startTime: string } | undefined {
  // The second field is the command's name in brackets and may itself contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state === undefined || startTime === undefined ? undefined : { state, startTime };
}

/** The start of a process of another machine, from its `/proc/PID/stat`; without one it is unknown. */
export const startTimeIn = (stat: string): string => parseStat(stat)?.startTime ?? UNKNOWN_START;

function isPidTaken(pid: number): boolean {
  // A signal to 0 or to a negative number goes to a whole group.
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errnoOf(thrown) !== 'ESRCH';
  }
}
