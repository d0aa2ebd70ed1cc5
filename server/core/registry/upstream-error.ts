import { cut } from '../../../shared/cut.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';

const CAUSE_LENGTH = 500;
const CAUSES_MAX = 4;

/** Codes what another server's tool threw: an error of ours stays, the rest becomes `upstream_error`. */
export function upstreamError(thrown: unknown, tool: string): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  return new SpillwayError('upstream_error', `${tool}: ${cut(causeOf(thrown), CAUSE_LENGTH)}`, {
    cause: thrown,
  });
}

/** The messages of an error and its causes: `fetch failed` alone says nothing. */
function causeOf(thrown: unknown): string {
  const messages: string[] = [];
  try {
    for (let error = thrown; error instanceof Error && messages.length < CAUSES_MAX; error = error.cause)
      messages.push(error.message || error.name);
  } catch {
    // Reading the message of a foreign error may throw in turn.
  }
  return messages.length > 0 ? messages.join(': ') : toSpillwayError(thrown).message;
}
