import { z } from 'zod';
import { RISKS } from './names.ts';

/** What a call can lead to, for rules, questions and the ledger. */
export const Risk = z.enum(RISKS);
export type Risk = z.infer<typeof Risk>;
