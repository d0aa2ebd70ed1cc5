import { z } from 'zod';
import { textField, browserField, tabField, defineTool } from '../core/tools/manifest.ts';
import { FETCH_BOUNDS } from '../core/fetch-limits.ts';

const { bytes, bytesMax, timeoutMs, timeoutMaxMs } = FETCH_BOUNDS;

export const manifest = defineTool({
  name: 'fetch',
  title: 'Fetch a file',
  category: 'read',
  order: 230,
  risk: 'reads_page',
  does: "Downloads a file (PDF, CSV, image, zip, any url) with the user's session cookies: text as text, a PDF as text by page, other files as a handle to their bytes.",
  use: 'Get a PDF or a download that navigate names.',
  avoid: 'Not for web pages: use read_page or crawl.',
  keywords: 'save attachment get pdf file csv zip',
  input: z.strictObject({
    url: textField(65_536).describe('http(s) URL, or relative to the tab'),
    tab: tabField.optional(),
    browser: browserField.optional(),
    as: z.enum(['auto', 'bytes']).default('auto').describe('bytes: a PDF as the file itself'),
    pages: textField(200).optional().describe('Pages of a PDF, such as "2-5,9"'),
    max_bytes: z.int().min(1).max(bytesMax).default(bytes).describe('Larger files are truncated'),
    timeout_ms: z.int().min(100).max(timeoutMaxMs).default(timeoutMs).describe('Time limit'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  shown: {
    state: z.object({
      url: z.string(),
      status: z.int(),
      file_name: z.string().nullable(),
      content_type: z.string().nullable(),
      size_bytes: z.int(),
      truncated: z.boolean(),
      headers: z.record(z.string(), z.string()),
      pages: z.unknown(),
    }),
  },
  spills: true,
  faces: { panel: ['Inspector', 'Render', 'Intervention'] },
});

export const manifests = [manifest] as const;
