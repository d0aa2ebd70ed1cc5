import { z } from 'zod';

/** Where a prompt works. */
export const urlField = z
  .url({ protocol: /^https?$/, error: 'takes an http: or https: address' })
  .max(8_192)
  .optional()
  .describe('Address of the page; without it the tab that the user has in front');

/** What a person wants, in words. */
export const words = (description: string) =>
  z.string().trim().min(1, 'is empty').max(8_192).describe(description);
