import { point } from './point.ts';
import { record } from './record.ts';

/** The page script's helper for what a person shows, loaded the first time that one does. */
const KEY = Symbol.for('spillway.person');

export interface PersonScript {
  readonly point: typeof point;
  readonly record: typeof record;
}

Reflect.set(globalThis, KEY, { point, record } satisfies PersonScript);
