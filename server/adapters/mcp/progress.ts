import type { ProgressToken } from '@modelcontextprotocol/sdk/types.js';
import type { Progress } from '../../core/context.ts';

/** `params` of `notifications/progress`. */
export interface ProgressParams {
  readonly [key: string]: unknown;
  readonly progressToken: ProgressToken;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * The progress of one call as its client may receive it, or null: in the protocol each value is
 * above the one before (2025-11-25, basic/utilities/progress), and JSON has finite numbers alone.
 */
export function monotonicProgress(
  progressToken: ProgressToken,
): (progress: Progress) => ProgressParams | null {
  let last = -Infinity;
  return ({ done, total, message }) => {
    if (!Number.isFinite(done) || done <= last) return null;
    last = done;
    return {
      progressToken,
      progress: done,
      ...(total === undefined || !Number.isFinite(total) ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
  };
}
