import type { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonValue } from '../../shared/json.ts';

/**
 * A value stored by a run, parsed when it is read: a disk is as untrusted as a wire.
 * @param what names the value in the error: `The counts of the crawl`
 * @returns undefined if nothing was stored
 * @throws `store_corrupt` for a record that no run wrote
 */
export function parseStored<T>(
  schema: z.ZodType<T>,
  value: JsonValue | undefined,
  what: string,
): T | undefined {
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw storedDamaged(what, parsed.error);
}

/** `store_corrupt`: a value differs from the one that the run stored. */
export const storedDamaged = (what: string, cause?: unknown): SpillwayError =>
  new SpillwayError('store_corrupt', `${what} cannot be read back: the stored value is malformed.`, {
    hint: 'run_output still reads the items of the run. Start the work again to complete it.',
    cause,
  });
