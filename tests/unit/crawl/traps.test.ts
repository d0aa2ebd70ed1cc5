import { expect, test } from 'vitest';
import { clean, type CleanText } from '../../../server/redact/clean.ts';
import { parseAddress, type Address } from '../../../server/tools/crawl/address.ts';
import {
  findPathTrap,
  isClosed,
  NEW_PATTERN,
  parsePatternRecord,
  patternOf,
  shapeOf,
  TRAP_BOUNDS,
  withPage,
} from '../../../server/tools/crawl/traps.ts';

function address(path: string): Address {
  const parsed = parseAddress(path, 'https://example.com');
  if (parsed === null) throw new Error(`${path} is not an address.`);
  return parsed;
}

test.each([
  ['/a/b/c', null],
  ['/docs/api/v1/docs/api/v2', null],
  ['/a/a/a', null],
  ['/2026/11/11/story', null],
  ['/more/more/more/more', 'repeating_path'],
  ['/x/more/more/more/more/', 'repeating_path'],
  ['/a/b/a/b/a/b', 'repeating_path'],
  ['/en/a/b/a/c/a/d/a', 'repeating_path'],
  [`/${Array.from({ length: 33 }, (_, at) => `p${at}`).join('/')}`, 'deep_path'],
  [`/${'x'.repeat(2_100)}`, 'long_address'],
])('the path %s gives away: %s', (path, expected) => {
  expect(findPathTrap(address(path))).toBe(expected);
});

test.each([
  ['/about', null],
  ['/blog/a-story-of-2026', null],
  ['/events/2026-11-20', 'calendar'],
  ['/events?year=2026&month=11', 'calendar'],
  ['/list?page=3', 'pagination'],
  ['/list?offset=300&sort=up', 'pagination'],
  ['/article/12345', 'numbers'],
  ['/shop/s9k2m4x8p7q1/cart', 'session'],
  ['/(S(lit3py55t21z5v55vlm25s55))/default.aspx', 'session'],
  ['/search?q=tea', 'numbers'],
  ['/docs/getting-started-with-http2-and-tls13', null],
])('the address %s varies by %s', (path, kind) => {
  expect(patternOf(address(path))?.kind ?? null).toBe(kind);
});

test('addresses that differ in what varies share a pattern, others do not', () => {
  const key = (path: string): string | undefined => patternOf(address(path))?.key;
  expect(key('/events?year=2026&month=1')).toBe(key('/events?month=9&year=2031'));
  expect(key('/a/1')).toBe(key('/a/2'));
  expect(key('/a/1')).not.toBe(key('/b/1'));
  expect(key('/list?page=1')).not.toBe(key('/list?page=1&sort=up'));
});

test('pages that bring nothing but another date close a calendar; one that brings more opens it again', () => {
  const shape = (text: string): CleanText => shapeOf('calendar', text, 'hash');
  let record = NEW_PATTERN;
  for (let at = 0; at <= TRAP_BOUNDS.stale.calendar; at += 1)
    record = withPage(record, shape(`Events of ${at % 2 === 0 ? 'May' : 'June'} ${2026 + at}: none`));
  expect(isClosed('calendar', record)).toBe(true);
  const opened = withPage(record, shape('Events of July 2026: the harbour feast'));
  expect(isClosed('calendar', opened)).toBe(false);
});

test('numbered pages that differ in their numbers alone stay open', () => {
  let record = NEW_PATTERN;
  for (let at = 0; at < 200; at += 1)
    record = withPage(record, shapeOf('numbers', `Article ${at}`, `hash-${at}`));
  expect(isClosed('numbers', record)).toBe(false);
});

test('a record reads back what was written, and nothing else', () => {
  const record = withPage(NEW_PATTERN, clean`a`);
  expect(parsePatternRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
  expect(parsePatternRecord(undefined)).toEqual(NEW_PATTERN);
  expect(parsePatternRecord(clean`?`)).toEqual(NEW_PATTERN);
});
