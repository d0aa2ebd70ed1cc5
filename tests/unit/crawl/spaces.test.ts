import { expect, test } from 'vitest';
import { parseAddress, type Address } from '../../../server/tools/crawl/address.ts';
import { textHash } from '../../../server/tools/crawl/prose.ts';
import {
  isClosed,
  NEW_RECORD,
  SPACE_BOUNDS,
  withPage,
  type SpaceRecord,
} from '../../../server/tools/crawl/explored.ts';
import { findPathTrap } from '../../../server/tools/crawl/item.ts';
import { spacesOf, type Space } from '../../../server/tools/crawl/spaces.ts';

function address(path: string): Address {
  const parsed = parseAddress(path, 'https://example.com');
  if (parsed === null) throw new Error(`${path} is not an address.`);
  return parsed;
}

const find = (path: string): Space | undefined =>
  spacesOf(address(path)).find(({ kind }) => kind !== 'growing_path' && kind !== 'names');

function spaceOf(path: string): Space {
  const space = find(path);
  if (space === undefined) throw new Error(`${path} is of no space.`);
  return space;
}

test.each([
  ['/about', null, null],
  ['/blog/a-story-of-2026', null, null],
  ['/events/2026-11-20', 'calendar', '/events/{date}'],
  ['/events/2026/11/20', 'calendar', '/events/{date}'],
  ['/events/20-nov-2026', 'calendar', '/events/{date}'],
  ['/may/do', null, null],
  ['/events/2026-W47', 'calendar', '/events/{date}'],
  ['/blog/2026/11/a-long-story-of-it', 'calendar', '/blog/{date}/{slug}'],
  ['/events?year=2026&month=11', 'calendar', '/events?month={}&year={}'],
  ['/list?page=3', 'pagination', '/list?page={}'],
  ['/list?offset=300&sort=up', 'facets', '/list?offset={}&sort={}'],
  ['/article/12345', 'numbers', '/article/{n}'],
  ['/slot/1763700000', 'epoch', '/slot/{n}'],
  ['/shop/s9k2m4x8p7q1/cart', 'session', '/shop/{token}/**'],
  ['/(S(lit3py55t21z5v55vlm25s55))/default.aspx', 'session', '/{token}/**'],
  ['/o/123e4567-e89b-12d3-a456-426614174000', 'session', '/o/{token}'],
  ['/phones/iphone15pro', 'numbers', '/phones/iphone{n}pro'],
  ['/shop?b=1&a=2', 'facets', '/shop?a={}&b={}'],
])('the address %s is of a space of %s: %s', (path, kind, template) => {
  expect(find(path)?.kind ?? null).toBe(kind);
  expect(find(path)?.template.replace('example.com', '') ?? null).toBe(template);
});

/** The record after pages of these texts. */
const after = (texts: readonly string[], path: (at: number) => string): SpaceRecord =>
  texts.reduce((record, prose, at) => {
    const text = textHash(prose, { words: new Set(), numbers: true, dates: true });
    return withPage(record, spaceOf(path(at)), { text, isFresh: false });
  }, NEW_RECORD);

const month = (at: number): string => `/events?year=${2026 + at}&month=5`;

test('pages that bring nothing but another date close a calendar; one that brings more opens it again', () => {
  const empty = Array.from({ length: SPACE_BOUNDS.stale + 1 }, (_, at) => {
    const name = ['May', 'giugno', 'Juli'][at % 3] ?? '';
    return `Events of ${name} ${2026 + at}: there are none this month`;
  });
  expect(isClosed(after(empty.slice(1), month), spaceOf(month(99)))).toBe(false);
  expect(isClosed(after(empty, month), spaceOf(month(99)))).toBe(true);
  const feast = 'Events of July 2026: the harbour feast with music by the brass band of the town';
  expect(isClosed(after([...empty, feast], month), spaceOf(month(99)))).toBe(false);
});

test.each([
  ['/docs/api/v1/docs/api/v2', null],
  ['/a/a/a', null],
  ['/more/more/more/more', 'repeating_path'],
  ['/a/b/a/b/a/b', 'repeating_path'],
  ['/en/a/b/a/c/a/d/a', 'repeating_path'],
  [`/${Array.from({ length: 33 }, (_, at) => `p${at}`).join('/')}`, 'deep_path'],
  [`/${'x'.repeat(2_100)}`, 'long_address'],
])('the path %s gives away: %s', (path, expected) => {
  expect(findPathTrap(address(path))).toBe(expected);
});
