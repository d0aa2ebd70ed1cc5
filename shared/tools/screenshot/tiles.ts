import { z } from 'zod';
import { PageArea } from './methods.ts';

/**
 * Separate from the methods, since the worker writes tiles and does not read them: its bundle has no use for
 * the schemas.
 */

/** The first line of a stream that may contain tiles. */
export const TilesHead = z.object({
  url: z.string(),
  /** How many lines with a {@link Tile} follow; 0: one picture follows, in base64. */
  tiles: z.int().min(0),
});
export type TilesHead = z.infer<typeof TilesHead>;

/** A part of a page: its area and its picture. */
export const Tile = PageArea.extend({
  /** Pixels of the picture per CSS pixel. */
  scale: z.number().positive(),
  base64: z.string(),
});
export type Tile = z.infer<typeof Tile>;
