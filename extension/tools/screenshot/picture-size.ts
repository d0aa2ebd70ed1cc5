import { MODEL_EDGE_PX } from '../../../shared/tools/screenshot/methods.ts';

/** In CSS pixels of the document. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Edge of what is captured at once, in the screen's pixels: half of what graphics cards hold. */
export const STRIP_PX = 8_192;
/** Edge of the largest picture, in its own pixels: WebP has no more. */
export const PICTURE_EDGE_PX = 16_383;
/** All of the largest picture: 128 MiB of pixels in memory. */
export const PICTURE_PX = 32 * 1024 * 1024;
/** What a page is long, in the screen's pixels, is cut off here: each strip takes its time. */
const LONGEST_PX = 24 * STRIP_PX;

/** The size of a picture and what it shows. */
export interface PictureSize {
  readonly shown: Area;
  readonly width: number;
  readonly height: number;
  /** Pixels of the picture per CSS pixel. */
  readonly scale: number;
  /** The area was longer or wider than can be taken. */
  readonly isCut: boolean;
  /** The screen's own pixels would have been more than can be taken. */
  readonly isReduced: boolean;
}

/**
 * Fits an area into a picture: never more pixels than the screen has, whole numbers of them, and at
 * most `maxPixels` in all with no edge beyond what models see, where that is asked.
 *
 * @param pixelRatio the screen's pixels per CSS pixel
 */
export function fitPicture(area: Area, pixelRatio: number, maxPixels: number | null): PictureSize {
  const longest = LONGEST_PX / pixelRatio;
  const widest = PICTURE_EDGE_PX / pixelRatio;
  const outer = { ...area, width: Math.min(area.width, widest), height: Math.min(area.height, longest) };
  const possible = bound(outer, PICTURE_EDGE_PX, PICTURE_PX);
  const wanted =
    maxPixels === null ? pixelRatio : Math.min(pixelRatio, bound(outer, MODEL_EDGE_PX, maxPixels));
  const most = Math.min(wanted, possible);
  const width = Math.max(1, Math.floor(outer.width * most));
  const scale = width / outer.width;
  const height = Math.max(1, Math.floor(outer.height * Math.min(scale, most)));
  const shown = { ...outer, height: Math.min(outer.height, height / scale) };
  // Less than a row of the picture is not part of the page.
  const isCut = outer.width < area.width || shown.height < area.height - 1 / scale;
  return { shown, width, height, scale, isCut, isReduced: possible < wanted };
}

const bound = ({ width, height }: Area, edge: number, pixels: number): number =>
  Math.min(edge / Math.max(width, height), Math.sqrt(pixels / (width * height)));

/** A part of a picture that is captured at once. */
export interface Strip {
  /** First row in the picture. */
  readonly top: number;
  readonly rows: number;
  readonly area: Area;
}

/** Cuts a picture into strips that the browser can draw at once, on whole rows. */
export function cutStrips({ shown, height, scale }: PictureSize, pixelRatio: number): Strip[] {
  const most = Math.max(1, Math.floor((STRIP_PX / pixelRatio) * scale));
  // Up to twice that is known to work everywhere: two strips would be slower than one picture.
  const rows = shown.height * pixelRatio <= 2 * STRIP_PX ? height : most;
  const strips: Strip[] = [];
  for (let top = 0; top < height; top += rows) {
    const own = Math.min(rows, height - top);
    strips.push({
      top,
      rows: own,
      area: { x: shown.x, y: shown.y + top / scale, width: shown.width, height: own / scale },
    });
  }
  return strips;
}
