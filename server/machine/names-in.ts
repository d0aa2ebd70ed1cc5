import { readdir } from 'node:fs/promises';
import { isMissing } from './errno.ts';

/** Names of what is in a folder. A folder that does not exist yet has no names. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}
