const CLASS = /\[(?:\\.|[^\]\\])*\]/gs;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|.)/gs;
/** What looks back, ahead or behind: no count of choices bounds it. */
const LOOKS = /\\[1-9k]|\(\?<?[=!]/;
const GROUP_HEAD = /\(\?(?:<[^>]*>|:)/g;
/** A part, what repeats it, and whether it is lazy. */
const REPEATED = /(?<part>[^(|])(?:(?<sign>[*+?])|\{(?<least>\d+)(?<open>,(?<most>\d*))?\})\??/gs;

/**
 * More steps than this a pattern with the flag `u` never takes on a text of so many UTF-16 units, by
 * the number of ways that backtracking can go: each repeat and alternative multiplies them, and no way
 * is longer than text and pattern. Infinite for a pattern that repeats a group or looks around.
 */
export function maxSteps(source: string, units: number): number {
  if (LOOKS.test(source.replaceAll('\\\\', 'x'))) return Infinity;
  const bare = source.replace(ESCAPE, 'x').replace(CLASS, 'x').replace(GROUP_HEAD, '(');
  let ways = bare.startsWith('^') && !bare.includes('|') ? 1 : units + 1;
  for (const { groups } of bare.matchAll(REPEATED)) {
    const { part, sign, least, open, most } = groups ?? {};
    const isMaybe = sign === '?';
    if (part === ')' && !isMaybe) return Infinity;
    const times = open === undefined ? 0 : most === '' ? units : Number(most) - Number(least);
    ways *= isMaybe ? 2 : Math.min(sign === undefined ? times : units, units) + 1;
  }
  return ways * 2 ** (bare.split('|').length - 1) * (units + source.length);
}
