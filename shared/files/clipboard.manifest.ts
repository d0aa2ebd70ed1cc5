import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { textField, tabField, defineTool } from '../core/tools/manifest.ts';
import { CLIPBOARD_UNITS } from './clipboard.methods.ts';

export const manifest = defineTool({
  name: 'clipboard',
  title: 'Clipboard',
  category: 'dev',
  risk: 'acts_on_page',
  risksOf: oneRisk('evaluate'),
  does: "Reads the text on the person's clipboard, or writes one there; a person is asked each time.",
  use: 'Use it if a page copies text, or accepts it only by pasting.',
  avoid: 'Not for typing: use interact.',
  keywords: 'copy paste pasteboard',
  input: z.strictObject({
    tab: tabField.optional(),
    action: z.enum(['read', 'write']).default('read').describe('What to do'),
    text: textField(CLIPBOARD_UNITS).optional().describe('For write'),
  }),
  output: z.looseObject({
    tab: z.string(),
    text: z.string().optional(),
    /** Characters beyond those that `text` has. */
    left_out: z.int().optional(),
    written: z.int().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
});

export const manifests = [manifest] as const;
