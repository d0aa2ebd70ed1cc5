import type { Box, Point } from '../../page/act/protocol.ts';
import { toBase64 } from '../../ports/base64.ts';
import { createCanvas } from '../pixels.ts';

/** What is drawn over a picture of a page, in the viewport. */
export interface Marks {
  readonly box: Box;
  /** Where a drag ends. */
  readonly to: Box | null;
  /** Where exactly a click goes. */
  readonly point: Point | null;
  /** Fields whose values must not be seen. */
  readonly secrets: readonly Box[];
}

/** Bytes of a picture, which is kept as base64: 40 kB then. */
const MOST_BYTES = 29_000;
const QUALITIES = [0.8, 0.5, 0.2] as const;
const COLOURS = { mark: '#d1006c', halo: '#ffffff', secret: '#808080' } as const;

/**
 * The picture with its marks, as a `data:` address; null if it would be too large.
 *
 * @param area the part of the viewport that is shown, and where it is in the bitmap
 */
export async function drawMarks(
  bitmap: ImageBitmap,
  { area, from }: { readonly area: Box; readonly from: Box },
  marks: Marks,
): Promise<string | null> {
  const { width, height } = area;
  const [canvas, context] = createCanvas(width, height);
  context.drawImage(bitmap, from.x, from.y, from.width, from.height, 0, 0, width, height);
  context.translate(-area.x, -area.y);
  context.fillStyle = COLOURS.secret;
  for (const { x, y, width: wide, height: high } of marks.secrets) context.fillRect(x, y, wide, high);
  for (const [colour, lineWidth] of [
    [COLOURS.halo, 5],
    [COLOURS.mark, 2.5],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = lineWidth;
    context.stroke(pathOf(marks));
  }
  return encode(canvas);
}

function pathOf({ box, to, point }: Marks): Path2D {
  const path = new Path2D();
  for (const { x, y, width, height } of to === null ? [box] : [box, to])
    path.rect(x - 2, y - 2, width + 4, height + 4);
  if (to !== null) {
    const [start, end] = [middleOf(box), middleOf(to)];
    const angle = Math.atan2(end.y - start.y, end.x - start.x);
    path.moveTo(start.x, start.y);
    path.lineTo(end.x, end.y);
    for (const side of [-0.5, 0.5]) {
      path.moveTo(end.x, end.y);
      path.lineTo(end.x - 12 * Math.cos(angle + side), end.y - 12 * Math.sin(angle + side));
    }
  }
  if (point !== null) {
    path.moveTo(point.x + 7, point.y);
    path.arc(point.x, point.y, 7, 0, 2 * Math.PI);
  }
  return path;
}

const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

async function encode(canvas: OffscreenCanvas): Promise<string | null> {
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
    if (blob.size > MOST_BYTES) continue;
    return `data:${blob.type};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`;
  }
  return null;
}
