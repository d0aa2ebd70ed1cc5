import { z } from 'zod';
import { runField } from '../fields.ts';
import { defineTool } from '../manifest.ts';

export const runStatus = defineTool({
  name: 'run_status',
  title: 'Run status',
  category: 'runs',
  tier: 2,
  risk: 'none',
  description: {
    does: 'Shows how far a run is.',
    use: 'Use it to follow a run.',
    avoid: 'Not for its items: use run_output.',
  },
  input: z.strictObject({
    run_id: runField,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
});
