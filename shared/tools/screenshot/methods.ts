import { z } from 'zod';
import { StreamParams } from '../../bridge/streams.ts';

export const ImageFormat = z.enum(['png', 'jpeg', 'webp']);
export type ImageFormat = z.infer<typeof ImageFormat>;

export const screenshotMethods = {
  /** The picture in base64. */
  'page.screenshot': {
    streams: true,
    params: StreamParams.extend({
      tab_id: z.int(),
      area: z.enum(['viewport', 'full_page']),
      selector: z.string().nullable(),
      ref: z.string().nullable(),
      format: ImageFormat,
      quality: z.int().min(1).max(100),
      /** Longest edge and area are scaled down to this many pixels in all; null leaves them. */
      max_pixels: z.int().min(1).nullable(),
    }),
    result: z.object({
      url: z.string(),
      width: z.int().min(1),
      height: z.int().min(1),
      /** Pixels of the picture per CSS pixel. */
      scale: z.number(),
      size_bytes: z.int().min(0),
    }),
  },
} as const;
