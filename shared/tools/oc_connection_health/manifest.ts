import { z } from 'zod';
import { defineTool } from '../manifest.ts';
import { HealthFields } from './output.ts';

const ocConnectionHealth = defineTool({
  name: 'oc_connection_health',
  title: 'Connection health',
  category: 'output',
  tier: 2,
  order: 100,
  risk: 'none',
  description: {
    does: 'Shows connected browsers, store and tokens used.',
    use: 'Use it when a call fails with browser_not_connected.',
    avoid: 'Not for listing tabs.',
  },
  keywords: 'connected status browser problem disk usage diagnose',
  input: z.strictObject({}),
  output: HealthFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
  flags: { unbudgeted: true },
});

export const manifests = [ocConnectionHealth] as const;
