import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { syncFolder } from '../machine/sync-folder.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

const pathOf = (heads: string): string => join(heads, 'key');

/** The key of a home's MACs, or null where there is none. @throws Error for a file that holds no key */
export async function readKey(heads: string): Promise<Buffer | null> {
  let text: string;
  try {
    text = await readFile(pathOf(heads), 'latin1');
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
  if (!KEY.test(text)) throw new Error(`${pathOf(heads)} holds no key`);
  return Buffer.from(text, 'hex');
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
    const other = errnoOf(thrown) === 'EEXIST' ? await readKey(heads) : null;
    if (other === null) throw thrown;
    return other;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}
