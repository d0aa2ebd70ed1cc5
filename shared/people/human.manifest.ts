import { z } from 'zod';
import { humanInputSchema } from './request.ts';
import { textField, defineTool } from '../core/tools/manifest.ts';

const line = z.string();

const requestHumanInput = defineTool({
  identifier: 'human',
  name: 'request_human_input',
  title: 'Request human input',
  category: 'human',
  risk: 'none',
  does: 'Asks the person and waits: for an approval, a text, a choice, a form, or a takeover of a tab.',
  use: 'For what only they know, may decide, or can do: log-ins, passkeys, captchas and codes are takeovers.',
  avoid: 'Never ask for passwords.',
  keywords:
    'ask user question confirm approve consent choose form elicitation human in the loop login captcha 2fa takeover hand over',
  input: humanInputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  shown: {
    value: z.object({
      summary: line,
      question: line,
      outcome: line,
      answer: z.unknown(),
      reason: line,
      tab: line,
    }),
  },
  faces: { panel: ['Inspector', 'Render', 'Placeholder'] },
  flags: { unbudgeted: true },
});

export const resumeCall = defineTool({
  identifier: 'human',
  name: 'resume_call',
  title: 'Resume call',
  category: 'human',
  order: 290,
  risk: 'none',
  does: 'Continues a call that ended with approval_required, once a person has decided.',
  use: 'Pass the id of that error. Returns the answer of the call.',
  avoid: 'Not for runs: use run_resume.',
  keywords: 'approval approve permission pending waiting person allowed continue',
  input: z.strictObject({ id: textField(128).describe('Id of approval_required') }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
});

export const manifests = [requestHumanInput, resumeCall] as const;
