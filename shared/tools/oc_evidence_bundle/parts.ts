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

/** How a bundle is packed. */
export const BundleFormat = z.enum(['tar.gz', 'wacz']);
export type BundleFormat = z.infer<typeof BundleFormat>;
