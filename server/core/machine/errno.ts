import { constants } from 'node:os';

const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [-number, name]));

/**
 * The name of an error such as `ENOENT`, or undefined. libuv has no name for some, `EDQUOT`
 * among them (https://github.com/libuv/libuv/blob/v1.x/include/uv.h, `UV_ERRNO_MAP`): their `code` is
 * "Unknown system error -122", and only the number tells. Elsewhere the code counts: numbers of zlib are others.
 */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  if (code !== undefined && !code.startsWith('Unknown system error')) return code;
  return (
    ('errno' in thrown && typeof thrown.errno === 'number' ? NAMES.get(thrown.errno) : undefined) ?? code
  );
}

/** True if a file or folder does not exist. */
export const isMissing = (thrown: unknown): boolean => errnoOf(thrown) === 'ENOENT';

/** For a `catch`: undefined for a file or folder that does not exist; any other failure is thrown again. */
export function undefinedIfMissing(thrown: unknown): undefined {
  if (!isMissing(thrown)) throw thrown;
}

/** No space, no quota, or a file larger than this process may write. */
const FULL: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** True if a write failed because the disk is full. */
export const isFull = (thrown: unknown): boolean => FULL.includes(errnoOf(thrown));
