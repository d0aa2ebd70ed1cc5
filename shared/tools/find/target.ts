import { z } from 'zod';

/** What is sought: words, a selector with engines, or engines and what each is given. */
export const FindTarget = z.union([
  z.object({ query: z.string() }),
  z.object({ selector: z.string() }),
  z.object({ parts: z.array(z.object({ engine: z.string(), body: z.string() })).min(1) }),
]);
export type FindTarget = z.infer<typeof FindTarget>;
