import { z } from 'zod';
import { tabField, pageState, defineTool } from '../core/tools/manifest.ts';
import { WaitConditions } from './wait_for.methods.ts';

const names = z.array(z.string());

export const waitForTool = defineTool({
  name: 'wait_for',
  title: 'Wait for',
  category: 'read',
  order: 280,
  risk: 'reads_page',
  does: 'Waits until a tab meets conditions.',
  use: 'Pass several for all of them, or mode "any" for one. Returns the matching lines, or on a time-out what the page shows instead.',
  avoid: 'Not needed after interact, which waits for what it began.',
  keywords: 'wait until appears disappears loaded url changes idle downloads',
  input: z.strictObject({
    ...WaitConditions.shape,
    mode: z.enum(['all', 'any']).default('all').describe('All of them, or one'),
    timeout_ms: z.int().min(100).max(120_000).default(10_000).describe('Time limit'),
    tab: tabField.optional(),
  }),
  shown: { state: z.object({ ...pageState, waited_ms: z.number(), met: names, missing: names }) },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [waitForTool] as const;
