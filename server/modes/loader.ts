import { SpillwayError } from '../../shared/errors.ts';
import type { Mode } from '../core/definition.ts';
import { defaultMode } from './default.ts';

/** The modes there are. Adding one is adding its file and a line here. */
const MODES: readonly Mode[] = [defaultMode];

/** @throws SpillwayError `invalid_argument` with the names of the modes. */
export function loadMode(name: string): Mode {
  const mode = MODES.find((candidate) => candidate.name === name);
  if (mode !== undefined) return mode;
  const names = MODES.map((candidate) => candidate.name).join(', ');
  throw new SpillwayError('invalid_argument', `--mode: "${name}" is none of ${names}.`);
}
