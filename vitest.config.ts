import { defineConfig } from 'vitest/config';

/** A poll ends when what it waits for is there; a busy machine gets more than a second for it. */
const POLL = { poll: { timeout: 20_000 } } as const;

/** Left to itself, Vitest keeps one core for itself, which is half of a machine of two. */
const EVERY_CORE = { maxWorkers: '100%', sequence: { groupOrder: 0 } } as const;

/** A suite with a browser waits more than it works; more of them at once only wait for each other. */
const TWO_BROWSERS = { maxWorkers: 2, sequence: { groupOrder: 1 } } as const;

/** First what runs in plain Node processes, then whatever starts a browser. */
export default defineConfig({
  test: {
    // A golden that is missing fails. Only `-u` writes one.
    update: 'none',
    projects: [
      {
        test: {
          name: 'fast',
          ...EVERY_CORE,
          include: ['tests/{unit,contract,tools}/**/*.test.ts'],
          // Property tests and real processes, on a busy machine of two cores.
          testTimeout: 60_000,
          expect: POLL,
        },
      },
      {
        test: {
          name: 'disk',
          ...EVERY_CORE,
          include: ['tests/fault/disk/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: POLL,
        },
      },
      {
        test: {
          name: 'real',
          ...TWO_BROWSERS,
          include: ['tests/e2e/**/*.test.ts', 'tests/fault/*.test.ts'],
          globalSetup: 'tests/support/global-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: POLL,
        },
      },
    ],
  },
});
