import type { WireError } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { OutputDescriptor, OutputMode } from '../../shared/core/descriptor.ts';
import type { ToolName, SpillingTool } from '../../shared/core/tools/index.ts';
import type { ToolArguments } from './tool-arguments.ts';
import type { Progress, StepContext, OwnTool } from '../core/context.ts';
import type { Decision } from '../core/calls/prepare.ts';
import type { SelectionMessage, ToolSelector } from '../core/registry/selector.ts';
import type { ContentBlock, PendingInteraction } from '../core/result.ts';

/** Fields that each {@link SpillingTool} takes in addition to its own. */
export interface OutputFields {
  /** `inline` (default), `handle`, or `auto`: a handle if it is large. */
  readonly output_mode?: OutputMode | undefined;
  /** Limit of `auto`. */
  readonly output_inline_limit_bytes?: number | undefined;
}

/** The arguments of a tool as a caller writes them. */
export type ToolArgs<Name extends ToolName> = Name extends SpillingTool
  ? ToolArguments[Name] & OutputFields
  : ToolArguments[Name];

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call and its work in the browser. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each step. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Unique in the session while it is active or pending; a call with the same id joins that one. */
  readonly callId?: string | undefined;
  /** Replaces the option of {@link SpillwayOptions}: how long the call may wait for a run. */
  readonly syncWaitMs?: number | undefined;
  /** The step of an agent that the call belongs to. */
  readonly step?: StepContext | undefined;
  /**
   * The program's own tool of this name: gate, journal and redaction apply to it too. Spillway's names take
   * precedence.
   */
  readonly own?: OwnTool | undefined;
}

interface AnsweredCall {
  /** The id for deciding a pending call. */
  readonly callId: string;
  /** Never empty: the payload, the descriptor or the error first, then a block of notes. */
  readonly content: readonly [ContentBlock, ...ContentBlock[]];
  /** The first block's text; empty if that is a picture or bytes. */
  readonly text: string;
  /** Facts besides the payload; survives failure. */
  readonly state: JsonObject;
  /** Set when the output was stored: page it with `oc_output_fetch`. */
  readonly descriptor?: OutputDescriptor;
  /** The payload as an object if it is JSON (a list as `{ items }`), or the descriptor. */
  readonly structured?: JsonObject;
  /** Set when a person is asked: nothing was executed yet. */
  readonly pending?: PendingInteraction;
  /** Set when the caller should stop its work. */
  readonly stop?: boolean;
  /** The answer of the program's own tool, redacted, in its original form. */
  readonly own?: unknown;
}

/** The end of a call. Without `throwOnError`, calls never throw: failures have a code. */
export type CallResult = Success | Failure;

interface Success extends AnsweredCall {
  /** It succeeded. */
  readonly ok: true;
  /** Only a failure has one. */
  readonly error?: undefined;
}

interface Failure extends AnsweredCall {
  /** It failed: see `error`. */
  readonly ok: false;
  /** The failure and the next step. */
  readonly error: WireError;
}

/** A tool as a session lists it for a model. */
export interface ListedTool {
  /** The name by which a model calls it. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For models: its purpose, when to use it, and when not. */
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments: an object. */
  readonly inputSchema: JsonObject;
  /** Whether it changes nothing: such calls may run concurrently. */
  readonly isReadOnly: boolean;
}

export interface SelectOptions {
  /** The task in words. Default: the last message of the user. */
  readonly query?: string | undefined;
  /** The conversation so far, in the form of the Messages API or the AI SDK. */
  readonly messages?: readonly SelectionMessage[] | undefined;
  /** Bound of the chosen definitions; companions and always listed tools are extra. Default: none. */
  readonly budget_tokens?: number | undefined;
  /** Default: the session's, or a search by words. */
  readonly selector?: ToolSelector | undefined;
  /** Cancels the choice. */
  readonly signal?: AbortSignal | undefined;
}

/** The choice of {@link SpillwaySession.select}. */
export interface SelectedTools {
  /** The best first, then their companions, then the tools that are always listed. */
  readonly tools: readonly ListedTool[];
  /** A model that failed, a tool that did not fit. */
  readonly notes: readonly string[];
}

/** One method per tool, with its arguments' types. Arguments may be omitted if none is required. */
export type TypedTools = {
  readonly [Name in keyof ToolArguments]: object extends ToolArgs<Name>
    ? (args?: ToolArgs<Name>, options?: CallOptions) => Promise<CallResult>
    : (args: ToolArgs<Name>, options?: CallOptions) => Promise<CallResult>;
};

/**
 * One client of the executor in this process: it remembers a current tab, its tools and its handles. The
 * adapters for agents' SDKs use it.
 */
export interface SpillwaySession {
  /** Unique, random. */
  readonly id: string;
  /** Aborted by {@link SpillwaySession.close}. */
  readonly signal: AbortSignal;
  /** One method per tool. */
  readonly tools: TypedTools;
  /** The tools listed for a model now; the list grows with `find_tools`. */
  list(): readonly ListedTool[];
  /** Whether there is a tool of this name, listed or not. */
  has(name: string): boolean;
  /** A tool that a model may call, listed or not. */
  find(name: string): ListedTool | undefined;
  /**
   * Chooses tools for a request from everything that `find_tools` searches, listed or not; they join the
   * list.
   */
  select(options: SelectOptions): Promise<SelectedTools>;
  /** Calls back when the list changes. Returns an unsubscribe function. */
  onListChange(listener: () => void): () => void;
  /** Text for a model's system prompt: common sentences, and the sentences of listed tools. */
  instructions(): string;
  /** A tool by its name, listed or not. An unknown one is answered with `unknown_tool`. */
  call<Name extends string>(
    name: Name,
    args?: Name extends ToolName ? ToolArgs<Name> : unknown,
    options?: CallOptions,
  ): Promise<CallResult>;
  /**
   * Checks whether a person has to allow a call, without executing it. Null if it may run; the same call (id,
   * tool, arguments) then runs once without asking again. Otherwise it is pending under its `callId`.
   */
  ask(
    name: string,
    args: unknown,
    options: CallOptions & { readonly callId: string },
  ): Promise<CallResult | null>;
  /**
   * Decides a pending call, and executes it if approved, with the decision's arguments if it has any.
   * `signal` cancels that.
   * @throws SpillwayError `call_not_pending` for one that was already decided or never asked about;
   *   `invalid_argument` for edited arguments that do not match the tool, or for a `by` without a name: the
   *   call stays pending
   */
  decide(callId: string, decision: Decision, options?: Pick<CallOptions, 'signal'>): Promise<CallResult>;
  /** The end of a call that was answered as pending. @throws SpillwayError `call_not_pending` */
  settled(callId: string): Promise<CallResult>;
  /** Cancels active calls. Idempotent. */
  close(): void;
}
