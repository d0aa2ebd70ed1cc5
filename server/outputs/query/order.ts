import { z } from 'zod';
import { isErrorCode } from '../../../shared/base/errors.ts';
import type { QueriedPage, QueryRequest } from '../../core/output/index.ts';
import { Meta } from '../../core/output/format.ts';

/** A question, and the files of the outputs that it names. */
export const Order = z.object({
  request: z.custom<QueryRequest>(),
  outputs: z.array(z.object({ path: z.string(), meta: Meta })),
  pageBytes: z.number(),
});
export type Order = z.infer<typeof Order>;

export const Answer = z.union([
  z.object({ answered: z.custom<QueriedPage>() }),
  z.object({
    failed: z.object({
      code: z.string().refine(isErrorCode),
      message: z.string(),
      hint: z.string(),
      retryable: z.boolean(),
    }),
  }),
]);
export type Answer = z.infer<typeof Answer>;
