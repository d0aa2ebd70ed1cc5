import { z } from 'zod';
import { defineTool } from '../manifest.ts';

export const outputSchema = defineTool({
  name: 'output_schema',
  title: 'Schema of stored output',
  category: 'output',
  risk: 'none',
  description: {
    does: 'Infers the JSON Schema of the items of a stored output: fields, types, required fields, choices.',
    use: 'Use it before a query with where and fields.',
    avoid: 'Not for text or bytes.',
  },
  keywords: 'fields types structure columns of items json handle',
  input: z.strictObject({
    output_handle: z.string().describe('oh_ and 12 characters'),
  }),
  output: z.looseObject({
    output_handle: z.string(),
    items: z.number().nullable(),
    schema: z.looseObject({}),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: false,
  faces: { panel: ['Inspector', 'Render'] },
  needs: ['oc_output_query'],
});

export const manifests = [outputSchema] as const;
