import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

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
