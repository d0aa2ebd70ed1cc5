import { z } from 'zod';

/** The answer of `Page.captureScreenshot`. */
export const Screenshot = z.object({ data: z.string() });

/** The part of a page that is in view, as `Page.getLayoutMetrics` answers it in CSS pixels. */
export const LayoutMetrics = z.object({
  cssVisualViewport: z.object({
    pageX: z.number(),
    pageY: z.number(),
    clientWidth: z.number(),
    clientHeight: z.number(),
    zoom: z.number().positive().default(1),
  }),
});
