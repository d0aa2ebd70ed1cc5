import { z } from 'zod';
import { Download } from '../core/downloads.ts';
import { READS_TAB } from '../core/policy/risks.ts';

/** A download with the facts from the browser's list. */
export const SavedFile = Download.extend({
  /** Null if it is no longer in the browser's list. */
  id: z.int().nullable(),
  /** By its server. */
  mime_type: z.string().max(300),
});
export type SavedFile = z.infer<typeof SavedFile>;

export const methods = {
  /** The files that the browser has saved, or is saving, for acts in a tab; oldest first. */
  'downloads.list': {
    policy: READS_TAB,
    params: z.object({ tab_id: z.int() }),
    result: z.object({ url: z.string(), downloads: z.array(SavedFile), left_out: z.int().min(0) }),
  },
  /** The file's place on disk. */
  'downloads.take': {
    policy: { judged: 'handler', risks: ['download'] },
    params: z.object({
      tab_id: z.int(),
      id: z.int(),
      /** The person names a folder for a copy on the card. */
      asks_folder: z.boolean().optional(),
    }),
    result: z.object({
      file: SavedFile,
      path: z.string(),
      /** In the browser's words. */
      danger: z.string(),
      exists: z.boolean(),
      /** As the person named it. */
      folder: z.string().optional(),
    }),
  },
} as const;
