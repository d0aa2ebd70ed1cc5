/** How far to scroll: `down`, `down 300`, `by 0,300`, `to top`; nothing means into view. */
export const SCROLL = /^(?:(up|down|left|right)(?:\s+(\d+))?|by\s+(-?\d+)\s*,\s*(-?\d+)|to\s+(top|bottom))$/;

/** Of a wheel that is turned without pixels. */
const NOTCHES = 300;

/** How far a wheel is turned, to the right and down; null for a way to an end. */
export function wheelBy(how: string): { readonly x: number; readonly y: number } | null {
  const [, way, pixels = NOTCHES, x, y] = SCROLL.exec(how) ?? [];
  if (x !== undefined) return { x: Number(x), y: Number(y) };
  if (way === undefined) return null;
  const distance = Number(pixels) * (way === 'up' || way === 'left' ? -1 : 1);
  return way === 'left' || way === 'right' ? { x: distance, y: 0 } : { x: 0, y: distance };
}
