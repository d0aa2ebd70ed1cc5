import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes, createHmac, timingSafeEqual } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isMissing, errnoOf } from '../machine/errno.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { inspectFolder, userId } from '../machine/private-folder.ts';

/** Suffixes of a host's files in the bridge directory; they share one random name. */
export const REGISTRATION_SUFFIX = '.json';
export const SOCKET_SUFFIX = '.sock';
/** A note on an extension that was refused, named after the extension's instance. */
export const REFUSAL_SUFFIX = '.refused';
/** A file that does not have its final name yet. */
export const DRAFT_SUFFIX = '.tmp';

/** Removes a file that may already be gone. */
export const removeFile = (path: string): void => rmSync(path, { force: true });

/** Names the one bridge directory; launchers contain it, so that host and servers agree. */
export const BRIDGE_DIR_VARIABLE = 'SPILLWAY_BRIDGE_DIR';

const SECRET_FILE = 'secret';
const SECRET_PATTERN = /^[0-9a-f]{64}$/;
const SECRET_BYTES = 32;
const GROUP_AND_OTHERS = 0o077;
/** The longest file name that a host creates in the directory, with its separator. */
const SOCKET_NAME_BYTES = '/0123456789abcdef.sock'.length;

export type Environment = Readonly<Record<string, string | undefined>>;

const isWindows = process.platform === 'win32';

/**
 * Folders where a host may register, best first. Host and servers may start with different environments, so a
 * host takes the first usable one and a server looks at all.
 */
export function bridgeDirectories(env: Environment = process.env): string[] {
  const fixed = env[BRIDGE_DIR_VARIABLE];
  if (fixed !== undefined && fixed !== '') return [fixed];
  if (isWindows) return [join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'spillway', 'run')];
  const runtime = env['XDG_RUNTIME_DIR'];
  const candidates = [`/run/user/${userId()}/spillway`, join(homedir(), '.spillway', 'run')];
  if (runtime !== undefined && runtime.startsWith('/')) candidates.unshift(join(runtime, 'spillway'));
  candidates.push(`/tmp/spillway-${userId()}`);
  return [...new Set(candidates)];
}

/**
 * Picks and creates the folder in which a host registers.
 * @throws Error that names every candidate and why it is unusable.
 */
export function openBridgeDirectory(env: Environment = process.env) {
  const refused: string[] = [];
  for (const directory of bridgeDirectories(env)) {
    const problem =
      tooLongForSocket(directory) ?? makePrivate(directory) ?? inspectFolder(directory)?.reason ?? null;
    if (problem === null) return { directory, refused };
    refused.push(problem);
  }
  throw new Error(`No bridge directory can be used. ${refused.join(' ')}`);
}

/** The file is private, but its content is not a secret: the disk was full, or a program was killed. */
class DamagedSecret extends Error {}

/**
 * The folder's shared secret, created by the first process. A damaged one is replaced.
 * @throws Error that names the fault.
 */
export function ensureSecret(directory: string): string {
  try {
    return readSecret(directory) ?? createSecret(directory, linkSync);
  } catch (error) {
    if (!(error instanceof DamagedSecret)) throw error;
    return createSecret(directory, renameSync);
  }
}

/**
 * The folder's shared secret, or null if no host has created one yet.
 * @throws Error if the file is a link, belongs to another user, is open to others, or is not a secret.
 */
export function readSecret(directory: string): string | null {
  const path = join(directory, SECRET_FILE);
  let file: number;
  try {
    const flags = isWindows ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;
    file = openSync(path, constants.O_RDONLY | flags);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    const isPrivate = isWindows || (stats.uid === userId() && (stats.mode & GROUP_AND_OTHERS) === 0);
    if (!stats.isFile() || !isPrivate) throw new Error(`${path} is not a private file of this user`);
    const secret = readFileSync(file, 'utf8');
    if (!SECRET_PATTERN.test(secret)) throw new DamagedSecret(`${path} contains no secret; remove it`);
    return secret;
  } finally {
    closeSync(file);
  }
}

/** A link or a renamed file appears whole or not at all, so that a reader never sees half a secret. */
function createSecret(directory: string, place: (from: string, to: string) => void): string {
  const draft = join(directory, `${SECRET_FILE}.${randomBytes(6).toString('hex')}.tmp`);
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  writeFileSync(draft, secret, { mode: 0o600, flag: 'wx' });
  try {
    place(draft, join(directory, SECRET_FILE));
    // Another host may have replaced it at the same moment.
    return readSecret(directory) ?? secret;
  } catch (error) {
    const winner = errnoOf(error) === 'EEXIST' ? readSecret(directory) : null;
    if (winner === null) throw error;
    return winner;
  } finally {
    removeFile(draft);
  }
}

function tooLongForSocket(directory: string): string | null {
  if (isWindows || Buffer.byteLength(directory) + SOCKET_NAME_BYTES <= LIMITS.socketPathBytes) return null;
  return `${directory} is too long for a socket path (${LIMITS.socketPathBytes} bytes).`;
}

/** Only the user's own folders are made with their parents: a missing runtime folder is not a candidate. */
function makePrivate(directory: string): string | null {
  try {
    const recursive = isWindows || directory.startsWith(homedir());
    mkdirSync(directory, { mode: 0o700, recursive });
    return null;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return null;
    return `${directory} cannot be created: ${messageOf(error)}.`;
  }
}

const NONCE_BYTES = 32;

/** Both nonces of one handshake. Each is used once. */
export interface Nonces {
  readonly host: string;
  readonly server: string;
}

export function createNonce(): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}

/** HMAC-SHA256 over role and nonces: proves the secret without sending it (`shared/core/bridge/hello.ts`). */
export function createProof(secret: string, role: 'server' | 'host', nonces: Nonces): string {
  return createHmac('sha256', secret).update(`${role}\n${nonces.host}\n${nonces.server}`).digest('hex');
}

/** Compares in constant time. */
export function isProof(proof: string, expected: string): boolean {
  const actual = Buffer.from(proof);
  const wanted = Buffer.from(expected);
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
