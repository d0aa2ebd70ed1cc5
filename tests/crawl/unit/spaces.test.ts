import { expect, test } from 'vitest';
import { parseAddress, type Address } from '../../../server/crawl/address.ts';
import {
  isClosed,
  NEW_RECORD,
  SPACE_BOUNDS,
  spacesOf,
  textHash,
  withPage,
  type Space,
} from '../../../server/crawl/spaces.ts';
import { findPathTrap } from '../../../server/crawl/item.ts';

function address(path: string): Address {
  const parsed = parseAddress(path, 'https://example.com');
  if (parsed === null) throw new Error(`${path} is not an address.`);
  return parsed;
}

function spaceOf(path: string): Space | undefined {
  const spaces = spacesOf(address(path));
  const own = spaces.find(({ template }) => !template.endsWith('/**/') && !template.endsWith('?*'));
  return spaces.find(({ template }) => /\.com\/[^{].*\{date\}/.test(template)) ?? own;
}

const SPACES = `
/about = none ¦ /blog/a-story-of-2026 = /blog/{date} ¦ /may/do = none ¦ /article/12345 = /article/{n} ¦ /list?page=3 = /list?page={}
/events/2026-11-20 = /events/{n} ¦ /events/2026/11/20 = /events/{n} ¦ /events/20-nov-2026 = /events/{date} ¦ /events/nov-2026 = /events/{date} ¦ /events/september2026 = /events/{date}
/events/2026-W47 = /events/{n} ¦ /events?year=2026&month=11 = /events?month={}&year={} ¦ /phones/iphone15pro = /phones/iphone{n}pro
/blog/2026/11/a-long-story-of-it = /blog/{n}/a-long-story-of-it ¦ /shop/s9k2m4x8p7q1/cart = /shop/{token}/**
/(S(lit3py55t21z5v55vlm25s55))/default.aspx = /{token}/** ¦ /o/123e4567-e89b-12d3-a456-426614174000 = /o/{token}
/plan/m%C3%A4rz/2026 = /plan/{date} ¦ /cal/2026/%E5%8D%81%E6%9C%88/3 = /cal/{date} ¦ /%E5%8D%81%E6%9C%88/12 = /%E5%8D%81%E6%9C%88/{n} ¦ /map/may/12 = /map/may/{n}
`;
test.each(
  SPACES.trim()
    .split(/ ¦ |\n/)
    .map((cell) => cell.split(' = ')),
)('the address %s is of the space %s', (path = '', template) =>
  expect(spaceOf(path)?.template.replace('example.com', '') ?? 'none').toBe(template),
);

test('pages that bring nothing but another date close a calendar; one that brings more opens it again', () => {
  const month = (at: number): Address => address(`/events?year=${2026 + at}&month=5`);
  const isOver = (texts: readonly string[]): boolean =>
    spacesOf(month(99)).every((space) => {
      const pages = texts.map((prose, at) => ({ text: textHash(prose, month(at)), isFresh: false }));
      return isClosed(
        pages.reduce((record, one) => withPage(record, space, one), NEW_RECORD),
        space,
      );
    });
  const empty = Array.from(
    { length: SPACE_BOUNDS.stale + 1 },
    (_, at) => `Events of May ${2026 + at}: there are none this month, and ${at} were moved`,
  );
  expect(isOver(empty.slice(1))).toBe(false);
  expect(isOver(empty)).toBe(true);
  const feast = 'Events of July 2026: the harbour feast with music by the brass band of the town';
  expect(isOver([...empty, feast])).toBe(false);
});

test.each([
  ['/docs/api/v1/docs/api/v2', null],
  ['/a/a/a', null],
  ['/more/more/more/more', 'repeating_path'],
  ['/a/b/a/b/a/b/a', 'repeating_path'],
  ['/en/a/b/a/c/a/d/a', 'repeating_path'],
  [`/${Array.from({ length: 33 }, (_, at) => `p${at}`).join('/')}`, 'deep_path'],
  [`/${'x'.repeat(2_100)}`, 'long_address'],
])('the path %s gives away: %s', (path, expected) => expect(findPathTrap(address(path))).toBe(expected));
