import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/base/errors.ts';
import { findBuildDirectory } from '../core/machine/command-line.ts';
import { BUNDLED_WIDGETS, unpackFolder } from '../core/bundled.ts';

/**
 * A widget as hosts render it: one HTML file that requests nothing else.
 * @throws SpillwayError `internal_error` if the build lacks it
 */
export async function readWidget(name: string): Promise<string> {
  const path = join(findBuildDirectory(), BUNDLED_WIDGETS);
  const hint = 'Rebuild Spillway with npm run build.';
  const packed = await readFile(path).catch((cause: unknown) => {
    throw new SpillwayError('internal_error', `The build lacks its widgets: ${path}`, { cause, hint });
  });
  const page = unpackFolder(packed).get(`${name}.html`);
  if (page !== undefined) return Buffer.from(page).toString('utf8');
  throw new SpillwayError('internal_error', `The build lacks the widget "${name}".`, { hint });
}

/** The skill that teaches an agent the commands of the running version. */
export const readSkill = (): Promise<string> =>
  readFile(join(findBuildDirectory(), '../docs/skill/SKILL.md'), 'utf8');
