import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Folder of the build that belongs to the running code: the nearest folder above `from` that holds
 * `host.js` or has a `dist`, since this may run from `dist`, from one of its chunks or from source.
 */
export function findBuildDirectory(from: string = import.meta.dirname): string {
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, 'host.js')) && existsSync(join(at, 'index.js'))) return at;
    if (existsSync(join(at, 'package.json'))) return join(at, 'dist');
    if (dirname(at) === at) return from;
  }
}
