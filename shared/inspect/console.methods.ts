import { z } from 'zod';
import { READS_TAB } from '../core/policy/risks.ts';
import { StreamParams } from '../core/bridge/streams.ts';

/** From the least to the most severe. */
export const ConsoleLevel = z.enum(['debug', 'info', 'warning', 'error']);
export type ConsoleLevel = z.infer<typeof ConsoleLevel>;

export const ConsoleMessage = z.object({
  at_ms: z.number(),
  level: ConsoleLevel,
  text: z.string(),
  /** `console`, `exception`, or the source of a browser's message: `network`, `security`, … */
  source: z.string(),
  url: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  stack: z.array(z.string()),
});
export type ConsoleMessage = z.infer<typeof ConsoleMessage>;

export const methods = {
  /** JSON lines of {@link ConsoleMessage}. */
  'page.console': {
    policy: READS_TAB,
    params: StreamParams.extend({ tab_id: z.int() }),
    result: z.object({
      url: z.string(),
      messages: z.int().min(0),
      dropped: z.int().min(0),
      /** Messages from times when a person had the tab. */
      left_out: z.int().min(0).optional(),
      /** A browser without a debugger has messages from its first call in the tab on. */
      since_ms: z.number().optional(),
    }),
  },
} as const;
