import { expect, it } from 'vitest';
import { SeenRegions } from '../../../../extension/core/pages/seen-regions.ts';

const HEAD = '@banner\ne1 Mill\n@navigation Main\ne2 Corn\ne3 Flour\n';
const FOOT = '@contentinfo\ne8 Imprint\n© Mill';
const NOTE = (lines: number): string =>
  `= ${lines} lines of banner, navigation or footer, as on the page before\n`;

it.each([
  ['are left out where they are the same', `${HEAD}@main\n# B\n${FOOT}`, `@main\n# B\n${NOTE(5)}`],
  ['have other refs', HEAD.trimEnd().replaceAll(/e(\d)/g, 'e9$1'), NOTE(3)],
  ['show what is new', `${HEAD}e4 Bran\n@main\n# B`, `@navigation Main\ne4 Bran\n@main\n# B\n${NOTE(3)}`],
  ['show all from the first other line', '@banner\ne1 Inn\ne1 Mill', '@banner\ne1 Inn\ne1 Mill\n'],
  ['of another name are new', '@navigation Foot\ne2 Corn', '@navigation Foot\ne2 Corn\n'],
  ['exclude the main part', '@main\n# A', '@main\n# A\n'],
])('shared regions of the next page %s', (_, next, shown) => {
  const regions = new SeenRegions();
  regions.note('s1', `${HEAD}@main\n# A\n${FOOT}\n`);
  expect(regions.fold('s1', `${next}\n`)).toBe(shown);
  expect(regions.fold('s2', `${next}\n`)).toBe(`${next}\n`);
});
