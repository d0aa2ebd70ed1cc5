import { z } from 'zod';

/** Messages, oldest first. */
export const ConsoleFields = z.looseObject({
  items: z.array(
    z.looseObject({
      time: z.string(),
      level: z.string(),
      source: z.string(),
      text: z.string(),
      location: z.string().optional(),
      stack: z.array(z.string()).optional(),
    }),
  ),
});
