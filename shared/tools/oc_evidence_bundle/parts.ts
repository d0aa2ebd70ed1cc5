import { z } from 'zod';

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

export const BundleFormat = z.enum(['tar.gz', 'wacz']);
export type BundleFormat = z.infer<typeof BundleFormat>;
