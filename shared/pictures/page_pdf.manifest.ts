import { z } from 'zod';
import { obvious, tabField, defineTool } from '../core/tools/manifest.ts';
import { Paper } from './page_pdf.methods.ts';

export const manifest = defineTool({
  name: 'page_pdf',
  title: 'Page as PDF',
  category: 'capture',
  risk: 'reads_page',
  does: 'Prints a tab to a PDF of paper pages, and returns a handle.',
  use: 'Use it to keep a page as a document.',
  avoid: 'Not for text: use read_page. Not for a picture: use screenshot.',
  keywords: 'print save export document paper a4 letter',
  input: z.strictObject({
    tab: tabField.optional(),
    paper: Paper.default('a4').meta(obvious('Size of the paper')),
    landscape: z.boolean().default(false).meta(obvious('Across')),
    scale: z.number().min(0.1).max(2).default(1).meta(obvious('Scale of the content')),
    background: z.boolean().default(true).describe('Print colours and pictures of backgrounds'),
    pages: z
      .string()
      .regex(/^\d{1,5}(?:-\d{1,5})?(?:, ?\d{1,5}(?:-\d{1,5})?){0,99}$/, 'takes pages such as 1-3, 7')
      .optional()
      .describe('1-3, 7; default all'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

export const manifests = [manifest] as const;
