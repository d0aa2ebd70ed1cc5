import { humanInputSchema } from '../../human/request.ts';
import { defineTool } from '../manifest.ts';

const manifest = defineTool({
  name: 'request_human_input',
  title: 'Request human input',
  category: 'human',
  tier: 3,
  risk: 'none',
  description: {
    does: 'Asks the person at this client and waits for the answer: an approval, a text, a choice or a form.',
    use: 'Use it for what only the person knows or may decide.',
    avoid: 'Not for passwords.',
  },
  keywords: 'ask user question confirm approve consent choose form elicitation human in the loop',
  input: humanInputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  spills: false,
});

export const manifests = [manifest] as const;
