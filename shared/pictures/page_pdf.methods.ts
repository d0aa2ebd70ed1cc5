import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { StreamParams } from '../core/bridge/streams.ts';

export const Paper = z.enum(['a3', 'a4', 'a5', 'letter', 'legal', 'tabloid']);

export const methods = {
  /** The document in base64. */
  'page.pdf': {
    needs: 'debugger',
    policy: READS_PAGE,
    params: StreamParams.extend({
      tab_id: z.int(),
      paper: Paper,
      landscape: z.boolean(),
      scale: z.number(),
      background: z.boolean(),
      /** Empty for all. */
      pages: z.string(),
    }),
    result: z.object({ url: z.string(), title: z.string(), size_bytes: z.int().min(0) }),
  },
} as const;
