import { z } from 'zod';
import { defineTool } from '../core/tools/manifest.ts';

/** Matches of a query, tools that a selection added, and unknown names in it. */
const FoundTools = z.object({
  /** How to call the best match, if it is not listed. */
  next: z.string().optional(),
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
  /** Names of matches that fit far worse than the best. */
  less_likely: z.array(z.string()).optional(),
  /** The selected ones; the notes mention schemas that are left out. */
  tools: z
    .array(z.looseObject({ name: z.string(), description: z.string(), input_schema: z.unknown().optional() }))
    .optional(),
  /** Names that joined the session's list, including companions of the selected ones. */
  added: z.array(z.string()).optional(),
  problems: z
    .array(
      z.looseObject({ name: z.string(), error: z.looseObject({ code: z.string(), message: z.string() }) }),
    )
    .optional(),
});

export const findTools = defineTool({
  name: 'find_tools',
  title: 'Find tools',
  category: 'docs',
  tier: 2,
  order: 130,
  risk: 'none',
  does: 'Finds more tools and lists those selected.',
  use: 'Use it when no listed tool fits.',
  avoid: 'Not for the web.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(400).optional().describe('What to do, in words'),
    select: z.array(z.string().max(200)).min(1).max(32).optional().describe('Tools or categories'),
  }),
  output: FoundTools,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  systemRole: 'More tools exist than are listed: use find_tools.',
});

export const manifests = [findTools] as const;
