import type Readability from '@mozilla/readability/Readability.js';

/** Where `readability.js` leaves its class for `page.js`: in the world that the content scripts share. */
const NAME = 'spillwayReadability';

export function shareReadability(shared: typeof Readability): void {
  Reflect.set(globalThis, NAME, shared);
}

/** @throws Error when `readability.js` was not injected before */
export function sharedReadability(): typeof Readability {
  const shared: unknown = Reflect.get(globalThis, NAME);
  if (!isReadability(shared)) throw new Error('readability.js was not injected.');
  return shared;
}

const isReadability = (shared: unknown): shared is typeof Readability => typeof shared === 'function';
