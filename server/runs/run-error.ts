import { constants } from 'node:os';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { errnoOf, isFull } from '../machine/errno.ts';

/** LMDB gives the number of a system error as it is, and numbers of its own below zero. */
function databaseErrorOf(thrown: unknown): number | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'number'
    ? thrown.code
    : undefined;
}

const FULL: readonly (number | undefined)[] = [
  constants.errno.ENOSPC,
  constants.errno.EDQUOT,
  constants.errno.EFBIG,
];

/** The process, or the system, may open no more files. */
const isOutOfFiles = (thrown: unknown, number: number | undefined): boolean =>
  ['EMFILE', 'ENFILE'].includes(errnoOf(thrown) ?? '') ||
  number === constants.errno.EMFILE ||
  number === constants.errno.ENFILE;

type DiskCode = 'store_write_failed' | 'store_read_failed';

/**
 * Makes `store_full` or the given code of what the disk refused; what is coded passes. Only for what
 * our own use of the disk threw: a worker's errors have codes and numbers too, and mean something else.
 */
export function toRunError(
  thrown: unknown,
  path: string,
  code: DiskCode = 'store_write_failed',
): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  const number = databaseErrorOf(thrown);
  if (isFull(thrown) || FULL.includes(number))
    return new SpillwayError('store_full', `The folder of the run ${path} has no room.`, {
      hint: 'Free disk space, then resume the run.',
      cause: thrown,
    });
  if (isOutOfFiles(thrown, number))
    return new SpillwayError(code, `The run ${path} could not be opened: too many files are open.`, {
      hint: 'Wait until runs end, or raise the open file limit (ulimit -n), then call again.',
      cause: thrown,
    });
  const why = errnoOf(thrown) ?? (number === undefined ? undefined : `LMDB ${number}`);
  if (why === undefined) return toSpillwayError(thrown);
  return new SpillwayError(code, `The disk of the run ${path} failed (${why}).`, { cause: thrown });
}

/** For `catch` of a promise: what the disk refused, coded. */
export const refuse =
  (path: string, code?: DiskCode) =>
  (thrown: unknown): never => {
    throw toRunError(thrown, path, code);
  };

/** Uses the disk at once; what it refuses is coded. */
export function onDisk<T>(path: string, code: DiskCode, use: () => T): T {
  try {
    return use();
  } catch (thrown) {
    throw toRunError(thrown, path, code);
  }
}
