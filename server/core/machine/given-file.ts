import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { invalidArgument, SpillwayError } from '../../../shared/base/errors.ts';
import { errnoOf, isMissing } from './errno.ts';
import { userId } from './private-folder.ts';

const GROUP_AND_OTHERS = 0o077;
const OTHERS_WRITE = 0o002;

/** A file that a person names with a flag or a variable. */
export interface GivenFile {
  /** The name of the setting, for messages. */
  readonly flag: string;
  readonly path: string;
  readonly maxBytes: number;
  /** Other users must not read it. Otherwise they must not write it. */
  readonly isSecret: boolean;
  /** The next step if other users could read it: `Run chmod 600 on it;` comes before. */
  readonly ifRead?: string;
}

/**
 * The text of a file that a flag names, without waiting: a pipe or a device is never read. Links are followed, since
 * people link what they configure.
 * @returns null if it is missing
 * @throws SpillwayError `invalid_argument`, which names the flag and no content
 */
export function readIfGiven(file: GivenFile): string | null {
  const { flag, path, maxBytes } = file;
  let opened: number | undefined;
  try {
    opened = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const problem = problemOf(file, fstatSync(opened));
    if (problem !== null) throw problem;
    const bytes = Buffer.alloc(maxBytes + 1);
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read)
      read = readSync(opened, bytes, size, bytes.length - size, null);
    if (size > maxBytes) throw tooLarge(file);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, size));
  } catch (thrown) {
    if (thrown instanceof SpillwayError) throw thrown;
    if (isMissing(thrown)) return null;
    if (thrown instanceof TypeError) throw invalidArgument(`${flag}: ${path} is not UTF-8 text.`);
    const why = errnoOf(thrown) ?? 'unknown error';
    throw invalidArgument(`${flag}: ${path} cannot be read (${why}).`, FILE_HINT);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** As {@link readIfGiven}, for a file that must exist. @throws SpillwayError */
export function readGiven(file: GivenFile): string {
  const text = readIfGiven(file);
  if (text !== null) return text;
  throw invalidArgument(`${file.flag}: ${file.path} cannot be read (ENOENT).`, FILE_HINT);
}

const FILE_HINT = 'Name a file that you can read, or leave the flag out.';

const tooLarge = ({ flag, path, maxBytes }: GivenFile): SpillwayError =>
  invalidArgument(`${flag}: ${path} is larger than ${maxBytes} bytes.`, 'Name the right file.');

function problemOf(file: GivenFile, stats: Stats): SpillwayError | null {
  const { flag, path, maxBytes, isSecret, ifRead = 'if others may have read it, change its content.' } = file;
  if (!stats.isFile()) return invalidArgument(`${flag}: ${path} is not a file.`, FILE_HINT);
  if (stats.size > maxBytes) return tooLarge(file);
  if (process.platform === 'win32') return null;
  // In a container, root reads what a user outside has given.
  if (![stats.uid, 0].includes(userId()) && stats.uid !== 0)
    return invalidArgument(
      `${flag}: ${path} belongs to another user (uid ${stats.uid}).`,
      'Copy it to a file of your own.',
    );
  if (isSecret && (stats.mode & GROUP_AND_OTHERS) !== 0)
    return invalidArgument(`${flag}: other users can read ${path}.`, `Run \`chmod 600\` on it; ${ifRead}`);
  if ((stats.mode & OTHERS_WRITE) !== 0)
    return invalidArgument(`${flag}: any user may write to ${path}.`, 'Run `chmod o-w` on it.');
  return null;
}
