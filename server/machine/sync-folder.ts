import { open } from 'node:fs/promises';

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
