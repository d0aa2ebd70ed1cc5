import { SpillwayError } from '../../shared/errors.ts';
import { errnoOf, isFull } from '../machine/errno.ts';

/** Makes `store_full` or `store_write_failed` of a failed write; coded errors pass. */
export function toWriteError(thrown: unknown, folder: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const errno = errnoOf(thrown) ?? String(thrown);
  return isFull(thrown)
    ? new SpillwayError('store_full', `The output store ${folder} is full (${errno}).`, { cause: thrown })
    : new SpillwayError('store_write_failed', `Writing to the output store ${folder} failed (${errno}).`, {
        cause: thrown,
      });
}

/** Makes `store_read_failed` of a failed read of a handle or of the store's folder; coded errors pass. */
export function toReadError(thrown: unknown, handle: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const errno = errnoOf(thrown) ?? String(thrown);
  // A link, a pipe or a folder has replaced one of our files.
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

/** `output_handle_not_found`, for handles that are unknown, malformed, expired or deleted alike. */
export function notFound(handle: string, why: 'unknown' | 'expired' | 'deleted'): SpillwayError {
  const shown = handle.length > 40 ? `${handle.slice(0, 40)}…` : handle;
  if (why === 'deleted')
    return new SpillwayError('output_handle_not_found', `A person has deleted output handle ${shown}.`, {
      hint: 'Ask the person before you repeat the call that created it.',
    });
  return new SpillwayError(
    'output_handle_not_found',
    why === 'expired'
      ? `Output handle ${shown} has expired.`
      : `There is no output handle ${JSON.stringify(shown)}.`,
  );
}

/** What a person keeps, no agent releases. */
export const keptByPerson = (handle: string): SpillwayError =>
  new SpillwayError('invalid_argument', `keep: a person keeps ${handle}, and only a person can release it.`, {
    hint: 'If it is in the way, ask the person to choose "Let it expire" for it in the side panel, under Outputs.',
  });
