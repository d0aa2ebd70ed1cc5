import { humanInputSchema } from '../../human/request.ts';
import { defineTool } from '../manifest.ts';

const manifest = defineTool({
  name: 'request_human_input',
  title: 'Request human input',
  category: 'human',
  risk: 'none',
  description: {
    does: 'Asks the person and waits: for an approval, a text, a choice, a form, or a takeover of a tab.',
    use: 'For what only they know, may decide, or can do: log-ins, captchas and codes are takeovers.',
    avoid: 'Never ask for passwords.',
  },
  keywords:
    'ask user question confirm approve consent choose form elicitation human in the loop login captcha 2fa takeover hand over',
  input: humanInputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  spills: false,
  faces: { panel: ['Inspector', 'Render', 'Placeholder'] },
  flags: { unbudgeted: true },
});

export const manifests = [manifest] as const;
