import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { syncFolder } from '../machine/sync-folder.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

const pathOf = (heads: string): string => join(heads, 'key');

/** The key of a home's MACs; null if the file is missing or invalid. */
export async function readKey(heads: string): Promise<Buffer | null> {
  try {
    const text = await readFile(pathOf(heads), 'latin1');
    return KEY.test(text) ? Buffer.from(text, 'hex') : null;
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}

/** The key of a home's MACs, made by the first server that needs it. */
export async function ensureKey(heads: string): Promise<Buffer> {
  return (await readKey(heads)) ?? makeKey(heads);
}

/** A hard link appears whole or not at all, so that of several servers one makes the key. */
async function makeKey(heads: string): Promise<Buffer> {
  const draft = join(heads, `key.${randomBytes(6).toString('hex')}.tmp`);
  const made = randomBytes(KEY_BYTES);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(made.toString('hex'));
      await file.datasync();
    } finally {
      await file.close();
    }
    await link(draft, pathOf(heads));
    await syncFolder(heads);
    return made;
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    const other = await readKey(heads);
    if (other === null)
      throw new Error(`${pathOf(heads)} holds no key: remove it, so that one is made`, { cause: thrown });
    return other;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}
