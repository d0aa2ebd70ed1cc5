import type { Address } from './address.ts';

/*
 * Addresses that give a trap away by themselves: longer than a browser's bar, very deep, a part of the
 * path that comes again and again. Spaces without an end are found by their pages, see explored.ts.
 */

const BOUNDS = {
  /** Longest address that is followed. */
  addressLength: 2_048,
  pathSegments: 32,
  /** How often one segment of a path may come in it, and a sequence of segments in a row. */
  repeats: 3,
} as const;

export type TrapKind = 'long_address' | 'deep_path' | 'repeating_path';

/** What the address alone gives away, or null. */
export function findPathTrap({ href, url }: Address): TrapKind | null {
  if (href.length > BOUNDS.addressLength) return 'long_address';
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > BOUNDS.pathSegments) return 'deep_path';
  return repeats(segments) ? 'repeating_path' : null;
}

function repeats(segments: readonly string[]): boolean {
  if (segments.length <= BOUNDS.repeats) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > BOUNDS.repeats) return true;
    counts.set(segment, count);
  }
  for (let length = 1; length * BOUNDS.repeats <= segments.length; length += 1)
    if (hasCycle(segments, length)) return true;
  return false;
}

/** Whether a sequence of `length` segments comes `repeats` times in a row. */
function hasCycle(segments: readonly string[], length: number): boolean {
  let same = 0;
  for (let at = length; at < segments.length; at += 1) {
    same = segments[at] === segments[at - length] ? same + 1 : 0;
    if (same >= length * (BOUNDS.repeats - 1)) return true;
  }
  return false;
}
