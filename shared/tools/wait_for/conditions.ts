import { z } from 'zod';

const text = z.string().trim().min(1).max(1_000);

/** What can be waited for, by name. */
export const WaitConditions = z.object({
  text: text.optional().describe('Visible text'),
  text_gone: text.optional().describe('Text that is no longer visible'),
  target: text.optional().describe('Selector of a visible element: css=, text=, role=, label=, …'),
  target_gone: text.optional().describe('Selector of an element that is not visible any more'),
  url: text.optional().describe('Part of the URL, or a glob with *'),
  load: z.literal(true).optional().describe('The page has loaded'),
  network_idle: z.literal(true).optional().describe('No requests for 500 ms'),
});
export type WaitConditions = z.infer<typeof WaitConditions>;
export const CONDITION_NAMES = WaitConditions.keyof().options;
