import { SpillwayError, type ErrorCode } from '../../../shared/errors.ts';

/** What ends a call without a word from the browser: the act may have been done, wholly or in part. */
const LOST: ReadonlySet<ErrorCode> = new Set(['browser_disconnected', 'timeout']);

/** The error of an act from which nothing came back. To call again would do it twice, if it was done. */
export function outcomeUnknown(thrown: unknown): unknown {
  if (!(thrown instanceof SpillwayError) || !LOST.has(thrown.code)) return thrown;
  return new SpillwayError(
    thrown.code,
    `${thrown.message} The outcome is unknown: the steps may have been done, all or some of them.`,
    {
      hint: 'Read the page to see what was done before you act again; if its browser has ended, open the page with navigate.',
      retryable: false,
      cause: thrown,
    },
  );
}
