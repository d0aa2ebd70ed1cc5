import { anySignal, onAbort, abortable } from '../../shared/base/async.ts';
import type { SpillwaySession, CallResult, CallOptions } from './types.ts';
import type { PendingInteraction } from '../core/result.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { defined } from '../../shared/base/json.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import type { StepContext, OwnTool } from '../core/context.ts';
import { toModelOutput, toOutput, type ToolOutput } from './model-output.ts';
import { BoundedMap, valueIn } from '../../shared/base/maps.ts';

/** A call that a model requests together with others. */
interface OrderedCall {
  readonly name: string;
  /** Calls with the same key form a group. Default: the session. */
  readonly step?: object | undefined;
  /** When it aborts, or the session ends, the call no longer waits. */
  readonly signal?: AbortSignal | undefined;
}

/** Kept for the calls of a session, or of one step. */
interface Shared {
  /** The end of the calls so far that may change something, and of the others. */
  writing: Promise<void>;
  reading: Promise<void>;
  readonly step: StepContext;
  approvals?: Approvals;
}

const SHARED = new WeakMap<object, Shared>();

/** @param by the session, or what the calls of a step have in common: the AI SDK gives them one array of messages */
export function getShared(by: object): Shared {
  const done = Promise.resolve();
  const step = { id: crypto.randomUUID(), memory: new Map() };
  return valueIn(SHARED, by, () => ({ writing: done, reading: done, step }));
}

/** Whether a tool's calls may run concurrently. Tools outside the session change no page. */
export const isReadOnly = (session: Pick<SpillwaySession, 'find' | 'has'>, name: string): boolean =>
  session.find(name)?.isReadOnly ?? !session.has(name);

/**
 * Makes simultaneous calls of a model in their order: a call that may change something waits for earlier
 * calls, and later ones wait for it. Read-only calls run concurrently. Nothing waits for tools outside the
 * session: a caller's own tool may make calls in the same order.
 */
export function inOrder<T>(
  session: Pick<SpillwaySession, 'find' | 'has' | 'signal'>,
  { name, step = session, signal }: OrderedCall,
  work: () => Promise<T>,
): Promise<T> {
  const order = getShared(step);
  const reads = isReadOnly(session, name);
  const before = reads ? order.writing : endOf(order.writing, order.reading);
  const result = endOrAbort(before, [session.signal, signal]).then(work);
  if (!session.has(name)) return result;
  // A call cancelled while it waited has not ended the calls before it.
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
 * Notifies a caller that a person is asked. If that fails, nobody knows about the question, and the call is
 * refused: {@link awaitOutcome} returns that.
 */
export function notifyPending(
  session: SpillwaySession,
  pending: PendingInteraction,
  onPending: (pending: PendingInteraction) => void,
): void {
  try {
    onPending(pending);
  } catch (thrown) {
    void refuse(session, pending.callId, 'onPending, which failed', messageOf(thrown));
  }
}

/** Someone else may have decided at the same moment: their decision counts. */
function refuse(session: SpillwaySession, callId: string, by: string, reason?: string): Promise<void> {
  return session.decide(callId, { approve: false, by, ...defined({ reason }) }).then(ignore, ignore);
}

/**
 * The end of a pending call. If `signal` aborts before anyone has decided, the call is refused and never
 * runs.
 */
export async function awaitOutcome(
  session: SpillwaySession,
  callId: string,
  signal: AbortSignal | undefined,
): Promise<CallResult> {
  const stop = onAbort(
    signal,
    () => void refuse(session, callId, 'the end of the loop, before anyone decided'),
  );
  try {
    return await session.settled(callId);
  } finally {
    stop();
  }
}

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  readonly step: StepContext;
  /** Called when a person is asked, and then waits for them. Without it, the AI SDK's approval asks. */
  readonly onPending: ((pending: PendingInteraction) => void) | undefined;
}

/** Executes a call of the AI SDK: at once, or after a person's decision. */
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
    return await awaitOutcome(session, callId, rest.signal);
  } catch (thrown) {
    // Calls that wait for a person end with their session, which then only answers with a stop.
    if (session.signal.aborted) return session.call<string>(name, input, { callId });
    throw thrown;
  }
}

