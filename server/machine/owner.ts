import { readFileSync } from 'node:fs';

/** A process, told apart from a later one with the same pid by its start time. */
export interface Owner {
  readonly pid: number;
  /** Clock ticks since boot on Linux; `0` where the system does not tell. */
  readonly startTime: string;
}

/** State and start time of a process after proc(5), or undefined when it does not run. */
function readStat(pid: number): { state: string; startTime: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the command's name in brackets and may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state === undefined || startTime === undefined ? undefined : { state, startTime };
}

let own: Owner | undefined;

/** This process. */
export function ownProcess(): Owner {
  own ??= { pid: process.pid, startTime: readStat(process.pid)?.startTime ?? '0' };
  return own;
}

/** Whether the very process that wrote a temporary file still runs; in doubt it does. */
export function isRunning(owner: Owner): boolean {
  const self = ownProcess();
  if (owner.pid === self.pid) return owner.startTime === self.startTime;
  if (self.startTime !== '0') {
    const stat = readStat(owner.pid);
    return stat !== undefined && stat.startTime === owner.startTime && !'ZXx'.includes(stat.state);
  }
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (thrown) {
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH');
  }
}
