import { z } from 'zod';

export const CountOrder = z.object({ id: z.int(), texts: z.array(z.string()).readonly() });
export type CountOrder = z.infer<typeof CountOrder>;

export const CountAnswer = z.object({ id: z.int(), tokens: z.array(z.int().min(0)).readonly() });
export type CountAnswer = z.infer<typeof CountAnswer>;
