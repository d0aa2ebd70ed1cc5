import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { HostRegistration } from '../../shared/bridge/hello.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { DRAFT_SUFFIX, REGISTRATION_SUFFIX, removeFile, SOCKET_SUFFIX } from './directory.ts';
import { isRunning } from '../machine/process-identity.ts';
import { readRegularSync } from '../machine/regular-file.ts';

/** A socket or draft younger than this may belong to a host that is just starting. */
const ORPHAN_AGE_MS = 10_000;
const PROBE_TIMEOUT_MS = 1_000;

/** A host's note next to its socket, and whether the host that wrote it still runs. */
export interface FoundHost {
  readonly path: string;
  readonly registration: HostRegistration;
  readonly isAlive: boolean;
}

/**
 * The hosts that are registered in a folder. Notes of other products, of no valid shape, or that
 * vanish while they are read are left out.
 */
export function readRegistrations(directory: string): FoundHost[] {
  const found: FoundHost[] = [];
  for (const name of listDirectory(directory)) {
    if (!name.endsWith(REGISTRATION_SUFFIX)) continue;
    const path = join(directory, name);
    const registration = readRegistration(path);
    if (registration === null) continue;
    const { pid, start_time: startTime } = registration;
    found.push({ path, registration, isAlive: isRunning({ pid, startTime }) });
  }
  return found;
}

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

function readRegistration(path: string): HostRegistration | null {
  try {
    return HostRegistration.parse(JSON.parse(readRegularSync(path)));
  } catch {
    return null;
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

/** True when no process listens. A socket that is merely slow to accept counts as alive. */
function isSocketDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const finish = (isDead: boolean): void => {
      socket.destroy();
      resolve(isDead);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish(false));
    socket.once('connect', () => finish(false));
    socket.once('error', (error) => finish(errnoOf(error) === 'ECONNREFUSED' || isMissing(error)));
  });
}
