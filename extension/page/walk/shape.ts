import type { Area } from '../box-area.ts';
import { lookUp } from '../dom.ts';
import { NOWHERE } from './level.ts';

/** A thousand points or so. What is said of a longer one would take too long, or more arguments than a call has. */
const MAX_SHAPE_UNITS = 20_000;

/** A computed length in pixels; `whole` is what a percentage is of. */
function lengthOf(css: string, whole: number): number {
  let sum = 0;
  for (const [, sign = '', number = '', unit = ''] of css.matchAll(/([+-]?)\s*([\d.]+(?:e-?\d+)?)(px|%)?/g))
    sum += (sign === '-' ? -1 : 1) * Number(number) * (unit === '%' ? whole / 100 : 1);
  return sum;
}

const partsOf = (css: string): string[] => css.match(/calc\([^)]*\)|[^\s,]+/g) ?? [];

function around(points: readonly (readonly [number, number])[]): Area {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The area around a basic shape, in pixels from the corner of its box; null where it is not known. */
type Shape = (css: string, width: number, height: number) => Area | null;

function inset(css: string, width: number, height: number): Area {
  const [top = '0', right = top, bottom = top, left = right] = partsOf(css.split('round')[0] ?? '');
  return {
    left: lengthOf(left, width),
    top: lengthOf(top, height),
    right: width - lengthOf(right, width),
    bottom: height - lengthOf(bottom, height),
  };
}

/** A circle has one radius, of the mean of both sides. */
function oval(css: string, width: number, height: number, isCircle: boolean): Area | null {
  const [radii = '', place = ''] = css.split(/\s*\bat\s+/);
  const [x = '50%', y = '50%'] = partsOf(place);
  const [first = 'closest-side', second = isCircle ? first : 'closest-side'] = partsOf(radii);
  if (/side/.test(`${first} ${second}`)) return null;
  const mean = Math.hypot(width, height) / Math.SQRT2;
  const [rx, ry] = [lengthOf(first, isCircle ? mean : width), lengthOf(second, isCircle ? mean : height)];
  const [centreX, centreY] = [lengthOf(x, width), lengthOf(y, height)];
  if (rx <= 0 || ry <= 0) return NOWHERE;
  return { left: centreX - rx, top: centreY - ry, right: centreX + rx, bottom: centreY + ry };
}

function polygon(css: string, width: number, height: number): Area {
  const points = css.replace(/^(?:evenodd|nonzero)\s*,/, '').split(/,(?![^(]*\))/);
  return around(
    points.map((point) => {
      const [x = '0', y = '0'] = partsOf(point.trim());
      return [lengthOf(x, width), lengthOf(y, height)] as const;
    }),
  );
}

/** Of straight lines between given points alone. */
function path(css: string): Area | null {
  if (/[a-zHVCSQTA]/.test(css.replace(/^\w+,\s*/, '').replace(/z\s*"$/, '"'))) return null;
  const numbers = (css.match(/-?[\d.]+/g) ?? []).map(Number);
  return around(numbers.flatMap((x, at) => (at % 2 === 0 ? [[x, numbers[at + 1] ?? 0] as const] : [])));
}

const SHAPES: Readonly<Record<string, Shape>> = {
  inset,
  circle: (css, width, height) => oval(css, width, height, true),
  ellipse: (css, width, height) => oval(css, width, height, false),
  polygon,
  path,
};

/** What a computed `clip-path` leaves of a box, in the coordinates of the box; null where that is not known. */
export function clipPathArea(clipPath: string, box: Area, own: Document): Area | null {
  if (clipPath === 'none' || clipPath.length > MAX_SHAPE_UNITS) return null;
  const reference = /^url\("#(.*)"\)$/.exec(clipPath)?.[1];
  if (reference !== undefined) {
    const path = own.getElementById(reference);
    return path?.localName === 'clipPath' && path.childElementCount === 0 ? NOWHERE : null;
  }
  const [, name = '', shape = ''] = /^([\w-]+)\((.*)\)/.exec(clipPath) ?? [];
  const area = lookUp(SHAPES, name)?.(shape, box.right - box.left, box.bottom - box.top) ?? null;
  return area === null
    ? null
    : {
        left: box.left + area.left,
        top: box.top + area.top,
        right: box.left + area.right,
        bottom: box.top + area.bottom,
      };
}
