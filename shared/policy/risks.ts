import { z } from 'zod';
import { RISKS } from './names.ts';

export const Risk = z.enum(RISKS);
export type Risk = z.infer<typeof Risk>;
