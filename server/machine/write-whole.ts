import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Forces the names in a folder to the disk, so that they survive a power cut. */
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
 * Writes a file that only this user can read, and that is on the disk when this resolves. Readers see all of it, or what
 * was there before.
 *
 * @param draft a path in the same folder that no other writer uses
 * @param place how the draft becomes the file: with `link` of several writers one makes it, and the others get `EEXIST`
 * @throws what the disk refuses
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
