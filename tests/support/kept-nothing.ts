import type { KeptCalls } from '../../server/core/people.ts';

/** Calls end with their server. */
export const keptNothing: KeptCalls = {
  keep: () => Promise.resolve(),
  take: () => Promise.resolve(),
  forget: () => undefined,
  leave: () => undefined,
  adopt: () => Promise.resolve(null),
};
