import { z } from 'zod';

/** What a call answers whose work is a run: its items, or which run it is while that goes on. */
export const RunAnswerFields = z.looseObject({
  items: z.array(z.unknown()).optional(),
  run_id: z.string().optional(),
  status: z.string().optional(),
  progress: z.looseObject({}).optional(),
});
