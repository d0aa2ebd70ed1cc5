import type { CallPolicy } from '../../extension/core/policy/call-policy.ts';

/** Rules that allow everything, for tests of anything but the rules. */
export const openPolicy: CallPolicy = {
  expect: () => Promise.resolve({ kind: 'rule', id: 'all' }),
  expectTab: () => Promise.resolve(null),
  expectFrames: () => Promise.resolve(),
  allows: () => Promise.resolve(true),
  passes: () => true,
  guardsFiles: async () => false,
  effect: () => 'allow',
  written: () => Promise.resolve(),
  shown: [],
  asSeen: () => Promise.resolve(null),
  confirms: () => Promise.resolve(true),
  began: () => undefined,
  readSites: () => [],
};
