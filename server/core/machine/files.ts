import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open, type FileHandle, rename, rm, readdir, stat, link } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes, createHash } from 'node:crypto';
import { undefinedIfMissing, errnoOf } from './errno.ts';

/**
 * Opening a pipe waits for its other end, a device may never end, and a link leads elsewhere, so none of them
 * is opened in place of a file. Windows has no such flags, so only the type is checked there.
 */
const SAFE = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const FLAGS = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  'a+': constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
  'rw+': constants.O_RDWR | constants.O_CREAT,
} as const;

const notRegular = (path: string): Error =>
  Object.assign(new Error(`EINVAL: not a regular file, open '${path}'`), { code: 'EINVAL', path });

/**
 * Opens a file of a home or of the bridge's folder: only a regular file. `rw+` creates a missing file.
 * @throws the system's error; `ELOOP` for a link; `EINVAL`, or `ENXIO`, for a pipe, a device or a socket
 */
export async function openRegular(path: string, flags: keyof typeof FLAGS = 'r'): Promise<FileHandle> {
  const handle = await open(path, FLAGS[flags] | SAFE, 0o600);
  try {
    if ((await handle.stat()).isFile()) return handle;
    throw notRegular(path);
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** The text of a regular file. @throws as {@link openRegular} */
export async function readRegular(path: string, encoding: BufferEncoding = 'utf8'): Promise<string> {
  const handle = await openRegular(path);
  try {
    return await handle.readFile(encoding);
  } finally {
    await handle.close();
  }
}

/** The text of a regular file. @throws as {@link openRegular} */
export function readRegularSync(path: string): string {
  const file = openSync(path, FLAGS.r | SAFE);
  try {
    if (!fstatSync(file).isFile()) throw notRegular(path);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** True for a folder and anything in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Forces the names in a folder to disk, so that they survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder for fsync; its file systems journal names by themselves.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file that only this user can read, and that is on disk when this resolves. Readers see all of it,
 * or the old content.
 * @param draft a path in the same folder that no other writer uses
 * @param place how the draft becomes the file: with `link`, one of several writers creates it, and the others
 *   get `EEXIST`
 * @throws the disk's error
 */
export async function writeWhole(
  path: string,
  text: string,
  draft: string,
  place: typeof rename = rename,
): Promise<void> {
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await place(draft, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Names in a folder. A folder that does not exist yet has none. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfMissing)) ?? [];
}

const BLOCK_BYTES = 64 * 1024;
/** A longer line is not an entry; it is skipped without being buffered. */
const LINE_BYTES = 1024 * 1024;
const NEW_LINE = 0x0a;

/** A line of a file, and its offset. */
export interface PlacedBytes {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/**
 * The lines of a file that begin before `before`, from there backwards, in blocks, so that memory does not
 * grow with the file. Default: all.
 */
export async function* linesBackwards(
  file: FileHandle,
  before = Infinity,
): AsyncGenerator<PlacedBytes, void> {
  let position = Math.min((await file.stat()).size, before);
  let tail: Buffer[] = [];
  let tailBytes = 0;
  while (position > 0) {
    const wanted = Math.min(BLOCK_BYTES, position);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, position - wanted);
    position -= wanted;
    let end = bytesRead;
    const breakBefore = (place: number): number => (place > 0 ? buffer.lastIndexOf(NEW_LINE, place - 1) : -1);
    for (let at = breakBefore(end); at >= 0; at = breakBefore(end)) {
      const length = end - at - 1 + tailBytes;
      if (length > 0 && length <= LINE_BYTES)
        yield { bytes: Buffer.concat([buffer.subarray(at + 1, end), ...tail]), at: position + at + 1 };
      tail = [];
      tailBytes = 0;
      end = at;
    }
    tailBytes += end;
    tail = tailBytes <= LINE_BYTES ? [buffer.subarray(0, end), ...tail] : [];
  }
  if (tailBytes > 0 && tailBytes <= LINE_BYTES) yield { bytes: Buffer.concat(tail), at: 0 };
}

const LOCK_STALE_MS = 45_000;
const LOCK_RETRY_MS = 50;

/**
 * Runs `work` while no other program or caller has the lock.
 * @param path of the lock, in an existing folder
 * @throws the signal's reason, the disk's error, or the error of `work`
 */
export async function withFileLock<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let madeMs = await take(path, signal);
  for (; madeMs === null; madeMs = await take(path, signal))
    await delay(LOCK_RETRY_MS, undefined, { signal });
  try {
    return await work();
  } finally {
    // While this machine or process slept, another one may have taken it.
    if ((await madeAtMs(path)) === madeMs) await rm(path, { force: true });
  }
}

/** Creates the lock; null if another program has it. One that was left is removed. */
async function take(path: string, signal: AbortSignal): Promise<number | null> {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      return (await handle.stat()).mtimeMs;
    } catch (thrown) {
      // Others would wait until it is stale.
      await rm(path, { force: true });
      throw thrown;
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
  const remove = async (): Promise<void> => {
    if (await isStale(path)) await rm(path, { force: true });
  };
  // One after the other: by the time that a second one removes it, a new lock may be there.
  if (await isStale(path)) await withFileLock(`${path}.stale`, signal, remove);
  return null;
}

const madeAtMs = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(undefinedIfMissing))?.mtimeMs;

const isStale = async (path: string): Promise<boolean> =>
  Date.now() - ((await madeAtMs(path)) ?? Infinity) > LOCK_STALE_MS;

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

const pathOf = (folder: string): string => join(folder, 'key');

/** The key of a folder's MACs; null if the file is missing or invalid. */
export async function readKey(folder: string): Promise<Buffer | null> {
  const text = await readRegular(pathOf(folder), 'latin1').catch(undefinedIfMissing);
  return text !== undefined && KEY.test(text) ? Buffer.from(text, 'hex') : null;
}

/** The key of a folder's MACs, created by the first program that needs it. */
export async function ensureKey(folder: string): Promise<Buffer> {
  return (await readKey(folder)) ?? makeKey(folder);
}

/** A hard link appears whole or not at all, so that only one of several programs creates the key. */
async function makeKey(folder: string): Promise<Buffer> {
  const draft = join(folder, `key.${randomBytes(6).toString('hex')}.tmp`);
  const made = randomBytes(KEY_BYTES);
  try {
    await writeWhole(pathOf(folder), made.toString('hex'), draft, link);
    return made;
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    const other = await readKey(folder);
    if (other === null)
      throw new Error(`${pathOf(folder)} contains no key: remove it, and Spillway makes one`, {
        cause: thrown,
      });
    return other;
  }
}

/** SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Identifies a home to browsers without saying where it is. */
export const nameOfHome = (home: string): string => sha256(home).slice(0, 16);
