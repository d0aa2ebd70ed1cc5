import { z } from 'zod';
import { oneRisk } from '../core/policy/call-risks.ts';
import { tabField, defineTool } from '../core/tools/manifest.ts';

const flag = z.literal(true).optional();
const Dialog = z.looseObject({ type: z.string(), message: z.string() });

const DialogFields = z.looseObject({
  tab: z.string(),
  answered: Dialog,
  accepted: z.boolean(),
  url: z.string().optional(),
  title: z.string().optional(),
  navigated: flag,
  loading: flag,
  closed: flag,
  changes: z.string().optional(),
  next_dialog: Dialog.optional(),
  /** Tabs that the page opened since. */
  opened: z.array(z.looseObject({ tab: z.string(), url: z.string() })).optional(),
});

const dialog = defineTool({
  name: 'dialog',
  title: 'Answer a dialog',
  category: 'act',
  order: 235,
  risk: 'acts_on_page',
  risksOf: oneRisk('dialog'),
  does: 'Accepts or dismisses an open dialog of a page: alert, confirm, prompt, or leave page.',
  use: 'Use it when a call says dialog_open.',
  avoid: 'Not for dialogs drawn in the page: use interact.',
  keywords: 'alert confirm prompt popup beforeunload leave site OK cancel javascript message',
  input: z.strictObject({
    action: z.enum(['accept', 'dismiss']).describe('OK or Cancel'),
    text: z.string().max(10_000).optional().describe('Answer to a prompt'),
    tab: tabField.optional(),
  }),
  output: DialogFields,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  faces: { panel: ['Inspector', 'Render', 'Intervention'] },
});

export const manifests = [dialog] as const;
