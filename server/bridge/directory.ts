import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { LIMITS } from '../../shared/limits.ts';
import { messageOf } from '../../shared/message-of.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';

/** Names the one bridge directory; baked into launchers, so that host and servers agree. */
export const BRIDGE_DIR_VARIABLE = 'SPILLWAY_BRIDGE_DIR';

const SECRET_FILE = 'secret';
const SECRET_PATTERN = /^[0-9a-f]{64}$/;
const SECRET_BYTES = 32;
const GROUP_AND_OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
/** The longest file name that a host puts into the directory, with its separator. */
const SOCKET_NAME_BYTES = '/0123456789abcdef.sock'.length;

export type Environment = Readonly<Record<string, string | undefined>>;

const isWindows = process.platform === 'win32';

function userId(): number {
  return process.getuid?.() ?? -1;
}

/**
 * Folders where a host may register, best first. Host and servers may be started with different
 * environments, so a host takes the first that it can use and a server looks at all of them.
 */
export function bridgeDirectories(env: Environment = process.env): string[] {
  const fixed = env[BRIDGE_DIR_VARIABLE];
  if (fixed !== undefined && fixed !== '') return [fixed];
  if (isWindows) {
    return [join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'spillway', 'run')];
  }
  const runtime = env['XDG_RUNTIME_DIR'];
  const candidates = [`/run/user/${userId()}/spillway`, join(homedir(), '.spillway', 'run')];
  if (runtime !== undefined && runtime.startsWith('/')) candidates.unshift(join(runtime, 'spillway'));
  candidates.push(`/tmp/spillway-${userId()}`);
  return [...new Set(candidates)];
}

/** The first folder that this user can keep private, made where it is missing. */
export interface OpenedDirectory {
  readonly directory: string;
  /** Why better candidates were passed over. */
  readonly refused: readonly string[];
}

/**
 * Picks and makes the folder a host registers in.
 *
 * @throws Error that names every candidate with the reason why it is unusable.
 */
export function openBridgeDirectory(env: Environment = process.env): OpenedDirectory {
  const refused: string[] = [];
  for (const directory of bridgeDirectories(env)) {
    const problem =
      tooLongForSocket(directory) ?? makePrivate(directory) ?? inspectDirectory(directory)?.reason ?? null;
    if (problem === null) return { directory, refused };
    refused.push(problem);
  }
  throw new Error(`No bridge directory can be used. ${refused.join(' ')}`);
}

/** Why a folder cannot be a bridge directory. */
export interface DirectoryProblem {
  readonly isMissing: boolean;
  readonly reason: string;
}

/**
 * Why a folder cannot be trusted with sockets and a secret, or null: it must be a real folder of
 * this user, closed to other users, in a parent where no other user can replace it.
 */
export function inspectDirectory(directory: string): DirectoryProblem | null {
  try {
    const reason = distrust(directory);
    return reason === null ? null : { isMissing: false, reason };
  } catch (error) {
    return { isMissing: isMissing(error), reason: `${directory} cannot be used: ${messageOf(error)}.` };
  }
}

function distrust(directory: string): string | null {
  const stats = lstatSync(directory);
  if (stats.isSymbolicLink()) return `${directory} is a symbolic link.`;
  if (!stats.isDirectory()) return `${directory} is not a folder.`;
  if (isWindows) return null;
  if (stats.uid !== userId()) return `${directory} belongs to another user (uid ${stats.uid}).`;
  if ((stats.mode & GROUP_AND_OTHERS) !== 0)
    return `${directory} is open to other users (mode ${(stats.mode & 0o777).toString(8)}, wanted 700).`;
  const parent = statSync(dirname(directory));
  if ((parent.mode & OTHERS_WRITE) !== 0 && (parent.mode & STICKY) === 0)
    return `Any user may replace ${directory}: its parent is writable and not sticky.`;
  return null;
}

/** The folder's shared secret, created by the first process. @throws Error that says what is wrong. */
export function ensureSecret(directory: string): string {
  return readSecret(directory) ?? createSecret(directory);
}

/**
 * The folder's shared secret, or null where no host has made one yet.
 *
 * @throws Error when the file is a link, of another user, open to others, or no secret.
 */
export function readSecret(directory: string): string | null {
  const path = join(directory, SECRET_FILE);
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (isWindows ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    const isPrivate = isWindows || (stats.uid === userId() && (stats.mode & GROUP_AND_OTHERS) === 0);
    if (!stats.isFile() || !isPrivate) throw new Error(`${path} is not a private file of this user`);
    const secret = readFileSync(file, 'utf8');
    if (!SECRET_PATTERN.test(secret)) throw new Error(`${path} contains no secret; remove it`);
    return secret;
  } finally {
    closeSync(file);
  }
}

/** A hard link appears whole or not at all, so that a reader never sees half a secret. */
function createSecret(directory: string): string {
  const draft = join(directory, `${SECRET_FILE}.${randomBytes(6).toString('hex')}.tmp`);
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  writeFileSync(draft, secret, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, join(directory, SECRET_FILE));
    return secret;
  } catch (error) {
    const winner = errnoOf(error) === 'EEXIST' ? readSecret(directory) : null;
    if (winner === null) throw error;
    return winner;
  } finally {
    unlinkSync(draft);
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
