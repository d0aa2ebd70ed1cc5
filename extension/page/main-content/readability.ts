import type Readability from '@mozilla/readability/Readability.js';

/** The global in the content scripts' shared world where `readability.js` leaves its class for `page.js`. */
const NAME = 'spillwayReadability';

export function shareReadability(shared: typeof Readability): void {
  Reflect.set(globalThis, NAME, shared);
}

/** @throws Error if `readability.js` was not injected before */
export function sharedReadability(): typeof Readability {
  const shared: unknown = Reflect.get(globalThis, NAME);
  if (!isReadability(shared)) throw new Error('readability.js was not injected.');
  return shared;
}

const isReadability = (shared: unknown): shared is typeof Readability => typeof shared === 'function';
