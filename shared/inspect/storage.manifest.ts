import { z } from 'zod';
import { textField, tabField, defineTool } from '../core/tools/manifest.ts';
import { CookieFlags, StorageArea, StoredEntry } from './storage.methods.ts';

export const manifest = defineTool({
  name: 'storage',
  title: 'Cookies and storage of a page',
  category: 'dev',
  risk: 'acts_on_page',
  risksOf: ({ action = 'list' }) => [{ risk: action === 'list' ? 'read' : 'evaluate', step: null }],
  does: "Lists a page's cookies, localStorage and sessionStorage by name and size, sets one or deletes some, exports all to an encrypted file, or imports it; a person is asked about all but list.",
  use: 'Use it to prepare or clear a state for a test.',
  avoid: 'Not for reading values: none is shown.',
  keywords: 'save restore login cookie localStorage sessionStorage sign out session state clear delete',
  input: z.strictObject({
    tab: tabField.optional(),
    action: z.enum(['list', 'set', 'delete', 'export', 'import']).default('list').describe('What to do'),
    area: StorageArea.optional().describe('For list; default all'),
    name: textField(4_000).optional().describe('Of the entry'),
    value: z.string().max(50_000).optional().describe('For set; may be secret:NAME'),
    file: textField(500).optional().describe('For export and import: a path below --download-root'),
    key: textField(100).optional().describe('For export and import: secret:NAME'),
    overwrite: z.boolean().default(false).describe('Replace an existing file'),
    all: z.boolean().default(false).describe('Delete all of the area'),
    cookie: CookieFlags.default({}).describe('Default: of this host alone'),
  }),
  output: z.looseObject({
    tab: z.string(),
    url: z.string(),
    entries: z.array(StoredEntry).optional(),
    left_out: z.int().optional(),
    changed: z.int().optional(),
    saved_as: z.string().optional(),
    exported: z.int().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
});

export const manifests = [manifest] as const;
