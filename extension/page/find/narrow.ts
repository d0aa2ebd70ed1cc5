import { parentAcross } from '../locate/trees.ts';
import { GROUPS, rankOf } from './contexts.ts';
import { isActionable } from './targets.ts';
import type { Found, WordPlaces } from './word-places.ts';

/** With so few places all are looked at. */
const FEW = 2_000;
/** Rows, items and sections around a rare word. */
const MOST_AROUND = 3;

type Range = readonly [number, number];

/**
 * Of very many places those that can matter: what is near the rarest word of the query, in its rows and sections or
 * below its headings. Of a query with common words alone the first places, controls before what one reads.
 */
export function narrow(
  places: WordPlaces,
  words: number,
  headings: readonly Element[],
): ReadonlyMap<Element, Found> {
  const { found } = places;
  if (found.size <= FEW) return found;
  const counts = Array.from({ length: words }, () => 0);
  for (const { fits } of found.values())
    for (const [index, fit] of fits.entries()) if (fit > 0) counts[index] = (counts[index] ?? 0) + 1;
  const fewest = Math.min(...counts.filter((count) => count > 0));
  const rarest = counts.indexOf(fewest);
  if (fewest > FEW)
    return new Map([...found].toSorted(([a], [b]) => weightOf(b) - weightOf(a)).slice(0, FEW));
  const ranges: Range[] = [];
  const holders = new Set<Element>();
  for (const [el, { fits, at }] of found) {
    if ((fits[rarest] ?? 0) === 0) continue;
    ranges.push([at, at + 1], ...groupsAround(el, places));
    holders.add(el);
  }
  ranges.push(...below(headings, holders, places));
  const within = covered(ranges);
  return new Map([...found].filter(([, { at }]) => within(at)).slice(0, FEW * 2));
}

const CONTROLS = new Set(['a', 'button', 'label', 'option', 'summary']);
const weightOf = (el: Element): number =>
  CONTROLS.has(el.localName) || isActionable(el) ? 2 : /^h[1-6]$/.test(el.localName) ? 1 : 0;

function groupsAround(el: Element, places: WordPlaces): Range[] {
  const ranges: Range[] = [];
  for (let up: Element | null = el; up !== null && ranges.length < MOST_AROUND; up = parentAcross(up))
    if (up.matches(GROUPS)) ranges.push(places.placeOf(up));
  return ranges;
}

/** From each heading that holds the word to the next one of its rank or a higher one. */
function below(headings: readonly Element[], holders: ReadonlySet<Element>, places: WordPlaces): Range[] {
  return headings.flatMap((heading, index) => {
    if (
      !holders.has(heading) &&
      !(heading.childElementCount > 0 && [...holders].some((el) => heading.contains(el)))
    )
      return [];
    const next = headings.slice(index + 1).find((other) => rankOf(other) <= rankOf(heading));
    return [[places.placeOf(heading)[0], next === undefined ? Infinity : places.placeOf(next)[0]]];
  });
}

/** Whether a place is in one of some ranges. */
function covered(ranges: readonly Range[]): (at: number) => boolean {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return (at) => {
    let low = 0;
    let high = merged.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((merged[middle]?.[0] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return at < (merged[low - 1]?.[1] ?? -1);
  };
}
