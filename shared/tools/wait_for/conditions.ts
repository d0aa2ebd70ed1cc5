import { z } from 'zod';

const text = z.string().trim().min(1).max(1_000);

export const WaitConditions = z.object({
  text: text.optional().describe('Visible text'),
  text_gone: text.optional().describe('Text that is no longer visible'),
  target: text.optional().describe('Ref or selector of a visible element: e13, css=, text=, role=, …'),
  target_gone: text.optional().describe('Ref or selector of an element that is not visible any more'),
  url: text.optional().describe('Part of the URL, or a glob with *'),
  load: z.literal(true).optional().describe('The page has loaded'),
  download: z.literal(true).optional().describe('Downloads since your last act have ended, one completed'),
  network_idle: z.literal(true).optional().describe('No requests for 500 ms'),
});
export type WaitConditions = z.infer<typeof WaitConditions>;
export const CONDITION_NAMES = WaitConditions.keyof().options;

/** The same between server and browser, with what `wait_for` of `navigate` and `read_page` takes. */
export const AwaitedConditions = WaitConditions.extend({
  /** CSS alone, of an element that is rendered. */
  selector: z.string().optional(),
  /** Compared as it is. */
  text: z.string().optional(),
});
export type AwaitedConditions = z.infer<typeof AwaitedConditions>;
export const AWAITED_NAMES = AwaitedConditions.keyof().options;
