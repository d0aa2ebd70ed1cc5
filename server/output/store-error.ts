import { constants } from 'node:os';
import { SpillwayError } from '../../shared/errors.ts';

const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [-number, name]));

/**
 * The name of a system error such as `ENOENT`, or undefined. libuv has no name for some, `EDQUOT`
 * among them (https://github.com/libuv/libuv/blob/v1.x/include/uv.h, `UV_ERRNO_MAP`): their `code` is
 * "Unknown system error -122", and only the number tells.
 */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const named = 'errno' in thrown && typeof thrown.errno === 'number' ? NAMES.get(thrown.errno) : undefined;
  return named ?? ('code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined);
}

/** True when a file or folder is simply not there. */
export function isMissing(thrown: unknown): boolean {
  return errnoOf(thrown) === 'ENOENT';
}

/** No space, no quota, or a file larger than this process may write. */
const FULL: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Makes `store_full` or `store_write_failed` of a failed write; coded errors pass. */
export function toWriteError(thrown: unknown, folder: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const errno = errnoOf(thrown) ?? String(thrown);
  return FULL.includes(errnoOf(thrown))
    ? new SpillwayError('store_full', `The output store ${folder} has no room (${errno}).`, { cause: thrown })
    : new SpillwayError('store_write_failed', `Writing to the output store ${folder} failed (${errno}).`, {
        cause: thrown,
      });
}

/** Makes `store_read_failed` of a failed read of a handle or of the store's folder; coded errors pass. */
export function toReadError(thrown: unknown, handle: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const errno = errnoOf(thrown) ?? String(thrown);
  // A link, a pipe or a folder stands where a file of ours was.
  if (['EINVAL', 'ELOOP', 'EISDIR'].includes(errno)) return corrupt(handle, errno, thrown);
  return new SpillwayError(
    'store_read_failed',
    `Reading ${handle} from the output store failed (${errno}).`,
    {
      cause: thrown,
    },
  );
}

/** `store_corrupt`: what is stored is not what was written. */
export function corrupt(handle: string, why: string, cause?: unknown): SpillwayError {
  return new SpillwayError('store_corrupt', `The stored output ${handle} is damaged: ${why}.`, { cause });
}

/** `output_handle_not_found`, for handles that are unknown, malformed or expired alike. */
export function notFound(handle: string, why: 'unknown' | 'expired'): SpillwayError {
  const shown = handle.length > 40 ? `${handle.slice(0, 40)}…` : handle;
  return new SpillwayError(
    'output_handle_not_found',
    why === 'expired'
      ? `Output handle ${shown} has expired.`
      : `There is no output handle ${JSON.stringify(shown)}.`,
  );
}
