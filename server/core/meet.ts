import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { cancellation, isSameCall, type ToolCall } from './call.ts';
import { failureResult } from './funnel.ts';
import type { ToolResult } from './result.ts';
import { orLeft } from './within.ts';

/**
 * The end, or the question, that a call of the same id and session has. Whoever meets it and is
 * cancelled leaves alone, and the call that came first goes on. Never throws.
 */
export async function meet(
  known: { readonly call: ToolCall; readonly end: Promise<ToolResult> },
  call: ToolCall,
): Promise<ToolResult> {
  if (!isSameCall(known.call, call)) {
    const who = known.call.session === call.session ? 'call' : 'session';
    return failureResult(
      new SpillwayError(
        'invalid_argument',
        `The call id ${call.callId.slice(0, 64)} is used by another ${who}.`,
      ),
    );
  }
  return orLeft(known.end, call.signal).catch((thrown: unknown) =>
    failureResult(call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown)),
  );
}
