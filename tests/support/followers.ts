import { getEventListeners } from 'node:events';

/** How many listeners a signal has, those of its `AbortSignal.any` dependents included. */
export function followersOf(signal: AbortSignal): number {
  const key = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const made = key === undefined ? undefined : (Reflect.get(signal, key) as Set<unknown> | null);
  return getEventListeners(signal, 'abort').length + (made?.size ?? 0);
}
