import { MODEL_EDGE_PX } from '../../../shared/tools/screenshot/methods.ts';
import { STRIP_PX, type Area } from './picture-size.ts';

/** More than this many tiles are not taken: a page may be endless. */
export const TILES_MAX = 500;
/** Tiles begin at multiples of this, which are whole device pixels at every zoom that Chromium offers. */
const STEP_PX = 60;

/** All of a block: 64 MiB of pixels in memory. */
const BLOCK_PX = 16 * 1024 * 1024;

/** A tile in device pixels, counted from the corner of the page. */
export interface TilePlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Tiles that are drawn at once: each drawing makes the page lay itself out. */
export interface Block extends TilePlace {
  readonly tiles: readonly TilePlace[];
}

export interface TilePlan {
  /** Rows of tiles from top to bottom, in each row from left to right. */
  readonly blocks: readonly Block[];
  readonly tiles: number;
  /** What the tiles cover, in device pixels. */
  readonly width: number;
  readonly height: number;
  readonly isCut: boolean;
}

/**
 * Cuts a page into tiles of at most `maxPixels` device pixels with no edge beyond what models see. They
 * touch, do not overlap, and cover the page unless it needs more than {@link TILES_MAX}.
 *
 * @param pixelRatio the screen's pixels per CSS pixel
 */
export function planTiles(page: Area, pixelRatio: number, maxPixels: number): TilePlan {
  const width = Math.max(1, Math.floor(page.width * pixelRatio));
  const height = Math.max(1, Math.floor(page.height * pixelRatio));
  const step = Math.max(1, Math.round(STEP_PX * pixelRatio));
  const edge = Math.min(MODEL_EDGE_PX, maxPixels);
  const across = width <= edge ? width : onStep(edge, step);
  const down = onStep(Math.min(edge, maxPixels / across), step);
  const columns = Math.min(Math.ceil(width / across), TILES_MAX);
  const rows = Math.min(Math.ceil(height / down), Math.floor(TILES_MAX / columns));
  const covered = { width: Math.min(width, columns * across), height: Math.min(height, rows * down) };
  const isWhole = covered.width <= STRIP_PX;
  const wide = isWhole ? covered.width : Math.floor(STRIP_PX / across) * across;
  const most = isWhole ? Math.min(STRIP_PX, BLOCK_PX / covered.width) : down;
  const high = Math.max(1, Math.floor(most / down)) * down;
  const blocks: Block[] = [];
  for (const block of cut({ left: 0, top: 0, ...covered }, wide, high))
    blocks.push({ ...block, tiles: cut(block, across, down) });
  return {
    blocks,
    tiles: columns * rows,
    ...covered,
    isCut: covered.width < width || covered.height < height,
  };
}

/** Cuts a place into places of at most this size, row by row. */
function cut(place: TilePlace, across: number, down: number): TilePlace[] {
  const { left, top, width, height } = place;
  const parts: TilePlace[] = [];
  for (let y = 0; y < height; y += down)
    for (let x = 0; x < width; x += across)
      parts.push({
        left: left + x,
        top: top + y,
        width: Math.min(across, width - x),
        height: Math.min(down, height - y),
      });
  return parts;
}

/** The largest multiple of a step within a length, or the length where that is shorter than a step. */
const onStep = (length: number, step: number): number =>
  Math.max(1, length < step ? Math.floor(length) : Math.floor(length / step) * step);
