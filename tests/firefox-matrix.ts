/**
 * Files that run in Firefox too, with `npm run test:deep`. Each has its tests that fail there, by the beginning of their
 * names, and why: a test of the list that passes fails the run.
 */
export const FIREFOX_MATRIX: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'tests/e2e/find.test.ts': {},
};
