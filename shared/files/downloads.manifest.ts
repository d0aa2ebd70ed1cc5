import { z } from 'zod';
import { textField, tabField, defineTool } from '../core/tools/manifest.ts';
import { SavedFile } from './downloads.methods.ts';

export const manifest = defineTool({
  name: 'downloads',
  title: 'Downloads of a tab',
  category: 'capture',
  risk: 'reads_page',
  risksOf: ({ action = 'list' }) => [{ risk: action === 'take' ? 'download' : 'read', step: null }],
  does: 'Lists the files that acts saved from a tab, waits for them, or takes one into a handle or a folder of the person.',
  use: 'Use it after an act that saves a file.',
  avoid: 'Not for an address: use fetch.',
  keywords: 'download report csv pdf zip attachment',
  input: z.strictObject({
    tab: tabField.optional(),
    action: z
      .enum(['list', 'wait', 'take'])
      .default('list')
      .describe('wait: until one has come and none is on its way'),
    id: z.int().min(0).optional().describe('For take: the id in list'),
    save_as: textField(500)
      .optional()
      .describe(
        'File below --download-root, or else below a folder that the person names. Default: a handle',
      ),
    overwrite: z.boolean().default(false).describe('Replace an existing file'),
    timeout_ms: z.int().min(0).max(600_000).default(30_000).describe('For wait'),
  }),
  output: z.looseObject({
    tab: z.string(),
    downloads: z.array(SavedFile).optional(),
    left_out: z.int().optional(),
    saved_as: z.string().optional(),
    size_bytes: z.int().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
});

export const manifests = [manifest] as const;
