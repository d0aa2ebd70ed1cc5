import { expect, test } from 'vitest';
import { parseAddress, type Address } from '../../../server/tools/crawl/address.ts';
import { findPathTrap } from '../../../server/tools/crawl/traps.ts';

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
