import { z } from 'zod';
import {
  textField,
  obvious,
  scrollFields,
  tabField,
  WaitFor,
  pageState,
  defineTool,
} from '../core/tools/manifest.ts';
import { REF_RANGE } from './page-lines.ts';
import { ReadFormat } from './read_page.methods.ts';

export const readPage = defineTool({
  name: 'read_page',
  title: 'Read page',
  category: 'read',
  tier: 2,
  order: 30,
  risk: 'reads_page',
  does: 'Reads the whole page with frames and shadow roots: Markdown, text, HTML, outline with refs (snapshot) or one item per element (nodes).',
  use: 'Use output_mode auto for pages of unknown size.',
  avoid: 'Not for loading a url.',
  keywords: 'text content article markdown outline accessibility tree snapshot summarize scrape',
  input: z.strictObject({
    tab: tabField.optional().describe('Id or active; default current'),
    format: ReadFormat.default('markdown').meta(obvious('Output format')),
    selector: textField(2_000).optional().describe('CSS selector of the part to read'),
    main_content_only: z.boolean().default(false).meta(obvious('Main article only')),
    include_links: z.boolean().optional().describe('Link URLs; default: not in snapshot'),
    include_hidden: z.boolean().default(false).meta(obvious('Include hidden content')),
    ref: z
      .string()
      .max(64)
      .regex(REF_RANGE, 'takes a ref such as e13, or e13.. for the rest of the page')
      .optional()
      .describe('Only this element; "e5..": and the rest'),
    interactive_only: z.boolean().optional().describe('Controls only'),
    diff: z.boolean().optional().describe('Changes since last snapshot'),
    budget: z.int().min(200).max(20_000).optional().describe('Snapshot tokens'),
    find: textField(1_000).optional().describe('Only lines with this text, with context'),
    ...scrollFields,
    wait_for: WaitFor.optional().describe('Wait first: {text, selector, network_idle, timeout_ms}'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  shown: {
    value: z.object({ items: z.array(z.unknown()) }),
    state: z.object({ ...pageState, format: z.string() }),
  },
  spills: true,
  systemRole: 'Read a page with read_page: with output_mode "auto" a large page returns a handle.',
});

export const manifests = [readPage] as const;
