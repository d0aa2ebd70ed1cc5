import { z } from 'zod';

/** What a call can lead to, for rules, questions and the ledger. */
export const RISKS = [
  'read',
  'navigate',
  'input',
  'submit',
  'download',
  'upload',
  'dialog',
  'evaluate',
  'capture_network',
  'crawl',
] as const;
export const Risk = z.enum(RISKS);
export type Risk = z.infer<typeof Risk>;
