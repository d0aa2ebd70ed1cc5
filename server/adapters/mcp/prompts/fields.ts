import { z } from 'zod';
import { checkUrl } from '../../../toolkit/urls.ts';

/** Where a prompt works: an address, or a bare host as in an address bar. */
export const urlField = z
  .string()
  .max(8_192)
  .transform((given, context) => {
    try {
      const url = checkUrl(given);
      if (/^https?:/.test(url)) return url;
    } catch {
      // Not an address in any case.
    }
    context.addIssue({ code: 'custom', message: 'takes an http: or https: URL' });
    return z.NEVER;
  })
  .optional()
  .describe("URL of the page; default: the user's active tab");

/** What a person wants, in words. */
export const words = (description: string) =>
  z.string().trim().min(1, 'is empty').max(8_192).describe(description);

/** What a field is chosen from; nothing where it is not a choice. */
export function choicesOf(field: unknown): readonly string[] {
  const inner = field instanceof z.ZodDefault ? field.unwrap() : field;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : [];
}
