import { z } from 'zod';

/** Everything that is given must hold at once. */
export const WaitFor = z
  .strictObject({
    text: z.string().trim().min(1).max(1_000).optional().describe('Visible text'),
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
