import { z } from 'zod';

/** Of a text that is written, or shown. */
export const CLIPBOARD_UNITS = 100_000;

export const methods = {
  'page.clipboard': {
    policy: { judged: 'page', risks: ['evaluate'] },
    /** Null reads. */
    params: z.object({ tab_id: z.int(), text: z.string().nullable() }),
    /** Of the clipboard; `units`: of the whole text, which may be cut. */
    result: z.object({ url: z.string(), text: z.string(), units: z.int().optional() }),
  },
} as const;
