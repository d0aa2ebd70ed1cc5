import { defineConfig } from 'vitest/config';

/** A poll ends when what it waits for is there; a busy machine gets more than a second for it. */
const POLL = { poll: { timeout: 20_000 } } as const;

/**
 * `unit` and `contract` run in parallel, and so does what kills plain Node processes at their disk;
 * whatever starts a browser runs alone.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['tests/unit/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          // Property tests and real processes, on a busy machine of two cores.
          testTimeout: 60_000,
          expect: POLL,
        },
      },
      {
        test: {
          name: 'disk',
          include: ['tests/fault/disk/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: POLL,
        },
      },
      {
        test: {
          name: 'real',
          include: ['tests/e2e/**/*.test.ts', 'tests/fault/*.test.ts'],
          globalSetup: 'tests/support/global-setup.ts',
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: POLL,
        },
      },
    ],
  },
});
