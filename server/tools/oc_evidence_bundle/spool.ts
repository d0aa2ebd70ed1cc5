import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { errnoOf, isFull } from '../../machine/errno.ts';

/** A part on disk. */
export interface Spooled {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface SpoolOptions {
  readonly path: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

function diskError(thrown: unknown, path: string): SpillwayError {
  const errno = errnoOf(thrown) ?? String(thrown);
  return isFull(thrown)
    ? new SpillwayError('store_full', `There is not enough disk space for ${path} (${errno}).`, {
        cause: thrown,
      })
    : new SpillwayError('store_write_failed', `Writing ${path} failed (${errno}).`, { cause: thrown });
}

export async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw diskError(thrown, path);
  }
}

/**
 * Writes chunks to a new file (0600) and hashes them as they pass. Nothing stays of a file that was
 * not finished.
 *
 * @throws SpillwayError `part_too_large`, `store_full`, `store_write_failed`, what the source throws,
 * or the signal's reason
 */
export async function spool(
  chunks: AsyncIterable<Uint8Array>,
  { path, maxBytes, signal }: SpoolOptions,
): Promise<Spooled> {
  const file = await onDisk(path, () => open(path, 'wx', 0o600));
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes)
        throw new SpillwayError('part_too_large', `It has more than ${maxBytes} bytes.`);
      hash.update(chunk);
      await onDisk(path, () => file.appendFile(chunk));
    }
    signal.throwIfAborted();
    await onDisk(path, () => file.close());
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (thrown) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw thrown;
  }
}
