import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SpillwayError } from '../shared/errors.ts';
import { findBuildDirectory } from './machine/command-line.ts';

/**
 * A widget as hosts render it: one HTML file that asks for nothing else.
 * @throws SpillwayError `internal_error` where the build lacks it
 */
export async function readWidget(name: string): Promise<string> {
  const path = join(findBuildDirectory(), 'widgets', `${name}.html`);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new SpillwayError('internal_error', `The build lacks the widget "${name}": ${path}`, {
      cause,
      hint: 'Rebuild Spillway with npm run build.',
    });
  }
}
