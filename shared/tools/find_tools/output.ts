import { z } from 'zod';

/** What fits a query, what a selection brought, and what of it was none. */
export const FoundTools = z.object({
  /** Best first. */
  matches: z
    .array(
      z.looseObject({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        category: z.string(),
        listed: z.boolean(),
      }),
    )
    .optional(),
  /** The selected ones; a schema that is left out is said in the notes. */
  tools: z
    .array(z.looseObject({ name: z.string(), description: z.string(), input_schema: z.unknown().optional() }))
    .optional(),
  /** Names that joined the session's list, with those that the selected ones need. */
  added: z.array(z.string()).optional(),
  problems: z
    .array(
      z.looseObject({ name: z.string(), error: z.looseObject({ code: z.string(), message: z.string() }) }),
    )
    .optional(),
});
