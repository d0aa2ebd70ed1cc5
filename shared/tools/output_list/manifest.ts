import { z } from 'zod';
import { defineTool } from '../manifest.ts';

const count = z.number().int().min(0);
const text = z.string().min(1).max(200);

export const outputList = defineTool({
  name: 'output_list',
  title: 'List stored outputs',
  category: 'output',
  risk: 'none',
  description: {
    does: 'Lists stored outputs, newest first: handle, tool, page, size, items, age, note.',
    use: 'Use it to find a handle again, of this session or an earlier one.',
    avoid: 'Not for their content: use oc_output_query.',
  },
  keywords: 'handles captures stored results earlier find again',
  input: z.strictObject({
    tool: text.optional().describe('Only of this tool'),
    text: text.optional().describe('Only with this in the address of its page, or in its note'),
    max_age_minutes: z.int().min(1).max(1_000_000).optional().describe('Only as new as this'),
    kept: z.boolean().optional().describe('Only kept ones, or only others'),
    offset: z.int().min(0).default(0).describe('First output'),
    limit: z.int().min(1).max(200).default(20).describe('Most outputs'),
  }),
  output: z.looseObject({
    outputs: z.array(
      z.looseObject({
        output_handle: z.string(),
        tool: z.string(),
        page: z.string().optional(),
        mime_type: z.string(),
        size_bytes: count,
        items: count.optional(),
        age_seconds: count,
        kept: z.boolean().optional(),
        kept_by: z.literal('person').optional().describe('Only a person can release it'),
        note: z.string().optional(),
        expires_in_seconds: count.optional().describe('Absent while kept'),
      }),
    ),
    total: count,
    next_offset: count.nullable(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
  needs: ['oc_output_fetch'],
});

export const manifests = [outputList] as const;
