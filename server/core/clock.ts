import type { Clock } from './services.ts';

/** The machine's clocks. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
});
