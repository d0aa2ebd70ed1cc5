import type { OutputDescriptor } from '../../shared/output/descriptor.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { SessionFact } from '../../shared/tools/manifest.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import type { CleanText } from '../redact/clean.ts';
import type { SessionActs } from './acts.ts';
import type { AskPerson, PersonPages } from './ask-person.ts';
import type { Execution } from './execution.ts';
import type { OutputRequest } from './output-request.ts';
import type { RankTools, ToolSelector } from './registry/selector.ts';
import type { SampleModel } from './sample-model.ts';
import type { Clock, Logger } from './services.ts';

/**
 * The tools that one session lists. What it chose stays chosen, so that a model's cache of the list
 * stays of use: a tool leaves only while its provider does not offer it.
 */
export interface SessionTools {
  /** Names, in the order of the registry. */
  listed(): readonly string[];
  /** Lists more; answers those that were not there before. What is unknown is left out. */
  add(names: readonly string[]): readonly string[];
  /** Calls back when the list changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** What a session has seen. */
export interface SessionFacts {
  add(fact: SessionFact): void;
}

/** A handle that a session was given. */
export interface SessionOutput {
  readonly descriptor: OutputDescriptor;
  readonly tool: string;
}

/** The handles that a session was given, newest last; the oldest of very many are forgotten. */
export interface SessionOutputs {
  all(): readonly SessionOutput[];
  has(handle: string): boolean;
  add(output: SessionOutput): void;
  /** Calls back with each new one. Returns an unsubscribe function. */
  onAdd(listener: (output: SessionOutput) => void): () => void;
}

/** What one client session remembers between calls. One per MCP session. */
export interface ClientSession {
  readonly id: string;
  /** What the client calls itself: people see it, and other agents. */
  name: string;
  /** What it gives as its version. */
  version?: string;
  /** Aborted when the client has disconnected: what is kept for it can be removed. Its reason says how. */
  readonly signal: AbortSignal;
  /** Tab that `navigate` opened or the client named last, or null: `b1:42`. */
  currentTab: string | null;
  /** Every tab that the client opened or named by its id, and that has not been found gone. */
  readonly tabs: Set<string>;
  /** Those of them that calls of this client opened. */
  readonly openedTabs: Set<string>;
  readonly tools: SessionTools;
  readonly facts: SessionFacts;
  readonly outputs: SessionOutputs;
  readonly acts: SessionActs;
}

/** A step of a long call, for progress notifications. */
export interface Progress {
  /** Steps that are done; it only grows. */
  readonly done: number;
  /** Steps in all, once known. */
  readonly total?: number;
  /** What is being done, for a person. */
  readonly message?: string;
}

/** One step of an agent: the calls that one answer of a model asks for share it. */
export interface StepContext {
  /** Unique in the session. */
  readonly id: string;
  /** What tools leave for each other within the step. Never shown, never kept. */
  readonly memory: Map<string, JsonValue>;
}

/** How a call has ended. */
export interface CallEnd {
  readonly isSuccess: boolean;
}

/** What a runtime gets in addition to its arguments. */
export interface CallContext {
  readonly callId: string;
  readonly session: ClientSession;
  /** What a browser gets to know of the agent and the call. */
  readonly call: CallScope;
  /** Names of the arguments that the call gave; the others have their defaults. */
  readonly givenNames: readonly string[];
  /** Aborted by the client's cancel, the transport's end, or the server's. Its reason says who. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /**
   * Says what the work has come to, as it goes: called if the call fails, and then the state of its failure. What is said later
   * overrides what was said before, and what the error or the payload says overrides both.
   */
  readonly keepState: (known: () => JsonObject) => void;
  /** How the payload will be delivered, for tools whose answer depends on it. */
  readonly output: OutputRequest;
  /** For a tool whose calls are runs: what holds where the caller said nothing of `async`. */
  readonly execution: Execution;
  /** How long the call may wait for a run, before it returns the run's id. `Infinity` in a task. */
  readonly syncWaitMs: number;
  /** How long its work may wait for what a person decides: less, so that the call can still say that it waits. */
  readonly personWaitMs: number;
  /** Null for a call that belongs to no step. */
  readonly step: StepContext | null;
  /** Absent where the client cannot ask its person. */
  readonly askPerson?: AskPerson;
  /** Absent where the client shows no pages to its person. */
  readonly pages?: PersonPages;
  /** Absent where the client lends no model. */
  readonly rank?: RankTools;
  /** For what another server asks of a model; absent where the client lends none. */
  readonly sample?: SampleModel;
  /** Of the caller's own. */
  readonly selector?: ToolSelector;
  readonly logger: Logger;
  readonly clock: Clock;
  /**
   * Redacts a text that the runtime quotes or compares before its payload is redacted, so that no
   * answer reveals more of a secret than the payload does.
   */
  readonly redact: (text: string) => CleanText;
  /** Runs when the call has ended, however it ended; failures are logged only. */
  readonly registerAfterCompletion: (task: (end: CallEnd) => void | Promise<void>) => void;
}
