import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { gather } from '../../../shared/base/queue.ts';
import { MODEL_EDGE_PX, type Tile, type TilesHead } from '../../../shared/pictures/screenshot.methods.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { base64Bytes } from '../../core/ports/base64.ts';
import { createCanvas, decodePicture, encodePicture } from '../../core/tabs/visible-tab.ts';
import {
  draw,
  shoot,
  watching,
  type CaptureOptions,
  type Picture,
  type Shot,
  fitPicture,
  STRIP_AREA_PX,
  STRIP_PX,
  measure,
  withoutScrollbars,
  type PictureSize,
  type Area,
  type Screen,
} from './capture.ts';

/** Maximum tiles taken: a page may be endless. */
export const TILES_MAX = 500;
/** Tiles begin at multiples of this, which are whole device pixels at every zoom that Chromium offers. */
const STEP_PX = 60;

/** A tile in device pixels, from the corner of the page. */
interface TilePlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Tiles that are drawn at once: each drawing makes the page lay itself out. */
interface Block extends TilePlace {
  readonly tiles: readonly TilePlace[];
}

/**
 * Cuts a page into tiles of at most `maxPixels` device pixels, no edge longer than models accept. They are adjacent
 * without overlap, and cover the page unless it needs more than {@link TILES_MAX}.
 * @param pixelRatio the screen's pixels per CSS pixel
 * @returns the tiles in rows from top to bottom, each from left to right, and their area in device pixels
 */
export function planTiles(page: Area, pixelRatio: number, maxPixels: number) {
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
  const most = isWhole ? Math.min(STRIP_PX, STRIP_AREA_PX / covered.width) : down;
  const high = Math.max(1, Math.floor(most / down)) * down;
  const blocks = cut({ left: 0, top: 0, ...covered }, wide, high).map((block) => ({
    ...block,
    tiles: cut(block, across, down),
  }));
  const isCut = covered.width < width || covered.height < height;
  return { blocks, tiles: columns * rows, ...covered, isCut };
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

/** The largest multiple of a step within a length, or the length if it is shorter than a step. */
const onStep = (length: number, step: number): number =>
  Math.max(1, length < step ? Math.floor(length) : Math.floor(length / step) * step);

export interface FullPageOptions extends CaptureOptions {
  readonly tiles: MethodParams<'page.screenshot'>['tiles'];
  readonly url: string;
  readonly signal: AbortSignal;
  /** Takes a line; resolves when the next may be written. */
  readonly write: (text: string) => Promise<void>;
}

/** Tiles that were written. */
export interface SentTiles {
  readonly size: PictureSize;
  readonly sizeBytes: number;
  readonly hasMoved: boolean;
}

/**
 * Takes the whole page, without scrollbars: one picture, or tiles, which are written one by one while the page stays
 * unchanged.
 * @throws SpillwayError as `capture`, or the signal's reason
 */
export async function captureFullPage(
  lease: DebuggerLease,
  options: FullPageOptions,
): Promise<Picture | SentTiles> {
  // A page that does not respond keeps its layout.
  await measure(lease);
  return withoutScrollbars(lease, async () => {
    const screen = await measure(lease);
    const size = fitPicture(screen.content, screen.pixelRatio, options.maxPixels);
    const { tiles } = options;
    if (tiles !== undefined && needsTiles(size, tiles.min_scale))
      return watching(lease, () =>
        sendTiles(lease, { ...options, maxPixels: tiles.max_pixels, screen, size }),
      );
    return draw(lease, { ...options, screen, size });
  });
}

const needsTiles = ({ scale, isCut, isReduced }: PictureSize, minScale: number | null): boolean =>
  minScale === null || isCut || isReduced || scale < minScale;

type Sending = FullPageOptions & Shot & { readonly maxPixels: number };

async function sendTiles(lease: DebuggerLease, sending: Sending): Promise<SentTiles> {
  const { screen, url, write } = sending;
  const { content, pixelRatio: scale } = screen;
  const plan = planTiles(content, scale, sending.maxPixels);
  const head: TilesHead = { url, tiles: plan.tiles };
  await write(`${JSON.stringify(head)}\n`);
  const { width, height, isCut } = plan;
  const shown = toPage({ left: 0, top: 0, width, height }, screen);
  const size = { shown, width, height, scale, isCut, isReduced: false };
  let sizeBytes = 0;
  for (const block of plan.blocks) {
    sending.signal.throwIfAborted();
    const taken = await shoot(lease, toPage(block, screen), { ...sending, size, format: 'png' });
    const bitmap = await decodePicture(taken);
    try {
      for (const place of block.tiles) {
        sending.signal.throwIfAborted();
        const base64 = await cutOut(bitmap, block, { ...sending, place });
        sizeBytes += base64Bytes(base64);
        const tile: Tile = { ...toPage(place, screen), scale, base64 };
        await write(`${JSON.stringify(tile)}\n`);
      }
    } finally {
      bitmap.close();
    }
  }
  const { content: after } = await measure(lease);
  return { size, sizeBytes, hasMoved: after.width !== content.width || after.height !== content.height };
}

/** Device pixels from the corner of the page as an area of the document. */
const toPage = ({ left, top, width, height }: TilePlace, { content, pixelRatio }: Screen) => ({
  x: content.x + left / pixelRatio,
  y: content.y + top / pixelRatio,
  width: width / pixelRatio,
  height: height / pixelRatio,
});

/** One tile out of a block, in base64. */
async function cutOut(
  bitmap: ImageBitmap,
  block: Block,
  { place, format, quality }: CaptureOptions & { readonly place: TilePlace },
): Promise<string> {
  const { width, height } = place;
  const [canvas, context] = createCanvas(width, height);
  // 1, unless another tool emulates another pixel ratio: then a block is smaller.
  const ratio = bitmap.width / block.width;
  const source = [place.left - block.left, place.top - block.top, width, height].map((edge) => edge * ratio);
  const [left = 0, top = 0, wide = 0, high = 0] = source;
  context.drawImage(bitmap, left, top, wide, high, 0, 0, width, height);
  return (await gather(encodePicture(canvas, format, quality))).join('');
}
