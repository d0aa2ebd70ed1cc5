import { z } from 'zod';

const flag = z.literal(true).optional();
const Dialog = z.looseObject({ type: z.string(), message: z.string() });

/** What was answered, and what the page did next. */
export const DialogFields = z.looseObject({
  tab: z.string(),
  answered: Dialog,
  accepted: z.boolean(),
  url: z.string().optional(),
  title: z.string().optional(),
  navigated: flag,
  loading: flag,
  closed: flag,
  changes: z.string().optional(),
  next_dialog: Dialog.optional(),
});
