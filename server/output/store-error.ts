import { SpillwayError } from '../../shared/errors.ts';
import { toStoreError } from '../home/database.ts';
import { errnoOf } from '../machine/errno.ts';

/** Names what the disk refused of a handle. */
export function toReadError(thrown: unknown, handle: string): SpillwayError {
  // A link, a pipe or a folder has replaced one of our files.
  if (['EINVAL', 'ELOOP', 'EISDIR'].includes(errnoOf(thrown) ?? ''))
    return corrupt(handle, String(errnoOf(thrown)), thrown);
  return toStoreError(thrown, `output ${handle}`, 'store_read_failed');
}

/** `store_corrupt`: what is stored is not what was written. */
export function corrupt(handle: string, why: string, cause?: unknown): SpillwayError {
  return new SpillwayError('store_corrupt', `The stored output ${handle} is damaged: ${why}.`, { cause });
}

/** `output_handle_not_found`, for handles that are unknown, malformed, expired or deleted alike. */
export function notFound(handle: string, why: 'unknown' | 'expired' | 'deleted'): SpillwayError {
  const shown = handle.length > 40 ? `${handle.slice(0, 40)}…` : handle;
  if (why === 'deleted')
    return new SpillwayError('output_handle_not_found', `A person deleted output ${shown}.`, {
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
