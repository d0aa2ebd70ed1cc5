import type { Area } from '../box-area.ts';
import { isDocument, isImage, isShadowRoot } from '../dom.ts';

/** The image whose map an area belongs to. */
export function imageOf(area: HTMLAreaElement): HTMLImageElement | null {
  const name = area.closest('map')?.name ?? '';
  const root = area.getRootNode();
  if (name === '' || !(isDocument(root) || isShadowRoot(root))) return null;
  const image = root.querySelector(`[usemap="#${CSS.escape(name)}"]`);
  return image !== null && isImage(image) ? image : null;
}

/**
 * The box around an area of an image, in the viewport of its document; without a size where no image shows
 * it.
 */
export function shapeArea(area: HTMLAreaElement): Area {
  const image = imageOf(area);
  if (image === null) return area.getBoundingClientRect();
  const box = image.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(image);
  const x = box.left + image.clientLeft + Number.parseFloat(paddingLeft);
  const y = box.top + image.clientTop + Number.parseFloat(paddingTop);
  const [left, top, right, bottom] = extentOf(area) ?? [0, 0, image.width, image.height];
  return { left: x + left, top: y + top, right: x + right, bottom: y + bottom };
}

type Extent = readonly [left: number, top: number, right: number, bottom: number];

/** Null for an area that is the whole image. */
function extentOf({ shape, coords }: HTMLAreaElement): Extent | null {
  const numbers = (coords.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  const kind = shape.toLowerCase();
  if (kind === 'default') return null;
  if (kind.startsWith('circ')) return [a - c, b - c, a + c, b + c];
  if (!kind.startsWith('poly')) return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  const xs = numbers.filter((_, index) => index % 2 === 0);
  const ys = numbers.filter((_, index) => index % 2 === 1);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
