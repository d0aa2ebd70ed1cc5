import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FIREFOX_MATRIX, LAUNCHED_FIREFOX_MATRIX } from './tests/firefox-matrix.ts';

/** A poll ends when its condition is true; a busy machine may need more than a second. */
const POLL = { poll: { timeout: 60_000 } } as const;

const SETUP = ['scripts/lib/profile-setup.ts', 'tests/support/setup.ts'];
const CORES = availableParallelism();
/** A file waits for nearly half of its time in a real browser, and for less of it elsewhere. */
const BROWSERS = { maxWorkers: CORES + 2, sequence: { groupOrder: 0 } };
const PROCESSES = { maxWorkers: CORES + 1, sequence: { groupOrder: 1 } };

/**
 * A worker ends, and its browser with it, when the next file is of another project: the files of each come together. Those of
 * `fast` are short, so that all workers end together.
 */
const PROJECTS = ['real', 'firefox', 'firefox-launched', 'disk', 'fast'];
/** The folders with the longest files of a project. */
const LONGEST = ['/fault/', '/house/unit/'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * PROJECTS.indexOf(project.name) + Number(!LONGEST.some((folder) => moduleId.includes(folder)));
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/** Plain Node: property tests and real processes, on a busy machine of two cores. */
const FAST = {
  ...PROCESSES,
  setupFiles: SETUP,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: POLL,
} as const;

const IS_DEEP = process.env.SPILLWAY_DEEP === '1';
/** Only `npm run test:deep` runs these. */
const DEEP = IS_DEEP ? [] : ['tests/**/*.deep.test.ts'];

/** A real browser. */
const REAL = {
  ...BROWSERS,
  exclude: DEEP,
  globalSetup: 'tests/support/global-setup.ts',
  setupFiles: [...SETUP, 'tests/support/real-setup.ts'],
  // Files share a process, its modules and its browser.
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: POLL,
  // Of the tests of one file that run at once: more would starve the frames of hidden tabs.
  maxConcurrency: 3,
};

export default defineConfig({
  test: {
    // A golden that is missing fails. Only `-u` writes one.
    update: 'none',
    // Each worker ends its browser.
    teardownTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'fast',
          ...FAST,
          // Files share a process and its modules: half of the time went into importing them again.
          isolate: false,
          include: ['tests/*/{unit,contract}/**/*.test.ts'],
          exclude: DEEP,
          // Tests answer the extension's calls to its browser.
          alias: { 'webextension-polyfill': join(import.meta.dirname, 'tests/support/browser-api.ts') },
        },
      },
      {
        test: {
          name: 'disk',
          ...FAST,
          include: ['tests/*/disk/**/*.test.ts'],
          exclude: DEEP,
          testTimeout: 240_000,
        },
      },
      { test: { name: 'real', ...REAL, include: ['tests/*/{e2e,fault}/**/*.test.ts'] } },
      ...(IS_DEEP
        ? [
            {
              test: {
                name: 'firefox',
                ...REAL,
                include: Object.keys(FIREFOX_MATRIX),
                env: { SPILLWAY_ENGINE: 'firefox' },
              },
            },
            {
              test: {
                name: 'firefox-launched',
                ...REAL,
                include: Object.keys(LAUNCHED_FIREFOX_MATRIX),
                env: { SPILLWAY_ENGINE: 'firefox-launched' },
                // Only the tab in front draws at once, and the acted one comes to the front.
                maxConcurrency: 1,
              },
            },
          ]
        : []),
    ],
  },
});
