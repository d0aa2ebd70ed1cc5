import { z } from 'zod';
import { obvious, tabField, pageState, defineTool } from '../core/tools/manifest.ts';

const text = z.string().trim().min(1).max(1_000);

export const find = defineTool({
  name: 'find',
  title: 'Find',
  category: 'read',
  tier: 2,
  order: 35,
  risk: 'reads_page',
  does: 'Finds elements by words or selector: a line each with its ref.',
  use: 'Cheaper than a snapshot.',
  avoid: 'Not for reading.',
  keywords: 'search locate element button link ref selector on page',
  input: z.strictObject({
    query: text.optional().describe('Words of name, label, heading or row; or a selector'),
    role: text.optional().meta(obvious('Role')),
    name: text.optional().meta(obvious('Name')),
    text: text.optional().meta(obvious('Text')),
    label: text.optional().meta(obvious('Label')),
    placeholder: text.optional().meta(obvious('Placeholder')),
    css: text.optional().meta(obvious('CSS')),
    xpath: text.optional().meta(obvious('XPath')),
    test_id: text.optional().meta(obvious('Test id')),
    limit: z.int().min(1).max(100).default(10).meta(obvious('Limit')),
    tab: tabField.optional(),
  }),
  shown: { state: z.object({ ...pageState, found: z.int(), more: z.int() }) },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [find] as const;
