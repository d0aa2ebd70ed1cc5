import { z } from 'zod';
import { Figures } from '../../shared/trace/figures.ts';

/** To the thread: an array of events in JSON, and the origin of scripts that are not the page's. */
export const Order = z.strictObject({ events: z.string(), own: z.string() });
export type Order = z.infer<typeof Order>;

export const Answer = z.union([z.strictObject({ figures: Figures }), z.strictObject({ failed: z.string() })]);
export type Answer = z.infer<typeof Answer>;
