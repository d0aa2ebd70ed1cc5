import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { obvious } from '../tools/fields.ts';

export const OutputMode = z.enum(['inline', 'handle', 'auto']);
export type OutputMode = z.infer<typeof OutputMode>;

/**
 * The two fields that the one augmentation at start adds to each manifest with `spills: true`.
 * They have no Zod default: the server's `--output-mode-default` decides, and is named here.
 */
export function outputFields(byDefault: OutputMode) {
  return {
    output_mode: OutputMode.optional().describe(`auto: handle if large; default ${byDefault}`),
    output_inline_limit_bytes: z
      .int()
      .min(1)
      .max(LIMITS.outputInlineMaxBytes)
      .optional()
      .meta(obvious(`Limit of auto (${LIMITS.outputInlineLimitBytes})`)),
  } as const;
}
