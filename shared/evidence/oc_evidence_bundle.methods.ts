import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { StreamParams } from '../core/bridge/streams.ts';

export const methods = {
  /** The page as MHTML (quoted-printable and base64 text, as CDP writes it). */
  'page.mhtml': {
    policy: READS_PAGE,
    params: StreamParams.extend({ tab_id: z.int() }),
    result: z.object({ size_bytes: z.int() }),
  },
  /** Names and attributes of cookies, names of storage keys, timing: never a value. */
  'page.facts': {
    policy: READS_PAGE,
    params: StreamParams.extend({
      tab_id: z.int(),
      part: z.enum(['cookies', 'storage', 'performance', 'facts']),
    }),
    result: z.object({ items: z.int() }),
  },
} as const;
