import { z } from 'zod';
import { defineTool, tabField, textField } from '../core/tools/manifest.ts';

export const manifest = defineTool({
  name: 'inspect',
  title: 'Source and styles of an element',
  category: 'dev',
  risk: 'reads_page',
  does: 'Names the components that drew an element of a development build (React, Vue, Svelte, Angular, Lit), with file and line; with styles, the CSS rules that give it its look; or the scripts that sent a request.',
  use: 'Use it to find the code to change.',
  avoid: 'Not for the page itself: use html_skeleton.',
  keywords:
    'component source file line code css rule style cascade computed react vue svelte angular lit source map devtools why does it look',
  input: z.strictObject({
    tab: tabField.optional(),
    ref: textField(40).optional().describe('Ref of the element, of a snapshot, find or picked'),
    styles: z.boolean().default(false).describe('The CSS rules too, the strongest first'),
    computed: z
      .array(textField(100))
      .max(50)
      .default([])
      .describe('Properties whose computed values to answer: ["color"]'),
    request: textField(100).optional().describe('Id of a captured request (_id) in place of ref'),
  }),
  output: z.looseObject({
    tab: z.string(),
    components: z
      .array(
        z.looseObject({
          framework: z.string(),
          name: z.string().optional(),
          defined_at: z.string().optional().describe('Where the component begins'),
          writes_at: z.string().optional().describe('Where it writes the element, or the component before'),
        }),
      )
      .optional()
      .describe('Innermost first'),
    rules: z.array(z.looseObject({ selector: z.string(), declares: z.array(z.string()) })).optional(),
    computed: z.record(z.string(), z.string()).optional(),
    stack: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [manifest] as const;
