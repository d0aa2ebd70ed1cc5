import { z } from 'zod';

/** What a bundle can hold. */
export const EvidencePart = z.enum([
  'screenshot',
  'full_page',
  'mhtml',
  'html',
  'markdown',
  'snapshot',
  'network',
  'console',
  'cookies',
  'storage',
  'performance',
  'facts',
]);
export type EvidencePart = z.infer<typeof EvidencePart>;
