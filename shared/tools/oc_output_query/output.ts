import { z } from 'zod';

const count = z.number().int().min(0);

/** One page of what a query found, in the shape of a page of the output. */
export const OutputQueryFields = z.looseObject({
  output_handle: z.string(),
  offset: count,
  limit: count,
  returned: count,
  total: count,
  next_offset: count.nullable(),
  content: z.array(z.unknown()),
  eof: z.boolean(),
});
