import { z } from 'zod';
import { textField, tabField, pageState, defineTool } from '../core/tools/manifest.ts';

export const htmlSkeleton = defineTool({
  name: 'html_skeleton',
  title: 'HTML skeleton',
  category: 'dev',
  order: 220,
  risk: 'reads_page',
  does: "Shows the structure of a tab's live DOM as short HTML: ids, classes, roles and test ids, with shadow roots and frames; repeated siblings collapsed, texts shortened, hidden elements marked.",
  use: 'Use it to write selectors for read_page, extract_data or page tests.',
  avoid: 'Not for reading content: use read_page. Not for the full source: use read_page with format "html".',
  keywords: 'dom structure css selector inspect element source',
  input: z.strictObject({
    tab: tabField.optional(),
    selector: textField(2_000).optional().describe('CSS selector of the part to show'),
    max_depth: z.int().min(1).max(100).default(30).describe('Levels of elements to show'),
    text_length: z.int().min(0).max(1_000).default(40).describe('Characters kept of each text'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  shown: { state: z.object(pageState) },
  spills: true,
});

export const manifests = [htmlSkeleton] as const;
