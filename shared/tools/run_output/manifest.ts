import { z } from 'zod';
import { runField } from '../fields.ts';
import { defineTool } from '../manifest.ts';

export const runOutput = defineTool({
  name: 'run_output',
  title: 'Run output',
  category: 'runs',
  tier: 2,
  risk: 'none',
  description: {
    does: 'Reads the items of a run, also while it goes on.',
    use: 'Follow next_offset.',
    avoid: 'Not for handles: use oc_output_fetch.',
  },
  input: z.strictObject({
    run_id: runField,
    offset: z.int().min(0).optional().describe('First item'),
    limit: z.int().min(1).optional().describe('Most items (200)'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
});
