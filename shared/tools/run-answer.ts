import { z } from 'zod';

/** What a call whose work is a run returns: its items, or the run's id while it is active. */
export const RunAnswerFields = z.looseObject({
  items: z.array(z.unknown()).optional(),
  run_id: z.string().optional(),
  status: z.string().optional(),
  progress: z.looseObject({}).optional(),
});
