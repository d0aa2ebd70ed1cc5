import type { Coverage } from '../../../../shared/core/bridge/page.ts';
import type { findMainContent } from './find.ts';

export const NO_MAIN_CONTENT: Coverage = {
  kind: 'no_main_content',
  detail: 'No main content was found, so the whole page was read.',
};

/** The global in the content scripts' shared world where `readability.js` leaves its function for `page.js`. */
const NAME = 'spillwayMainContent';

export function shareFinder(shared: typeof findMainContent): void {
  Reflect.set(globalThis, NAME, shared);
}

/** @throws Error if `readability.js` was not injected before */
export function sharedFinder(): typeof findMainContent {
  const shared: unknown = Reflect.get(globalThis, NAME);
  if (!isFinder(shared)) throw new Error('readability.js was not injected.');
  return shared;
}

const isFinder = (shared: unknown): shared is typeof findMainContent => typeof shared === 'function';
