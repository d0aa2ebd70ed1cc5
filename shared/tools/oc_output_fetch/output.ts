import { z } from 'zod';

const count = z.number().int().min(0);

/** One page of a stored output. */
export const OutputFetchFields = z.looseObject({
  output_handle: z.string(),
  offset: count,
  limit: count,
  returned: count,
  total: count,
  next_offset: count.nullable(),
  content: z.union([z.string(), z.array(z.unknown())]),
  eof: z.boolean(),
  oversized: z.array(z.looseObject({ index: count, byte_offset: count, size_bytes: count })).optional(),
});
