import { z } from 'zod';
import { runField } from '../fields.ts';
import { defineTool } from '../manifest.ts';

export const runCancel = defineTool({
  name: 'run_cancel',
  title: 'Cancel run',
  category: 'runs',
  tier: 3,
  risk: 'none',
  description: {
    does: 'Ends a run; what it has stays readable.',
    use: 'Use it for a run that is not wanted any more.',
    avoid: 'Not for a call that still waits: cancel that.',
  },
  input: z.strictObject({
    run_id: runField,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  spills: false,
});
