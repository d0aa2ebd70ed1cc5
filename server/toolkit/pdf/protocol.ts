import { z } from 'zod';
import { ERRORS } from '../../../shared/errors.ts';

/** The text of a page, counted from 1. */
export const Order = z.strictObject({ page: z.int().min(1) });
export type Order = z.infer<typeof Order>;

/** Either that the file is open, or one answer per order. */
export const Answer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('opened'), pages: z.int().min(0) }),
  z.strictObject({ type: z.literal('text'), page: z.int().min(1), text: z.string() }),
  z.strictObject({
    type: z.literal('failed'),
    code: z.custom<keyof typeof ERRORS>((code) => typeof code === 'string' && Object.hasOwn(ERRORS, code)),
    message: z.string(),
  }),
]);
export type Answer = z.infer<typeof Answer>;
