import { z } from 'zod';
import { defineTool } from '../manifest.ts';

export const resumeCall = defineTool({
  name: 'resume_call',
  title: 'Resume call',
  category: 'human',
  order: 290,
  risk: 'none',
  description: {
    does: 'Continues a call that ended with approval_required, once a person has decided.',
    use: 'Pass the id of that error. Returns the answer of the call.',
    avoid: 'Not for runs: use run_resume.',
  },
  keywords: 'approval approve permission pending waiting person allowed continue',
  input: z.strictObject({
    id: z.string().min(1).max(128).describe('Id of approval_required'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
});

export const manifests = [resumeCall] as const;
