import { boundaryAfter, boundaryBefore } from '../utf8.ts';

/** A match that is longer may be missed, and context that is further away is not there. Two of them are less than a carry. */
export const MARGIN_BYTES = 16 * 1024;

/** Bytes of a view, from the start of a match to behind it. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/** Finds matches in bytes; those that begin in `from … to`. */
export interface Finder {
  /** Where a part that ends at about `to` is cut, so that no match is. */
  cut(bytes: Buffer, from: number, to: number): number;
  next(bytes: Buffer, from: number, to: number): Found | null;
}

/** Finds a text as it is written. */
export function literalFinder(text: string, isJson: boolean): Finder {
  const needles = formsOf(text, isJson).map((form) => Buffer.from(form));
  let places: number[] = [];
  let known: Buffer | null = null;
  return {
    cut: (_bytes, _from, to) => to,
    next(bytes, from, to) {
      // A form that is far away, or nowhere in these bytes, is not looked for again with each match of another.
      if (bytes !== known) places = needles.map(() => -1);
      known = bytes;
      places = places.map((place, at) => (place >= from ? place : placeOf(bytes, needles[at], from)));
      const start = Math.min(...places);
      const length = needles[places.indexOf(start)]?.length ?? 0;
      return start < to ? { start, end: start + length } : null;
    },
  };
}

/** Infinity for nowhere. */
function placeOf(bytes: Buffer, needle: Buffer | undefined, from: number): number {
  const place = needle === undefined ? -1 : bytes.indexOf(needle, from);
  return place < 0 ? Infinity : place;
}

/** Finds a text whatever its case, as {@link literalFinder} does. */
export function anyCaseFinder(text: string, isJson: boolean): Finder {
  const pattern = new RegExp(formsOf(text, isJson).map(escaped).join('|'), 'giu');
  return {
    cut: (bytes, _from, to) => boundaryBefore(bytes, to),
    next(bytes, from, to) {
      const start = boundaryAfter(bytes, from);
      // Case is compared in the text itself: in lower case it would have other places.
      const part = bytes.toString(
        'utf8',
        start,
        boundaryBefore(bytes, Math.min(bytes.length, to + MARGIN_BYTES)),
      );
      pattern.lastIndex = 0;
      const match = pattern.exec(part);
      if (match === null) return null;
      const at = start + Buffer.byteLength(part.slice(0, match.index));
      return at >= to ? null : { start: at, end: at + Buffer.byteLength(match[0]) };
    },
  };
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** In JSON a quote may be one of the text, which is written with a backslash, or one around it. */
const formsOf = (text: string, isJson: boolean): readonly string[] => [
  ...new Set([text, ...(isJson ? [JSON.stringify(text).slice(1, -1)] : [])]),
];
