import { z } from 'zod';

/** What `Page.captureScreenshot` answers. */
export const Screenshot = z.object({ data: z.string() });

/** What `Page.getLayoutMetrics` says of the part of a page that is in view, in CSS pixels. */
export const LayoutMetrics = z.object({
  cssVisualViewport: z.object({
    pageX: z.number(),
    pageY: z.number(),
    clientWidth: z.number(),
    clientHeight: z.number(),
    zoom: z.number().positive().default(1),
  }),
});
