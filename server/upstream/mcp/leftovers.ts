import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../machine/names-in.ts';
import { identityOf, isRunning, ownProcess, type ProcessIdentity } from '../../machine/process-identity.ts';

/** `<boot>-<pid>-<start of the server>-<pid>-<start of the process>` */
const NOTE = /^(?<boot>[0-9a-f]{8})-(?<ours>\d+-\d+)-(?<theirs>\d+-\d+)$/;

const folderOf = (home: string): string => join(home, 'upstreams');

/** Names this start of the machine: pids and starts of processes come again after the next. Null where it has no name. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return null;
  }
}

function parseIdentity(text: string | undefined): ProcessIdentity {
  const [pid = '0', startTime = '0'] = (text ?? '').split('-');
  return { pid: Number(pid), startTime };
}

/**
 * Notes a process that this server has started, as an empty file in its home, so that a later server can end it if this one
 * is killed. Returns a function that says that it has ended. Where the start of a process is unknown nothing is noted: a pid
 * alone does not say whose it is.
 */
export function noteProcess(home: string, pid: number): () => void {
  const boot = bootId();
  const started = identityOf(pid);
  if (boot === null || started === null) return () => undefined;
  const own = ownProcess();
  const name = [boot, own.pid, own.startTime, started.pid, started.startTime].join('-');
  const path = join(folderOf(home), name);
  try {
    mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
  } catch {
    // A full disk: the process ends with us, but not if we are killed.
  }
  return () => rmSync(path, { force: true });
}

/** Ends processes, with what they have started, that a server of this home has left behind when it was killed. */
export async function endLeftovers(home: string): Promise<void> {
  const boot = bootId();
  for (const name of await namesIn(folderOf(home))) {
    const { boot: since, ours, theirs } = NOTE.exec(name)?.groups ?? {};
    if (since === undefined || isRunning(parseIdentity(ours))) continue;
    const left = parseIdentity(theirs);
    if (since === boot && isRunning(left)) endGroup(left);
    await rm(join(folderOf(home), name), { force: true });
  }
}

function endGroup({ pid }: ProcessIdentity): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has gone.
  }
}
