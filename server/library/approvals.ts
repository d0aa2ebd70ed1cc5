import { SpillwayError } from '../../shared/errors.ts';
import type { OwnTool } from '../core/context.ts';
import type { CallResult, SpillwaySession } from './types.ts';

/** A message of a conversation of the AI SDK, as far as approvals are in it. */
export interface ModelMessage {
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

/** A call as the AI SDK gives it to a tool: when it asks for approval, and when it executes. */
export interface AiSdkCall {
  /** Unique in one answer of a model; some servers start again with each. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly messages: readonly ModelMessage[];
  /** Set for a tool of the caller's own. */
  readonly own?: OwnTool | undefined;
}

/** A call that a person is asked about. */
interface Asked {
  /** Its tool and arguments: an approval is of these, even if others come under its id. */
  readonly key: string;
  readonly end: Promise<CallResult>;
}

/** The AI SDK does not say who answers an approval. */
const A_PERSON = 'a person';
/** As many as a session remembers the ends of. */
const REMEMBERED_MAX = 64;

/** Whom a tool of ours asks, by the tool. */
const BY_TOOL = new WeakMap<object, Approvals>();

/** Remembers that the calls of a tool are asked about here. */
export function rememberApprovals<Asking extends object>(tool: Asking, approvals: Approvals | null): Asking {
  if (approvals !== null) BY_TOOL.set(tool, approvals);
  return tool;
}

/** Withdraws the question about a call that will not be made, where a tool of ours has asked it. */
export function refuseAsked(tool: object, callId: string): void {
  BY_TOOL.get(tool)?.refuse(callId);
}

const BY_SESSION = new WeakMap<SpillwaySession, Approvals>();

/**
 * The approvals of the AI SDK, for a session: a chat recreates its tools for each request. A call is
 * asked about in one request, and the next brings the answer as the last of its messages.
 */
export class Approvals {
  readonly #session: SpillwaySession;
  /** By call id. */
  readonly #asked = new Map<string, Asked>();
  /** The ends of what was approved, by approval: a request that comes again gets the same. */
  readonly #approved = new Map<string, Promise<CallResult>>();
  /** The ends of what was denied, by approval: a later call may have the id of one of these. */
  readonly #denied = new Map<string, Promise<void>>();

  private constructor(session: SpillwaySession) {
    this.#session = session;
  }

  static of(session: SpillwaySession): Approvals {
    const known = BY_SESSION.get(session) ?? new Approvals(session);
    BY_SESSION.set(session, known);
    return known;
  }

  /** Ends the question about a call that will not be made. */
  refuse(callId: string): void {
    this.#asked.delete(callId);
    this.#session
      .decide(callId, { approve: false, by: 'the end of its turn' })
      // Someone else decided at the same moment: their word holds.
      .catch(nothing);
  }

  /** Whether a person has to allow a call; true as well for one that a person has just allowed. */
  async isNeeded(call: AiSdkCall): Promise<boolean> {
    await this.refuseDenied(call.messages);
    const approvalId = approvalOf(call);
    if (approvalId !== undefined && this.#isKnown(approvalId, call)) return true;
    const answer = await this.#session.ask(call.name, call.input, { callId: call.id, own: call.own });
    // Where another call has the id, the execution says so.
    if (answer?.pending === undefined) return approvalId !== undefined;
    const end = this.#session.settled(call.id);
    end.catch(nothing);
    remember(this.#asked, call.id, { key: keyOf(call), end });
    return true;
  }

  #isKnown(approvalId: string, call: AiSdkCall): boolean {
    return this.#approved.has(approvalId) || this.#asked.get(call.id)?.key === keyOf(call);
  }

  /** The end of a call that a person has allowed; null for one that needed no approval. */
  end(call: AiSdkCall, signal: AbortSignal | undefined): Promise<CallResult> | null {
    const approvalId = approvalOf(call);
    if (approvalId === undefined) return null;
    const known = this.#approved.get(approvalId);
    if (known !== undefined) return known;
    const asked = this.#asked.get(call.id);
    if (asked?.key !== keyOf(call)) return null;
    this.#asked.delete(call.id);
    const end = this.#approve(call.id, asked, signal);
    end.catch(nothing);
    remember(this.#approved, approvalId, end);
    return end;
  }

  async #approve(callId: string, asked: Asked, signal: AbortSignal | undefined): Promise<CallResult> {
    try {
      return await this.#session.decide(callId, { approve: true, by: A_PERSON }, { signal });
    } catch (thrown) {
      const isDecided = thrown instanceof SpillwayError && thrown.code === 'call_not_pending';
      // Someone else has decided, outside of this chat: their word holds.
      if (isDecided && !this.#session.signal.aborted) return asked.end;
      throw thrown;
    }
  }

  /**
   * What a person denied waits no longer. The AI SDK tells no tool of it: the conversation does.
   * Resolves once all of it has ended, so that its ids are free.
   */
  async refuseDenied(messages: readonly ModelMessage[]): Promise<void> {
    const parts = messages.flatMap(partsOf);
    const callIds = callIdsOf(messages);
    for (const part of parts) {
      const { type, approved, approvalId = '' } = part;
      if (type !== 'tool-approval-response' || approved === true || this.#denied.has(approvalId)) continue;
      const callId = callIds.get(approvalId);
      if (callId === undefined) continue;
      const reason = part.reason === undefined ? {} : { reason: part.reason };
      const end = this.#session.decide(callId, { approve: false, by: A_PERSON, ...reason });
      // Someone else may have decided, or the conversation is older than the session.
      this.#denied.set(approvalId, end.then(nothing, nothing));
    }
    await Promise.all(this.#denied.values());
  }
}

/** The approval that the last message gives a call: that is where the AI SDK looks for it, too. */
function approvalOf({ id, messages }: AiSdkCall): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return undefined;
  const callIds = callIdsOf(messages);
  return partsOf(last)
    .filter((part) => part.type === 'tool-approval-response')
    .find(({ approved, approvalId = '' }) => approved === true && callIds.get(approvalId) === id)?.approvalId;
}

/** Which call each approval was asked for. */
function callIdsOf(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
  const requests = messages.flatMap(partsOf).filter((part) => part.type === 'tool-approval-request');
  return new Map(requests.map(({ approvalId = '', toolCallId = '' }) => [approvalId, toolCallId]));
}

function partsOf({ content }: ModelMessage): readonly Exclude<ModelMessage['content'], string>[number][] {
  return typeof content === 'string' ? [] : content;
}

const keyOf = ({ name, input }: AiSdkCall): string => JSON.stringify([name, input]);

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of [...map.keys()].slice(0, -REMEMBERED_MAX)) map.delete(oldest);
}

const nothing = (): void => undefined;
