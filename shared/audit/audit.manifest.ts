import { z } from 'zod';
import { textField, obvious, tabField, defineTool } from '../core/tools/manifest.ts';
import { AuditFinding, AuditLevel } from './audit.methods.ts';

/** Worst first; a rule's first item has its message, and the others their fix if it differs from the one before. */
const AuditFields = z.looseObject({ items: z.array(AuditFinding.partial()) });

export const audit = defineTool({
  name: 'audit',
  title: 'Accessibility audit',
  category: 'dev',
  risk: 'reads_page',
  does: 'Checks a page against WCAG with axe-core, frames and open shadow roots included: an item for each faulty element with its ref and the fix.',
  use: 'Use it to find and fix accessibility faults.',
  avoid: 'Not for reading: use read_page.',
  keywords: 'accessibility a11y wcag axe contrast alt labels aria screen reader lighthouse check',
  input: z.strictObject({
    tab: tabField.optional(),
    scope: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .optional()
      .describe('Ref or CSS selector of the part to check'),
    level: AuditLevel.default('AA').describe('WCAG level, with those below it'),
    best_practices: z.boolean().default(false).meta(obvious('Add rules beyond WCAG')),
    rules: z
      .array(textField(100))
      .min(1)
      .max(200)
      .optional()
      .describe('Only these rules of axe-core, whatever their level: ["color-contrast"]'),
  }),
  output: AuditFields,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  spills: true,
});

export const manifests = [audit] as const;
