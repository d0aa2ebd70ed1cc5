import { z } from 'zod';
import { defineTool } from '../manifest.ts';

const count = z.number().int().min(0);

export const outputKeep = defineTool({
  name: 'output_keep',
  title: 'Keep a stored output',
  category: 'output',
  risk: 'none',
  description: {
    does: 'Keeps a stored output from expiring until it is released. With save_as, writes it to a file.',
    use: 'Use it for a handle needed later, or for records that a person wants as CSV.',
    avoid: 'Not for reading it: use oc_output_fetch.',
  },
  keywords: 'pin retain save handle expiry expire release unpin note file export csv tsv spreadsheet',
  input: z.strictObject({
    output_handle: z.string().describe('oh_ and 12 characters'),
    keep: z
      .boolean()
      .optional()
      .describe(
        'true by default; false: let it expire again. Only a person can release an output that a person keeps',
      ),
    note: z.string().min(1).max(200).optional().describe('What it is kept for; output_list finds it'),
    save_as: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('File below --download-root: items as .csv, .tsv or .json, other outputs as they are'),
    overwrite: z.boolean().optional().describe('Replace an existing file'),
  }),
  output: z.looseObject({
    output_handle: z.string(),
    kept: z.boolean().optional(),
    kept_by: z.literal('person').optional().describe('Only a person can release it'),
    note: z.string().optional(),
    expires_in_seconds: count.optional().describe('Absent while kept; 0: expired'),
    kept_bytes: count.optional().describe('Of all kept outputs'),
    kept_max_bytes: count.optional().describe('Limit of kept outputs'),
    saved_as: z.string().optional().describe('The file'),
    size_bytes: count.optional().describe('Of the file'),
    records: count.optional().describe('Rows without the header'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
});

export const manifests = [outputKeep] as const;
