import { expect, it } from 'vitest';
import { nearestNames } from '../../../server/core/registry/nearest.ts';

it.each([
  ['ok', ['c1', 'okay'], ['okay']],
  ['x', ['y', 'xy'], ['xy']],
  ['tabz', ['tabs', 'find'], ['tabs']],
  ['crawl', ['run_cancel', 'crawl_page'], ['crawl_page']],
])('of %j among %j somebody meant %j', (wanted, names, nearest) => {
  expect(nearestNames(wanted, names)).toEqual(nearest);
});
