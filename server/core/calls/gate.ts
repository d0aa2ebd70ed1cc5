import type { JsonObject } from '../../../shared/json.ts';
import type { ClientSession } from '../context.ts';
import type { ToolDefinition } from '../registry/definition.ts';

/** A call that is about to run: validated, not started. */
export interface GatedCall {
  readonly callId: string;
  readonly definition: ToolDefinition;
  readonly args: JsonObject;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

/** `ask` makes the call pending: `interaction` says what a person is asked. */
export type GateDecision = { readonly allow: true } | { readonly ask: JsonObject };

/**
 * Decides before anything touches a page: site policy, approvals. It is asked once about a call: what it
 * answers to `Executor.ask` holds for the execution too. @throws SpillwayError to refuse
 */
export interface Gate {
  check(call: GatedCall): Promise<GateDecision>;
}

/** Lets every call through. */
export const openGate: Gate = { check: async () => ({ allow: true }) };

/** Any answer of a gate that is not a clear yes means no. */
export const isAllowed = (decision: GateDecision): boolean =>
  'allow' in decision && decision.allow === true && !('ask' in decision);

/** What a person decided about a pending call. `by` says who: the journal keeps it. */
export type Decision =
  /** `args` replace those of the call, and are validated as they were. */
  | { readonly approve: true; readonly by: string; readonly args?: JsonObject | undefined }
  | { readonly approve: false; readonly by: string; readonly reason?: string | undefined };