/** How the AI SDK makes a call. */
export interface AiSdkExecution {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** How it asks whether a call needs approval. */
export interface AiSdkQuestion extends AiSdkExecution {
  /** Spillway drops the call and asks nobody. The SDK never sets this. */
  readonly isOver?: boolean | undefined;
}

/** The AI SDK's view of a tool, without loading the AI SDK. */
export function callable(
  session: SpillwaySession,
  name: string,
  onPending: ((pending: PendingInteraction) => void) | undefined,
) {
  const needsApproval = (input: unknown, question: AiSdkQuestion): Promise<boolean> => {
    const { toolCallId: id, messages, isOver } = question;
    return Approvals.of(session).isNeeded({ id, name, input, messages, isOver });
  };
  return {
    execute: (input: unknown, execution: AiSdkExecution): Promise<ToolOutput> => {
      const { toolCallId: id, abortSignal: signal, messages } = execution;
      const { step } = getShared(messages);
      // The AI SDK runs all calls of a step at once.
      return inOrder(session, { name, step: messages, signal }, async () =>
        toOutput(await runCall(session, { id, name, input, messages }, { signal, step, onPending })),
      );
    },
    toModelOutput: ({ output }: { readonly output: unknown }) => toModelOutput(output as ToolOutput),
    ...(onPending === undefined ? { needsApproval } : {}),
  };
}

/** A message of an AI SDK conversation, reduced to its approvals. */
interface ModelMessage {
  readonly role: string;
  readonly content:
    | string
    | readonly {
        readonly type: string;
        readonly approvalId?: string | undefined;
        readonly toolCallId?: string | undefined;
        readonly approved?: boolean | undefined;
        readonly reason?: string | undefined;
      }[];
}

/** A call as the AI SDK passes it to a tool, when it asks for approval and when it executes. */
interface AiSdkCall {
  /** Unique in one answer of a model; some servers start again with each. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly messages: readonly ModelMessage[];
  /** Set for a tool of the caller's own. */
  readonly own?: OwnTool | undefined;
  readonly isOver?: boolean | undefined;
}

/** A call that a person is asked about. */
interface OpenCall {
  /** Its tool and arguments: an approval covers these, even if others arrive under its id. */
  readonly key: string;
  readonly end: Promise<CallResult>;
}

/** The AI SDK does not say who answers an approval. */
const A_PERSON = 'a person';
/** Maximum ends that a session remembers. */
const REMEMBERED_MAX = 64;

/**
 * A session's approvals in the AI SDK: a chat recreates its tools for each request. One request asks about a
 * call, and the next brings the answer as the last of its messages.
 */
export class Approvals {
  /** Keyed by call id. */
  readonly #asked = new BoundedMap<string, OpenCall>(REMEMBERED_MAX);
  /** The ends of approved calls, by approval: a repeated request gets the same end. */
  readonly #approved = new BoundedMap<string, Promise<CallResult>>(REMEMBERED_MAX);
  /** The ends of denied calls, by approval: a later call may reuse an id. */
  readonly #denied = new Map<string, Promise<void>>();

  private constructor(private readonly session: SpillwaySession) {}

  static of(session: SpillwaySession): Approvals {
    return (getShared(session).approvals ??= new Approvals(session));
  }

  /** Whether a person has to allow a call; also true if a person has just allowed it. */
  async isNeeded(call: AiSdkCall): Promise<boolean> {
    await this.refuseDenied(call.messages);
    const approvalId = approvalOf(call);
    const isAsked = (): boolean => this.#asked.get(call.id)?.key === modelCallKey(call);
    if (approvalId !== undefined && (this.#approved.has(approvalId) || isAsked())) return true;
    const answer = await this.session.ask(call.name, call.input, { callId: call.id, own: call.own });
    // If another call has the id, the execution says so.
    if (answer?.pending === undefined) return approvalId !== undefined;
    const end = this.session.settled(call.id);
    end.catch(ignore);
    this.#asked.set(call.id, { key: modelCallKey(call), end });
    if (call.isOver === true) {
      this.#asked.delete(call.id);
      void refuse(this.session, call.id, 'the end of its turn');
    }
    return true;
  }

  /** The end of a call that a person has allowed; null for one that needed no approval. */
  end(call: AiSdkCall, signal: AbortSignal | undefined): Promise<CallResult> | null {
    const approvalId = approvalOf(call);
    if (approvalId === undefined) return null;
    const known = this.#approved.get(approvalId);
    if (known !== undefined) return known;
    const asked = this.#asked.get(call.id);
    if (asked?.key !== modelCallKey(call)) return null;
    this.#asked.delete(call.id);
    const end = this.#approve(call.id, asked, signal);
    end.catch(ignore);
    this.#approved.set(approvalId, end);
    return end;
  }

  async #approve(callId: string, asked: OpenCall, signal: AbortSignal | undefined): Promise<CallResult> {
    try {
      return await this.session.decide(callId, { approve: true, by: A_PERSON }, { signal });
    } catch (thrown) {
      const isDecided = thrown instanceof SpillwayError && thrown.code === 'call_not_pending';
      // Someone else has decided outside this chat: their decision counts.
      if (isDecided && !this.session.signal.aborted) return asked.end;
      throw thrown;
    }
  }

  /**
   * The AI SDK does not tell tools, but the conversation does. Resolves once everything has ended, so that
   * ids are free again.
   */
  async refuseDenied(messages: readonly ModelMessage[]): Promise<void> {
    const parts = messages.flatMap(listContent);
    const callIds = callIdsOf(messages);
    for (const part of parts) {
      const { type, approved, approvalId = '', reason } = part;
      if (type !== 'tool-approval-response' || approved === true || this.#denied.has(approvalId)) continue;
      const callId = callIds.get(approvalId);
      // The conversation may be older than the session.
      if (callId !== undefined) this.#denied.set(approvalId, refuse(this.session, callId, A_PERSON, reason));
    }
    await Promise.all(this.#denied.values());
  }
}

/** The last message's approval of a call; the AI SDK looks for it there too. */
function approvalOf({ id, messages }: AiSdkCall): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return undefined;
  const callIds = callIdsOf(messages);
  return listContent(last)
    .filter((part) => part.type === 'tool-approval-response')
    .find(({ approved, approvalId = '' }) => approved === true && callIds.get(approvalId) === id)?.approvalId;
}

/** The call of each approval. */
function callIdsOf(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
  const requests = messages.flatMap(listContent).filter((part) => part.type === 'tool-approval-request');
  return new Map(requests.map(({ approvalId = '', toolCallId = '' }) => [approvalId, toolCallId]));
}

function listContent({ content }: ModelMessage): readonly Exclude<ModelMessage['content'], string>[number][] {
  return typeof content === 'string' ? [] : content;
}

const modelCallKey = ({ name, input }: AiSdkCall): string => JSON.stringify([name, input]);

const ignore = (): void => undefined;
