import { z } from 'zod';
import { textField, obvious, defineTool } from '../core/tools/manifest.ts';

export const script = defineTool({
  name: 'script',
  title: 'Run program',
  category: 'recipes',
  tier: 2,
  order: 105,
  // Its calls have the risks of their own tools, which ask about them.
  risk: 'none',
  does: 'Runs the body of an async JavaScript function: await tools.read_page({…}); ask, sleep, map, items(handle), emit.',
  use: 'For three calls or more whose results you need not see.',
  avoid: 'Not for one call.',
  keywords: 'program code mode typescript workflow loop batch many calls automation',
  input: z.strictObject({
    code: textField(200_000).meta(obvious('JavaScript or TypeScript')),
    input: z.unknown().optional().meta(obvious('JSON that the program sees as input')),
    timeout_ms: z.int().min(1_000).max(604_800_000).optional().meta(obvious('Time limit')),
    async: z.boolean().optional().meta(obvious('Return the run_id immediately')),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  spills: true,
  runs: true,
  systemRole: 'Three calls or more whose results you need not see are one call of script.',
});

export const manifests = [script] as const;
