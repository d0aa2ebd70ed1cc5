import { randomBytes } from 'node:crypto';
import { SpillwayError } from '../../shared/errors.ts';
import { RUN_ID_PATTERN } from '../../shared/tools/fields.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `run_` and 60 random bits, five to a character of RFC 4648 base32. */
export function createRunId(): string {
  let id = 'run_';
  for (const byte of randomBytes(12)) id += BASE32.charAt(byte & 31);
  return id;
}

export const isRunId = (text: string): boolean => RUN_ID_PATTERN.test(text);

/** `run_not_found`, for ids that are unknown or malformed alike. */
export function runNotFound(runId: string): SpillwayError {
  const shown = runId.length > 40 ? `${runId.slice(0, 40)}…` : runId;
  return new SpillwayError('run_not_found', `There is no run ${JSON.stringify(shown)}.`);
}
