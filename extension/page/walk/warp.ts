/** Below this, a line of transformed text is less than a pixel. */
const MIN_WARPED_PX = 1;

/** The matrix of an element by itself; null where it is not transformed. */
function ownMatrix(style: CSSStyleDeclaration): DOMMatrix | null {
  const { transform, rotate, scale } = style;
  if (transform === 'none' && rotate === 'none' && scale === 'none') return null;
  const parts: string[] = [];
  if (rotate !== 'none') parts.push(rotationOf(rotate));
  if (scale !== 'none') {
    const [x = '1', y = x, z = '1'] = scale.split(' ');
    parts.push(`scale3d(${x},${y},${z})`);
  }
  if (transform !== 'none') parts.push(transform);
  return new DOMMatrix(parts.join(' '));
}

const AXES: Readonly<Record<string, string>> = { x: '1,0,0', y: '0,1,0', z: '0,0,1' };

function rotationOf(rotate: string): string {
  const parts = rotate.split(' ');
  const angle = parts.pop() ?? '0deg';
  const axis = parts.length === 3 ? parts.join() : (AXES[parts[0] ?? 'z'] ?? AXES['z']);
  return `rotate3d(${axis},${angle})`;
}

/** How an element is transformed, with all around it; null where it is not, and nothing in it is seen in perspective. */
export function warpOf(style: CSSStyleDeclaration, around: DOMMatrix | null): DOMMatrix | null {
  const own = ownMatrix(style);
  return own === null ? around : around === null ? own : around.multiply(own);
}

/** What an element's transform is for its children, who are drawn on its plane or in its space. */
export function warpWithin(style: CSSStyleDeclaration, warp: DOMMatrix): DOMMatrix {
  if (style.transformStyle === 'preserve-3d') return warp;
  const { m11, m12, m21, m22, m41, m42, m44 } = warp;
  // Distant elements are smaller.
  return new DOMMatrix([m11, m12, m21, m22, m41, m42].map((part) => part / m44));
}

/** How the `perspective` of an element scales its children. */
export function perspectiveWithin({ perspective }: CSSStyleDeclaration): DOMMatrix | null {
  return perspective === 'none' ? null : new DOMMatrix(`perspective(${perspective})`);
}

const areaOf = ({ m11, m12, m21, m22 }: DOMMatrix): number => m11 * m22 - m12 * m21;

/** Whether an element is seen from behind, and shows nothing of its back, or is behind the eye. */
export function isTurnedAway(style: CSSStyleDeclaration, warp: DOMMatrix): boolean {
  if (warp.m44 <= 0) return true;
  if (style.backfaceVisibility !== 'hidden') return false;
  const { m11, m12, m13, m21, m22, m23, m31, m32, m33 } = warp;
  const volume =
    m11 * (m22 * m33 - m23 * m32) - m12 * (m21 * m33 - m23 * m31) + m13 * (m21 * m32 - m22 * m31);
  return areaOf(warp) * volume < 0;
}

/** How much smaller a transform makes what it makes smallest: 1 for not at all. */
export function shrinkOf(warp: DOMMatrix): number {
  const squares = warp.m11 ** 2 + warp.m12 ** 2 + warp.m21 ** 2 + warp.m22 ** 2;
  const area = areaOf(warp);
  // The smaller singular value, in a form that keeps its digits when the other one is large.
  const larger = (squares + Math.sqrt(Math.max(0, squares ** 2 - 4 * area ** 2))) / 2;
  return larger === 0 ? 0 : Math.abs(area) / Math.sqrt(larger) / warp.m44;
}

/** Whether a transform shrinks text of a size to less than can be seen. */
export const isShrunkAway = (fontPx: number, warp: DOMMatrix): boolean =>
  fontPx * shrinkOf(warp) < MIN_WARPED_PX;
