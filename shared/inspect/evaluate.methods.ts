import { z } from 'zod';
import { Caller } from '../core/policy/call-facts.ts';
import { StreamParams } from '../core/bridge/streams.ts';
import { Json } from '../base/json-schema.ts';

export const methods = {
  /** The value of a function as JSON; a value that JSON lacks, such as `NaN`, becomes a string. */
  'page.evaluate': {
    policy: { judged: 'page', risks: ['evaluate'] },
    params: StreamParams.extend({
      tab_id: z.int(),
      code: z.string(),
      args: z.array(Json),
      ref: z.string().nullable(),
      /** Who was shown `ref`, and whose turn it is to act on the tab. */
      caller: Caller,
      world: z.enum(['isolated', 'page']),
      timeout_ms: z.int().min(1).max(30_000),
    }),
    result: z.object({
      url: z.string(),
      /** By `typeof`. */
      type: z.string(),
    }),
  },
} as const;
