import { z } from 'zod';
import { defineTool } from '../manifest.ts';

const count = z.number().int().min(0);

export const outputKeep = defineTool({
  name: 'output_keep',
  title: 'Keep a stored output',
  category: 'output',
  tier: 3,
  risk: 'none',
  description: {
    does: 'Keeps a stored output until it is released: it neither expires nor makes room for others.',
    use: 'Use it for a handle that is needed later, with a note that says for what.',
    avoid: 'Not for saving a file: read the handle with oc_output_fetch.',
  },
  keywords: 'pin retain save handle expiry expire release unpin note',
  input: z.strictObject({
    output_handle: z.string().describe('oh_ and 12 characters'),
    keep: z
      .boolean()
      .default(true)
      .describe(
        'false: release it, so that it expires as it would have; what a person keeps, only a person can',
      ),
    note: z.string().min(1).max(200).optional().describe('What it is kept for; output_list finds it'),
  }),
  output: z.looseObject({
    output_handle: z.string(),
    kept: z.boolean(),
    kept_by: z.literal('person').optional().describe('Only a person can release it'),
    note: z.string().optional(),
    expires_in_seconds: count.optional().describe('Absent while it is kept; 0: it has ended'),
    kept_bytes: count.describe('Of all kept outputs'),
    kept_max_bytes: count.describe('What they may have'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
});

export const manifests = [outputKeep] as const;
