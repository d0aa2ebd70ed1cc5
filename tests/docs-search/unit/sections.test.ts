import { expect, test } from 'vitest';
import { formatSectionName, sectionsOf, withSubsections } from '../../../server/docs-search/library.ts';

const PAGE = [
  ...['Before all.', '# The `mill` page', 'Intro.', '## Sails', 'Four of [them](x.md).', '```sh'],
  ...['# no heading', '```', '### Cloth & wood ###', 'Both.', '## Sails', 'Again.', '# [Other](o.md)'],
  ...[''],
].join('\n');
const sections = sectionsOf({ page: 'docs/mill.md', text: PAGE });

test('cuts a page at its headings, but not inside code', () => {
  expect(sections.map((section) => [formatSectionName(section), section.level, section.path])).toEqual([
    ['docs/mill.md', 0, []],
    ['docs/mill.md#the-mill-page', 1, ['The mill page']],
    ['docs/mill.md#sails', 2, ['The mill page', 'Sails']],
    ['docs/mill.md#cloth--wood', 3, ['The mill page', 'Sails', 'Cloth & wood']],
    ['docs/mill.md#sails-1', 2, ['The mill page', 'Sails']],
    ['docs/mill.md#other', 1, ['Other']],
  ]);
  expect(sections[2]?.text).toBe('## Sails\nFour of [them](x.md).\n```sh\n# no heading\n```\n');
});

test('a section has those below it, and no other', () => {
  const names = (at: number): string[] => withSubsections(sections, at).map(({ anchor }) => anchor);
  expect(names(2)).toEqual(['sails', 'cloth--wood']);
  expect(names(3)).toEqual(['cloth--wood']);
  expect(names(1)).toEqual(['the-mill-page', 'sails', 'cloth--wood', 'sails-1']);
});
