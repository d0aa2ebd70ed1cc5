import { SpillwayError } from '../../../shared/errors.ts';
import type { StoredOutput } from '../reader.ts';

/**
 * All bytes of an output.
 *
 * @param field the argument that needs them together
 * @throws SpillwayError `invalid_argument` for one that is larger than `mostBytes`
 */
export async function readWhole(output: StoredOutput, field: string, mostBytes: number): Promise<Buffer> {
  const { handle, size_bytes: size } = output.meta;
  if (size > mostBytes)
    throw new SpillwayError(
      'invalid_argument',
      `${field}: ${handle} has ${size} bytes, and this is done in memory, with at most ${mostBytes}.`,
      { hint: 'Use search, or where and fields, which read one item after the other.' },
    );
  return Buffer.from(await output.read(0, size));
}
