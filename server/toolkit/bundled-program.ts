import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';

/**
 * The program of a thread, as the build names it: next to the running program or above one of its chunks; from source,
 * in the build. @throws SpillwayError `internal_error` where the build lacks it
 */
export function findBundledProgram(name: string, from: string = import.meta.dirname): string {
  for (let at = from; ; at = dirname(at)) {
    for (const folder of [at, join(at, 'dist')])
      if (existsSync(join(folder, name))) return join(folder, name);
    if (dirname(at) === at)
      throw new SpillwayError('internal_error', `${name} is missing from the build.`, {
        hint: 'Rebuild with npm run build.',
      });
  }
}
