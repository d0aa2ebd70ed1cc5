import { z } from 'zod';

const Size = z.number().min(0).max(10_000_000);

/** An element that a person has pointed at, for one session of an agent. */
export const Pick = z.object({
  /** The browser's id of the tab. */
  tab_id: z.int(),
  url: z.string().max(10_000),
  title: z.string().max(1_000),
  /** Shown to the session: it may act on it. */
  ref: z.string().max(100),
  role: z.string().max(100),
  name: z.string().max(300),
  /** In the viewport of its document, in CSS pixels. */
  box: z.object({ x: z.number(), y: z.number(), width: Size, height: Size }),
  /** WebP in base64, with secret fields painted over; null if the browser could not take it. */
  picture: z.string().max(100_000).nullable(),
  /** The person's sentence; empty without one. */
  said: z.string().max(1_000),
});
export type Pick = z.infer<typeof Pick>;

export const PICK_METHODS = {
  /** Gives a session what a person has pointed at. */
  'picks.add': {
    params: z.object({ session: z.string().min(1).max(128), pick: Pick }),
    result: z.object({}),
  },
} as const;
