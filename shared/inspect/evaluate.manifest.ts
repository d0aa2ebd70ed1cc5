import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { textField, tabField, defineTool } from '../core/tools/manifest.ts';

export const manifest = defineTool({
  name: 'evaluate',
  title: 'Run a function in a page',
  category: 'dev',
  risk: 'acts_on_page',
  risksOf: oneRisk('evaluate'),
  does: 'Runs a JavaScript function in a page and returns its value as JSON; a person is asked each time.',
  use: 'Use it for anything that no other tool reads or does.',
  avoid: 'Not for reading or acting: use read_page, extract_data or interact.',
  keywords: 'javascript js execute eval run code script function console dom',
  input: z.strictObject({
    tab: tabField.optional(),
    code: textField(100_000).describe(
      'Function, async too: (a, b) => value; or an expression. With ref its first argument is the element',
    ),
    args: z.array(z.unknown()).max(50).default([]).describe('JSON arguments'),
    ref: textField(40).optional().describe('Ref of one element; it runs in its frame'),
    world: z
      .enum(['isolated', 'page'])
      .default('isolated')
      .describe("isolated shares the DOM alone; page sees the page's own variables, and the page sees it"),
    timeout_ms: z.int().min(1).max(30_000).default(5_000).describe('Stops the script'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  spills: true,
});

export const manifests = [manifest] as const;
