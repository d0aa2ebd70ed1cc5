import { z } from 'zod';
import { textField, defineTool } from '../core/tools/manifest.ts';

/** Sections that fit, best first. */
const DocsSearchFields = z.object({
  items: z.array(
    z.looseObject({ page: z.string(), section: z.string(), heading: z.string(), excerpt: z.string() }),
  ),
});

/** Part of the texts of both tools. */
const common = {
  identifier: 'docs',
  category: 'docs',
  risk: 'none',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;

export const docsSearch = defineTool({
  ...common,
  name: 'docs_search',
  title: 'Search the documentation',
  order: 200,
  does: "Searches Spillway's own documentation and returns the best matching sections, each with an excerpt.",
  use: 'Use it when an option, an error code or a limit of Spillway is unclear.',
  avoid: 'Not for web pages: use navigate and read_page.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(400).describe('A few words'),
    limit: z.int().min(1).max(20).default(5).describe('Section limit'),
  }),
  output: DocsSearchFields,
  needs: ['docs_fetch'],
});

export const docsFetch = defineTool({
  ...common,
  name: 'docs_fetch',
  title: 'Read the documentation',
  order: 210,
  does: "Returns a page of Spillway's documentation, or one section of it, as Markdown.",
  use: 'Pass a page, or a section that docs_search found; without page it lists the pages. A page too long for one answer is returned as an outline.',
  avoid: 'Not for searching: use docs_search.',
  input: z.strictObject({
    page: textField(300)
      .optional()
      .describe(
        'Page or page#section, such as docs/install.md or docs/install.md#spillway-doctor; program.d.ts: types of the tools for script',
      ),
  }),
});

export const manifests = [docsSearch, docsFetch] as const;
