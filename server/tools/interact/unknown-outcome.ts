import { SpillwayError, type ErrorCode } from '../../../shared/errors.ts';

/**
 * Errors that end a call without an answer from the browser: the act may have been done, wholly or in part.
 */
const LOST: ReadonlySet<ErrorCode> = new Set(['browser_disconnected', 'timeout']);

/**
 * Rewrites the error of an act that got no answer: calling again could do it twice. Other errors pass
 * through.
 */
export function outcomeUnknown(thrown: unknown): unknown {
  if (!(thrown instanceof SpillwayError) || !LOST.has(thrown.code)) return thrown;
  return new SpillwayError(
    thrown.code,
    `${thrown.message} The outcome is unknown: some or all of the steps may have been done.`,
    {
      hint: 'Read the page to see what was done before you act again; if its browser has exited, open the page with navigate.',
      retryable: false,
      cause: thrown,
    },
  );
}
