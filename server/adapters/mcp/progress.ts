import type { Progress } from '../../core/context.ts';

/** `params` of `notifications/progress`. */
interface ProgressParams {
  readonly [key: string]: unknown;
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * The progress of one call as its client may receive it, or null: in the protocol each value is
 * above the one before (2025-11-25, basic/utilities/progress), and JSON has finite numbers alone.
 */
export function monotonicProgress(
  progressToken: string | number,
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

/**
 * The bytes around an answer: `id: 2f-1\nretry: 500\ndata: \n\nevent: message\nid: 2f-2\ndata: {"result":{"content":[]},"jsonrpc":"2.0","id":…}\n\n`,
 * with room for longer ids and the comments that keep a stream alive.
 */
export function envelopeBytes(requestId: string | number): number {
  return 192 + Buffer.byteLength(JSON.stringify(requestId));
}

/** The body of an answer with a handle is bounded. Progress is in the same body and may take this much of it. */
export const PROGRESS_BYTES = 1_000;
/** `event: message\nid: 2f-2\ndata: {"method":"notifications/progress","params":…,"jsonrpc":"2.0"}\n\n` */
export const PROGRESS_FRAME_BYTES = 112;
