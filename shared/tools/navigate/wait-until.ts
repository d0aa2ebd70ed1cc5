import { z } from 'zod';

/** When a navigation counts as done. `networkidle`: no pending request for 500 ms. */
export const WaitUntil = z.enum(['load', 'domcontentloaded', 'networkidle']);
export type WaitUntil = z.infer<typeof WaitUntil>;
