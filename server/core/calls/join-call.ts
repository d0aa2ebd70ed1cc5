import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { cancellation, isSameCall, type ToolCall } from './call.ts';
import type { ToolResult } from '../result.ts';
import { CANCEL_GRACE } from '../cancel-grace.ts';
import { abortable } from '../../../shared/async/wait.ts';

/** A call that came first under its id. */
export interface KnownCall {
  readonly call: ToolCall;
  /** Its end, or the question that it waits with. */
  readonly end: Promise<ToolResult>;
}

/**
 * The end, or the question, that a call of the same id and session has. A call that joins it and is
 * cancelled leaves without the other, and the first call continues. `fail` makes the
 * result of a failure. Never throws.
 */
export async function joinCall(
  known: KnownCall,
  call: ToolCall,
  fail: (error: SpillwayError) => ToolResult,
): Promise<ToolResult> {
  if (!isSameCall(known.call, call)) {
    const who = known.call.session === call.session ? 'call' : 'session';
    return fail(
      new SpillwayError(
        'invalid_argument',
        `The call id ${call.callId.slice(0, 64)} is used by another ${who}.`,
      ),
    );
  }
  return abortable(known.end, call.signal, CANCEL_GRACE).catch((thrown: unknown) =>
    fail(call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown)),
  );
}
