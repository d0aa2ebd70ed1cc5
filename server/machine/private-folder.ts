import { lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing } from './errno.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { messageOf } from '../../shared/message-of.ts';

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
}

/**
 * Why a folder cannot be trusted with secrets, or null: it must be a real folder of this user, closed
 * to other users, in a parent where no other user can replace it.
 */
export function inspectFolder(folder: string): FolderProblem | null {
  try {
    const reason = distrust(folder);
    return reason === null ? null : { isMissing: false, reason };
  } catch (error) {
    return { isMissing: isMissing(error), reason: `${folder} cannot be used: ${messageOf(error)}.` };
  }
}

function distrust(folder: string): string | null {
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) return `${folder} is a symbolic link.`;
  if (!stats.isDirectory()) return `${folder} is not a folder.`;
  if (isWindows) return null;
  if (stats.uid !== userId()) return `${folder} belongs to another user (uid ${stats.uid}).`;
  if ((stats.mode & GROUP_AND_OTHERS) !== 0)
    return `${folder} is open to other users (mode ${(stats.mode & 0o777).toString(8)}, wanted 700).`;
  const parent = statSync(dirname(folder));
  if ((parent.mode & OTHERS_WRITE) !== 0 && (parent.mode & STICKY) === 0)
    return `Any user may replace ${folder}: its parent is writable and not sticky.`;
  return null;
}

/**
 * Refuses a home that other users can reach. A missing one passes.
 * @param name of the setting that names it
 * @throws SpillwayError `invalid_argument`
 */
export function expectPrivateHome(home: string, name = '--home'): void {
  const reason = distrustHome(home);
  if (reason === null) return;
  throw new SpillwayError('invalid_argument', `${name}: ${reason}`, {
    hint: `Run \`chmod 700\` on a folder of yours that is open to others, or give another folder.`,
  });
}

/** Makes a home before another user does, and refuses it as {@link expectPrivateHome} does. */
export function claimHome(home: string, name?: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch {
    // The first write to it reports why it cannot be made.
  }
  expectPrivateHome(home, name);
}

/**
 * The home and each folder in it have to be as {@link inspectFolder} demands, and no folder in those may be a
 * link: what is kept would end up where others may read it.
 */
function distrustHome(home: string): string | null {
  const problem = inspectFolder(home);
  if (problem !== null) return problem.isMissing ? null : problem.reason;
  for (const name of foldersIn(home)) {
    const folder = join(home, name);
    const reason = inspectFolder(folder)?.reason ?? linkIn(folder);
    if (reason !== null) return reason;
  }
  return null;
}

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
