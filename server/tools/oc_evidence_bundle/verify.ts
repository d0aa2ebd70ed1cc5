import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { errnoOf, isMissing } from '../../machine/errno.ts';
import type { Checked, Expected } from './check.ts';
import { verifyTar } from './tar.ts';
import { verifyWacz } from './wacz.ts';

/** `problems` is empty exactly when everything holds, and else in the order of finding. */
export interface Verification extends Checked {
  readonly ok: boolean;
  readonly file: string;
  readonly size_bytes: number;
}

/** Problems that are listed: with more, the file is not a bundle. */
const MOST_PROBLEMS = 20;

/**
 * Checks a bundle by {@link verifyTar} or {@link verifyWacz}. Memory: a few chunks and the manifest.
 *
 * @throws SpillwayError `invalid_argument` when the file is not there, is not a file, or cannot be read
 */
export async function verifyBundle(path: string, expected: Partial<Expected> = {}): Promise<Verification> {
  const wanted: Expected = { key: null, timestampAnchors: null, ...expected };
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const { manifest, signature, timestamp, problems, sha256 } = (await isZip(file))
      ? await verifyWacz(file, size, wanted)
      : await verifyTar(file, size, wanted);
    return {
      ok: problems.length === 0,
      file: path,
      size_bytes: size,
      sha256,
      manifest,
      signature,
      timestamp,
      problems: problems.slice(0, MOST_PROBLEMS),
    };
  } catch (thrown) {
    throw unreadable(path, thrown);
  } finally {
    await file.close();
  }
}

async function isZip(file: FileHandle): Promise<boolean> {
  const { buffer } = await file.read({ buffer: Buffer.alloc(2), position: 0 });
  return buffer.toString('latin1') === 'PK';
}

async function openFile(path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    // A pipe would wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    throw new SpillwayError('invalid_argument', `FILE: ${path} is not a regular file.`);
  } catch (thrown) {
    await file?.close();
    throw unreadable(path, thrown);
  }
}

function unreadable(path: string, thrown: unknown): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const reason = isMissing(thrown)
    ? 'does not exist'
    : `cannot be read (${errnoOf(thrown) ?? String(thrown)})`;
  return new SpillwayError('invalid_argument', `FILE: ${path} ${reason}.`, { cause: thrown });
}
