import { z } from 'zod';
import { READS_PAGE } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { Coverage } from '../core/bridge/page.ts';
import { StreamParams } from '../core/bridge/streams.ts';

export const ImageFormat = z.enum(['png', 'jpeg', 'webp']);
export type ImageFormat = z.infer<typeof ImageFormat>;

/** A picture costs a model about its pixels divided by this (docs.claude.com, "Vision"). */
export const PIXELS_PER_TOKEN = 750;
/** Such a model scales a picture with a longer edge down, so that more pixels are wasted. */
export const MODEL_EDGE_PX = 1_568;

/** A rectangle of the document, in CSS pixels. */
const PageArea = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const methods = {
  /** The picture in base64, or tiles. The result describes all tiles as if they were one picture. */
  'page.screenshot': {
    policy: READS_PAGE,
    params: StreamParams.extend({
      tab_id: z.int(),
      area: z.enum(['viewport', 'full_page']),
      /** A full page or an error, but never the viewport in its place. */
      whole: z.boolean().optional(),
      selector: z.string().nullable(),
      ref: z.string().nullable(),
      /** Who was shown `ref`. */
      caller: Caller,
      format: ImageFormat,
      quality: z.int().min(1).max(100),
      /**
       * Scaled down to this many pixels in all and to {@link MODEL_EDGE_PX}; null uses the screen's own
       * pixels.
       */
      max_pixels: z.int().min(1).nullable(),
      /**
       * Sends a full page as tiles at the screen's own pixels if one picture would not show all of it or
       * would be smaller than `min_scale`; null: always. The stream then begins with a `TilesHead`, and tiles
       * follow as JSON lines.
       */
      tiles: z.object({ max_pixels: z.int().min(1), min_scale: z.number().min(0).nullable() }).optional(),
      /** Draws the refs of controls that a press reaches. */
      refs: z.boolean().optional(),
      /**
       * Sends the picture only if more than this percentage of its pixels differs from the last one of the same
       * tab and area that the session was sent. The stream then begins with a `TilesHead`.
       */
      if_changed: z.number().min(0).max(100).optional(),
      /** Only measures: the picture is not sent, and no later one is compared with it. */
      only_size: z.boolean().optional(),
    }),
    result: z.object({
      url: z.string(),
      width: z.int().min(1),
      height: z.int().min(1),
      /** Pixels of the picture per CSS pixel. */
      scale: z.number(),
      size_bytes: z.int().min(0),
      /** The area of the picture, in CSS pixels of the document. */
      shown: PageArea,
      coverage: z.array(Coverage),
      /** The refs that are drawn. */
      refs: z.int().min(0).optional(),
      /** How the picture differs from the last one: `percent` is null if the sizes do. Absent without one to compare. */
      changed: z.object({ percent: z.number().nullable(), area: PageArea.nullable() }).optional(),
    }),
  },
} as const;

/**
 * Separate from the methods, since the worker writes tiles and does not read them: its bundle has no use for
 * the schemas.
 */

/** The first line of a stream that may contain tiles. */
export const TilesHead = z.object({
  url: z.string(),
  /** How many lines with a {@link Tile} follow; 0: one picture follows, in base64. */
  tiles: z.int().min(0),
  /** Nothing follows: the picture has not changed, or only its size was asked for. */
  is_unsent: z.boolean().optional(),
});
export type TilesHead = z.infer<typeof TilesHead>;

/** A part of a page: its area and its picture. */
export const Tile = PageArea.extend({
  /** Pixels of the picture per CSS pixel. */
  scale: z.number().positive(),
  base64: z.string(),
});
export type Tile = z.infer<typeof Tile>;
