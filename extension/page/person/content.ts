import { point } from './point.ts';

/** The page script's helper for what a person shows, loaded the first time that one does. */
const KEY = Symbol.for('spillway.person');

export interface PersonScript {
  readonly point: typeof point;
}

Reflect.set(globalThis, KEY, { point } satisfies PersonScript);
