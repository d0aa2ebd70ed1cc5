import { readdirSync, statSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { HostRegistration, type WorkerHello } from '../../../shared/core/bridge/hello.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { DRAFT_SUFFIX, REGISTRATION_SUFFIX, removeFile, SOCKET_SUFFIX, REFUSAL_SUFFIX } from './directory.ts';
import { isRunning } from '../machine/process-identity.ts';
import { readRegularSync } from '../machine/files.ts';
import { VERSION } from '../../../shared/base/version.ts';

/** A younger socket or draft may belong to a host that is just starting. */
const ORPHAN_AGE_MS = 10_000;
const PROBE_TIMEOUT_MS = 1_000;

/** A host's note next to its socket, and whether the host that wrote it still runs. */
export interface FoundHost {
  readonly path: string;
  readonly registration: HostRegistration;
  readonly isAlive: boolean;
}

/** Reads each note of a kind in a folder. Skips other products' notes, malformed ones, and those that vanish. */
function notesIn<T>(directory: string, suffix: string, read: (path: string) => T): T[] {
  const paths = listDirectory(directory).map((name) => join(directory, name));
  return paths.flatMap((path) => {
    try {
      return path.endsWith(suffix) ? [read(path)] : [];
    } catch {
      return [];
    }
  });
}

/** The hosts that are registered in a folder. */
export const readRegistrations = (directory: string): FoundHost[] =>
  notesIn(directory, REGISTRATION_SUFFIX, (path) => {
    const registration = HostRegistration.parse(JSON.parse(readRegularSync(path)));
    const { pid, start_time: startTime } = registration;
    return { path, registration, isAlive: isRunning({ pid, startTime }) };
  });

/** Removes notes and sockets of dead hosts, and drafts that were never renamed. */
export async function removeStale(directory: string): Promise<void> {
  const hosts = readRegistrations(directory);
  for (const { path, registration, isAlive } of hosts) {
    if (isAlive) continue;
    removeFile(path);
    if (process.platform !== 'win32') removeFile(registration.socket);
  }
  const claimed = new Set(hosts.map((host) => host.registration.socket));
  for (const name of listDirectory(directory)) {
    const path = join(directory, name);
    const isDraft = name.endsWith(DRAFT_SUFFIX);
    const isOrphan = name.endsWith(SOCKET_SUFFIX) && !claimed.has(path);
    if ((!isDraft && !isOrphan) || !isOlderThan(path, ORPHAN_AGE_MS)) continue;
    if (isDraft || (await isSocketDead(path))) removeFile(path);
  }
}

function listDirectory(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isOlderThan(path: string, ageMs: number): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > ageMs;
  } catch {
    return false;
  }
}

/** Connects to a socket once; null if it accepts. */
export function connectionProblem(path: string): Promise<Error | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const finish = (problem: Error | null): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(new Error('no answer')));
    socket.once('connect', () => finish(null));
    socket.once('error', finish);
  });
}

/** True if no process listens. A socket that is merely slow to accept counts as alive. */
async function isSocketDead(path: string): Promise<boolean> {
  const problem = await connectionProblem(path);
  return errnoOf(problem) === 'ECONNREFUSED' || isMissing(problem);
}

/** An extension that a host refused because they share no wire version. */
const RegistrationRefusal = z.object({
  message: z.string(),
  host: z.string(),
  extension: z.string(),
  browser: z.string(),
});

const pathOf = (directory: string, { identity }: WorkerHello): string =>
  join(directory, identity.instance + REFUSAL_SUFFIX);

/** Leaves a note for `doctor`: a host that refuses an extension ends, and would leave no trace. */
export function noteRefusal(directory: string, worker: WorkerHello, message: string): void {
  const refusal = {
    message,
    host: VERSION,
    extension: worker.identity.version,
    browser: `${worker.browser.name} ${worker.browser.version}`,
  };
  const path = pathOf(directory, worker);
  writeFileSync(path + DRAFT_SUFFIX, JSON.stringify(refusal), { mode: 0o600 });
  renameSync(path + DRAFT_SUFFIX, path);
}

/** Removes the note of an extension that is now accepted. */
export function forgetRefusal(directory: string, worker: WorkerHello): void {
  removeFile(pathOf(directory, worker));
}

/** The refusals noted in a folder, newest first. */
export const readRefusals = (directory: string) =>
  notesIn(directory, REFUSAL_SUFFIX, (path) => ({
    ...RegistrationRefusal.parse(JSON.parse(readRegularSync(path))),
    at: statSync(path).mtime,
  })).sort((a, b) => b.at.getTime() - a.at.getTime());
