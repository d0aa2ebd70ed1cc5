import { invalidArgument } from '../../../shared/base/errors.ts';
import type { Mode } from '../registry/definition.ts';
import { nearestNames } from '../registry/selector.ts';
import { MODES } from './modes.generated.ts';

export { MODES };

/**
 * The mode of that name, frozen.
 * @throws SpillwayError `invalid_argument` with `where` the name was written, and the names of the modes.
 */
export function loadMode(name: string, modes: readonly Mode[] = MODES, where = '--mode'): Mode {
  const found = modes.find((mode) => mode.name === name);
  if (found !== undefined) return deepFreeze(found);
  const names = modes.map((mode) => mode.name);
  const [near] = nearestNames(name, names);
  throw invalidArgument(
    `${where}: "${name.slice(0, 80)}" is not one of ${names.join(', ')}.`,
    `Write ${near === undefined ? 'one of these' : `${near}, or another of these`}: ${names.join(', ')}.`,
  );
}

/** Tables are plain data and functions: nothing changes them once they are loaded. */
function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
