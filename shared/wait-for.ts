import { z } from 'zod';

/** What a caller can wait for before a page is used. Everything that is given must hold at once. */
export const WaitFor = z
  .strictObject({
    text: z.string().min(1).max(1_000).optional().describe('Visible text'),
    selector: z.string().min(1).max(2_000).optional().describe('CSS of a visible element'),
    network_idle: z.boolean().optional().describe('No requests for 500 ms'),
    timeout_ms: z.int().min(100).max(120_000).default(10_000).describe('Time limit'),
  })
  .refine(
    ({ text, selector, network_idle: networkIdle }) =>
      text !== undefined || selector !== undefined || networkIdle === true,
    { error: 'pass text, selector or network_idle: true' },
  );
export type WaitFor = z.output<typeof WaitFor>;

/** One thing that was waited for. */
export const WaitCondition = z.enum(['text', 'selector', 'network_idle']);
export type WaitCondition = z.infer<typeof WaitCondition>;

/** How a wait ended. */
export const WaitOutcome = z.object({
  /** What did not hold when the time was over; empty when everything held. */
  missing: z.array(WaitCondition),
  waited_ms: z.int().min(0),
  /** Addresses of requests that were still pending, at most five. */
  under_way: z.array(z.string()).max(5),
});
export type WaitOutcome = z.infer<typeof WaitOutcome>;
