import type { StepContext } from '../../core/context.ts';
import type { PendingInteraction } from '../../core/result.ts';
import { notifyPending, pendingOutcome } from '../pending.ts';
import type { CallOptions, CallResult, SpillwaySession } from '../types.ts';
import { Approvals, type AiSdkCall } from './approvals.ts';

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  readonly step: StepContext;
  /** Called when a person is asked, who is then waited for. Without it the AI SDK's approval asks. */
  readonly onPending: ((pending: PendingInteraction) => void) | undefined;
}

/** Executes a call of the AI SDK: at once, or as a person has decided. */
export async function runCall(
  session: SpillwaySession,
  call: AiSdkCall,
  { onPending, ...rest }: RunOptions,
): Promise<CallResult> {
  const { id: callId, name, input, own } = call;
  const options: CallOptions = { ...rest, callId, own };
  try {
    if (onPending === undefined) {
      const approvals = Approvals.of(session);
      await approvals.refuseDenied(call.messages);
      const approved = await approvals.end(call, rest.signal);
      if (approved) return approved;
    }
    const result = await session.call<string>(name, input, options);
    if (result.pending === undefined || onPending === undefined) return result;
    notifyPending(session, result.pending, onPending);
    return await pendingOutcome(session, callId, rest.signal);
  } catch (thrown) {
    // What waited for a person is forgotten with its session, which then answers no more than a stop.
    if (session.signal.aborted) return session.call<string>(name, input, { callId });
    throw thrown;
  }
}

const STEPS = new WeakMap<object, StepContext>();

/** The calls of one step are given the same messages, as one array. */
export function stepOf(messages: object): StepContext {
  const known = STEPS.get(messages);
  if (known !== undefined) return known;
  const step: StepContext = { id: crypto.randomUUID(), memory: new Map() };
  STEPS.set(messages, step);
  return step;
}
