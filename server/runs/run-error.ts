import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { errnoOf, isFull } from '../machine/errno.ts';

/** What LMDB says with a number of its own: the system's error number, not negated. */
const isFullDatabase = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 28 || thrown.code === 122);

/** Makes `store_full` or `store_write_failed` of a write that the disk refused; what is coded passes. */
export function toRunError(thrown: unknown, path: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  if (isFull(thrown) || isFullDatabase(thrown))
    return new SpillwayError('store_full', `The folder of the run ${path} has no room.`, {
      hint: 'Free disk space, then resume the run.',
      cause: thrown,
    });
  const errno = errnoOf(thrown);
  if (errno === undefined) return toSpillwayError(thrown);
  return new SpillwayError(
    'store_write_failed',
    `Writing to the folder of the run ${path} failed (${errno}).`,
    {
      cause: thrown,
    },
  );
}
