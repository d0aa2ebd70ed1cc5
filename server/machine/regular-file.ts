import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/**
 * Opening a pipe waits for its other end, a device may never end, and a link leads elsewhere. So neither is opened in
 * place of a file; on Windows, which has no such flags, the type alone is checked.
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
 * Opens a file of a home or of the bridge's folder: a regular file and nothing else. `rw+` makes a missing file.
 * @throws what the system refuses; `ELOOP` for a link; `EINVAL`, or `ENXIO`, for a pipe, a device or a socket
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
