import { expect, test } from 'vitest';
import { filtersOfChanges, testFilters } from '../../../scripts/lib/test-selection.mjs';

test.each([
  [
    ['crawl', 'find'],
    ['tests/crawl/', 'tests/find/'],
  ],
  [['robots'], ['robots']],
  [['support'], ['support']],
  [['tests/act/unit'], ['tests/act/unit']],
  [
    ['act', '-t', 'find'],
    ['tests/act/', '-t', 'find'],
  ],
])('%j selects %j', (args, filters) => {
  expect(testFilters(args)).toEqual(filters);
});

test.each([
  ['every side of a capability, once', ['server/crawl/run.ts', 'extension/crawl/worker/fetch.ts'], ['crawl']],
  ['capabilities and pages', ['shared/find/find.manifest.ts', 'docs/flags.md'], ['find', 'house']],
  ['tests', ['tests/act/unit/keys.test.ts'], ['act']],
  ['the kernel', ['server/find/index.ts', 'server/core/app.ts'], null],
  ['helpers of all tests', ['tests/support/pdf.ts'], null],
  ['a script or a lock file', ['package-lock.json'], null],
  ['a fixture', ['fixtures/pages/news.html'], null],
  ['a capability without tests', ['server/brand-new/index.ts'], null],
])('a change of %s selects the tests that it can break', (_what, paths, capabilities) => {
  expect(filtersOfChanges(paths)).toEqual(capabilities?.map((name) => `tests/${name}/`) ?? null);
});
