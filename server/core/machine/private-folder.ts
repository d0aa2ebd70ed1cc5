import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { commandLine } from './command-line.ts';
import { isMissing } from './errno.ts';
import { invalidArgument } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { Logger, Scratch, ScratchFolder } from '../services.ts';
import { isRunning, ownProcess } from './process-identity.ts';

const GROUP_AND_OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const isWindows = process.platform === 'win32';

/** The user's id; -1 on Windows, where files have no owner of that kind. */
export const userId = (): number => process.getuid?.() ?? -1;

/** Why a folder cannot be trusted. */
export interface FolderProblem {
  readonly isMissing: boolean;
  readonly reason: string;
  /** Open to other users: the person can close it. */
  readonly isOpen: boolean;
}

/**
 * Why a folder cannot be trusted with secrets, or null. It must be a real folder of this user, closed to
 * other users, in a parent where no other user can replace it.
 */
export function inspectFolder(folder: string): FolderProblem | null {
  try {
    const reason = distrust(folder);
    if (reason !== null) return { isMissing: false, isOpen: false, reason };
    const mode = statSync(folder).mode & 0o777;
    if (isWindows || (mode & GROUP_AND_OTHERS) === 0) return null;
    const open = `${folder} is open to other users (mode ${mode.toString(8)}, wanted 700).`;
    return { isMissing: false, isOpen: true, reason: open };
  } catch (error) {
    const reason = `${folder} cannot be used: ${messageOf(error)}.`;
    return { isMissing: isMissing(error), isOpen: false, reason };
  }
}

function distrust(folder: string): string | null {
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) return `${folder} is a symbolic link.`;
  if (!stats.isDirectory()) return `${folder} is not a folder.`;
  if (isWindows) return null;
  if (stats.uid !== userId()) return `${folder} belongs to another user (uid ${stats.uid}).`;
  const parent = statSync(dirname(folder));
  if ((parent.mode & OTHERS_WRITE) !== 0 && (parent.mode & STICKY) === 0)
    return `Any user may replace ${folder}: its parent is writable and not sticky.`;
  return null;
}

/**
 * Refuses a home that other users can reach. A missing one passes.
 * @param name of its setting
 * @throws SpillwayError `invalid_argument`
 */
export function expectPrivateHome(home: string, name = '--home'): void {
  const problem = inspectHome(home);
  if (problem !== null) throw invalidArgument(`${name}: ${problem.reason}`, problem.hint);
}

/** Creates a home before another user does, and refuses it as {@link expectPrivateHome} does. */
export function claimHome(home: string, name?: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch {
    // The first write to it reports why it cannot be created.
  }
  expectPrivateHome(home, name);
}

/** A next step, as a part of a sentence. */
export const OTHER_HOME = 'set SPILLWAY_HOME to another folder';

/**
 * The home and each folder in it must satisfy {@link inspectFolder}, and no folder in those may be a link,
 * because data would end up where others may read it. Null for a valid or missing home.
 */
export function inspectHome(home: string): { readonly reason: string; readonly hint: string } | null {
  const problem = inspectFolder(home);
  if (problem?.isMissing === true) return null;
  if (problem !== null) return withHint(home, problem);
  for (const name of foldersIn(home)) {
    const folder = join(home, name);
    const inside = inspectFolder(folder);
    if (inside !== null) return withHint(folder, inside);
    const reason = linkIn(folder);
    if (reason !== null) return { reason, hint: `Replace the link with a folder, or ${OTHER_HOME}.` };
  }
  return null;
}

const withHint = (folder: string, { reason, isOpen }: FolderProblem) => ({
  reason,
  hint: isOpen ? `Run \`${commandLine(['chmod', '700', folder])}\`.` : 'Set SPILLWAY_HOME to another folder.',
});

/** Links to folders too. */
const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(folder, entry.name))))
    .map(({ name }) => name);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function linkIn(folder: string): string | null {
  const link = readdirSync(folder, { withFileTypes: true }).find(
    (entry) => entry.isSymbolicLink() && isFolder(join(folder, entry.name)),
  );
  return link === undefined ? null : `${join(folder, link.name)} is a symbolic link.`;
}

/**
 * `<pid>-<start time>-<8 hexadecimal characters>`: identifies the owner, so that a dead server's folders can
 * be removed.
 */
const FOLDER = /^(?<pid>\d+)-(?<startTime>\d+)-[0-9a-f]{8}$/;

function isAbandoned(name: string): boolean {
  const { pid, startTime } = FOLDER.exec(name)?.groups ?? {};
  if (pid === undefined || startTime === undefined) return false;
  return !isRunning({ pid: Number(pid), startTime });
}

async function removeAbandoned(root: string, logger: Logger): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter(isAbandoned)) {
    await rm(join(root, name), { recursive: true, force: true }).catch((err: unknown) =>
      logger.warn({ err, name }, 'a temporary folder was not removed'),
    );
  }
}

/**
 * Temporary folders below `<home>/tmp`, 0700, for content that is too large for memory and not an output yet.
 * Creating the first one removes folders of dead servers.
 */
export function createScratch({ home, logger }: { readonly home: string; readonly logger: Logger }): Scratch {
  const root = join(home, 'tmp');
  const open = new Set<string>();
  let cleaned: Promise<void> | null = null;
  const remove = async (path: string): Promise<void> => {
    open.delete(path);
    await rm(path, { recursive: true, force: true });
  };
  return {
    async folder(): Promise<ScratchFolder> {
      cleaned ??= removeAbandoned(root, logger);
      await cleaned;
      const { pid, startTime } = ownProcess();
      const path = join(root, `${pid}-${startTime}-${randomBytes(4).toString('hex')}`);
      await mkdir(path, { recursive: true, mode: 0o700 });
      open.add(path);
      return { path, remove: () => remove(path) };
    },
    async close() {
      await Promise.allSettled([...open].map(remove));
    },
  };
}
