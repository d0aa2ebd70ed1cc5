import { z } from 'zod';

/** Which bodies are kept or shown: none, those of a text type, or every one. */
export const BodyChoice = z.enum(['none', 'text', 'all']);
export type BodyChoice = z.infer<typeof BodyChoice>;
