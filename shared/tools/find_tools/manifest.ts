import { z } from 'zod';
import { defineTool } from '../manifest.ts';
import { FoundTools } from './output.ts';

export const findTools = defineTool({
  name: 'find_tools',
  title: 'Find tools',
  category: 'docs',
  tier: 2,
  order: 130,
  risk: 'none',
  description: {
    does: 'Finds more tools and lists those selected.',
    use: 'Use it when no listed tool fits.',
    avoid: 'Not for the web.',
  },
  input: z.strictObject({
    query: z.string().trim().min(1).max(400).optional().describe('What to do, in words'),
    select: z.array(z.string().max(200)).min(1).max(32).optional().describe('Tools or categories'),
  }),
  output: FoundTools,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
  systemRole: 'More tools exist than are listed: use find_tools.',
});

export const manifests = [findTools] as const;
