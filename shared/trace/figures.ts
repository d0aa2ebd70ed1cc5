import { z } from 'zod';

const Verdict = z.enum(['good', 'needs work', 'poor']);
/** A figure, or why the trace does not have it. */
const figure = <Shape extends z.core.$ZodShape>(shape: Shape) => z.union([z.string(), z.strictObject(shape)]);
const Parts = z.record(z.string(), z.number());

/** Times in milliseconds, since the navigation or else the start of the trace. */
export const Figures = z.strictObject({
  lcp: figure({ ms: z.number(), verdict: Verdict, element: z.string(), parts: Parts }),
  cls: figure({ score: z.number(), verdict: Verdict, shifts: z.array(z.string()) }),
  inp: figure({ ms: z.number(), verdict: Verdict, event: z.string(), parts: Parts }),
  fcp_ms: z.union([z.string(), z.number()]),
  tbt: figure({ ms: z.number(), verdict: Verdict }),
  long_tasks: z.array(z.string()),
  render_blocking: z.array(z.string()),
  costly_functions: z.array(z.string()),
});
export type Figures = z.infer<typeof Figures>;
