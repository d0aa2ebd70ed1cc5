import { z } from 'zod';

/** Matches of a query, tools that a selection added, and unknown names in it. */
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
