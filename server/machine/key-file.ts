import { randomBytes } from 'node:crypto';
import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, isMissing } from './errno.ts';
import { readRegular } from './regular-file.ts';
import { writeWhole } from './write-whole.ts';

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

const pathOf = (folder: string): string => join(folder, 'key');

/** The key of a folder's MACs; null if the file is missing or invalid. */
export async function readKey(folder: string): Promise<Buffer | null> {
  try {
    const text = await readRegular(pathOf(folder), 'latin1');
    return KEY.test(text) ? Buffer.from(text, 'hex') : null;
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}

/** The key of a folder's MACs, made by the first program that needs it. */
export async function ensureKey(folder: string): Promise<Buffer> {
  return (await readKey(folder)) ?? makeKey(folder);
}

/** A hard link appears whole or not at all, so that of several programs one makes the key. */
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
