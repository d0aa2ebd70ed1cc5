import { z } from 'zod';

/** The answer of `Page.captureScreenshot`. */
export const Screenshot = z.object({ data: z.string() });

/** The visible part of a page, as `Page.getLayoutMetrics` returns it in CSS pixels. */
export const LayoutMetrics = z.object({
  cssVisualViewport: z.object({
    pageX: z.number(),
    pageY: z.number(),
    clientWidth: z.number(),
    clientHeight: z.number(),
    zoom: z.number().positive().default(1),
    scale: z.number().positive().default(1),
  }),
});
