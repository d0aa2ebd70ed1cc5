import { stat } from 'node:fs/promises';
import { expect } from 'vitest';

/** Windows has no file modes, no POSIX shell, and no sockets in folders. */
export const isPosix = process.platform !== 'win32';

/** Expects a file with mode 0600 or a folder with mode 0700. On Windows, files inherit the access of the user's folder. */
export async function expectOwnerOnly(path: string): Promise<void> {
  const found = await stat(path);
  if (isPosix) expect(found.mode & 0o777, path).toBe(found.isDirectory() ? 0o700 : 0o600);
}
