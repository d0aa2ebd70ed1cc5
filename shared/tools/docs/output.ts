import { z } from 'zod';

/** Sections that fit, best first. */
export const DocsSearchFields = z.object({
  items: z.array(
    z.looseObject({ page: z.string(), section: z.string(), heading: z.string(), excerpt: z.string() }),
  ),
});
