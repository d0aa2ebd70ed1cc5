import { z } from 'zod';

const Position = z.strictObject({ line: z.int(), column: z.int() });

/** To the thread: source maps with the positions of their scripts to look up; lines and columns begin at 1. */
export const Order = z.strictObject({
  maps: z.array(z.strictObject({ text: z.string(), url: z.string(), positions: z.array(Position) })),
});
export type Order = z.infer<typeof Order>;

/** For each map the sources in the order of its positions; null for a position without one, and for no map. */
export const Answer = z.strictObject({
  maps: z.array(z.array(Position.extend({ source: z.string() }).nullable()).nullable()),
});
export type Answer = z.infer<typeof Answer>;
