import { z } from 'zod';
import { runField } from '../fields.ts';
import { defineTool } from '../manifest.ts';

export const runResume = defineTool({
  name: 'run_resume',
  title: 'Resume run',
  category: 'runs',
  tier: 3,
  risk: 'none',
  description: {
    does: 'Goes on with a run that was interrupted, cancelled or failed.',
    use: 'Nothing is lost and nothing done twice.',
    avoid: 'Not for a run that is complete.',
  },
  input: z.strictObject({
    run_id: runField,
    async: z.boolean().default(false).describe('Answer the run_id at once'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  spills: false,
});
