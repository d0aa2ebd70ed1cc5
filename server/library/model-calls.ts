import { anySignal, onAbort } from '../../shared/async/abort.ts';
import { abortable } from '../../shared/async/wait.ts';
import type { SpillwaySession, CallResult, CallOptions } from './types.ts';
import type { PendingInteraction } from '../core/result.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { StepContext } from '../core/context.ts';
import { Approvals, type AiSdkCall, type ModelMessage } from './approvals.ts';
import { toModelOutput, toOutput, type ToolOutput } from './model-output.ts';

/** What the next call of an order waits for. Nothing comes of it: a result would live as long as the order. */
interface Order {
  writing: Promise<void>;
  reading: Promise<void>;
}

/** What orders know of a session. */
type OrderedSession = Pick<SpillwaySession, 'find' | 'has' | 'signal'>;

/** A call that a model requests together with others. */
interface OrderedCall {
  readonly name: string;
  /** What the calls of a group have in common. Default: the session. */
  readonly step?: object | undefined;
  /** With it, as with the end of the session, the call waits no longer. */
  readonly signal?: AbortSignal | undefined;
}

const ORDERS = new WeakMap<object, Order>();

/** Whether the calls of a tool may run concurrently. Tools that are not the session's change no page. */
export const isReadOnly = (session: Pick<SpillwaySession, 'find' | 'has'>, name: string): boolean =>
  session.find(name)?.isReadOnly ?? !session.has(name);

/**
 * Runs calls that a model asks for at once as it means them, one after the other: what may change
 * something waits for the calls before it, and those after it wait for its end. Calls that only read
 * run concurrently. Nothing waits for tools that are not the session's: a caller's own tool may make
 * calls of the same order.
 */
export function inOrder<T>(
  session: OrderedSession,
  { name, step = session, signal }: OrderedCall,
  work: () => Promise<T>,
): Promise<T> {
  const order = ORDERS.get(step) ?? { writing: Promise.resolve(), reading: Promise.resolve() };
  ORDERS.set(step, order);
  const reads = isReadOnly(session, name);
  const before = reads ? order.writing : endOf(order.writing, order.reading);
  const result = endOrAbort(before, [session.signal, signal]).then(work);
  if (!session.has(name)) return result;
  // A call that was cancelled while it waited has not ended the calls that it waited for.
  const end = endOf(before, result);
  if (reads) order.reading = endOf(order.reading, end);
  else order.writing = end;
  return result;
}

async function endOf(...work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
}

async function endOrAbort(work: Promise<void>, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const { signal, release } = anySignal(signals);
  await abortable(work, signal).catch(() => undefined);
  release();
}

/**
 * Notifies a caller that a person is asked. If that fails, no one knows of the question, and the call
 * is refused: {@link pendingOutcome} answers that.
 */
export function notifyPending(
  session: SpillwaySession,
  pending: PendingInteraction,
  onPending: (pending: PendingInteraction) => void,
): void {
  try {
    onPending(pending);
  } catch (thrown) {
    const reason = messageOf(thrown);
    session
      .decide(pending.callId, { approve: false, by: 'onPending, which failed', reason })
      // Someone else decided at the same moment: their word holds.
      .catch(() => undefined);
  }
}

/** The end of a pending call. When `signal` aborts before anyone decided, it is refused: it never runs. */
export async function pendingOutcome(
  session: SpillwaySession,
  callId: string,
  signal: AbortSignal | undefined,
): Promise<CallResult> {
  const refuse = (): void => {
    session
      .decide(callId, { approve: false, by: 'the end of the loop, before anyone decided' })
      // Someone else decided at the same moment: their word holds.
      .catch(() => undefined);
  };
  const stop = onAbort(signal, refuse);
  try {
    return await session.settled(callId);
  } finally {
    stop();
  }
}

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

/** How the AI SDK makes a call. */
export interface AiSdkExecution {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** What a tool of a session does for the AI SDK, of which nothing is loaded. */
export function callable(
  session: SpillwaySession,
  name: string,
  onPending: ((pending: PendingInteraction) => void) | undefined,
) {
  const approvals = onPending === undefined ? Approvals.of(session) : null;
  return {
    approvals,
    parts: {
      execute: (input: unknown, execution: AiSdkExecution): Promise<ToolOutput> => {
        const { toolCallId: id, abortSignal: signal, messages } = execution;
        const step = stepOf(messages);
        // The AI SDK runs the calls of a step all at once.
        return inOrder(session, { name, step, signal }, async () =>
          toOutput(await runCall(session, { id, name, input, messages }, { signal, step, onPending })),
        );
      },
      toModelOutput: ({ output }: { readonly output: unknown }) => toModelOutput(output as ToolOutput),
      ...(approvals === null
        ? {}
        : {
            needsApproval: (input: unknown, { toolCallId: id, messages }: AiSdkExecution): Promise<boolean> =>
              approvals.isNeeded({ id, name, input, messages }),
          }),
    },
  };
}
