import type { StepRisk } from '../../../shared/act/risks.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { ClientSession } from '../context.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import type { PersonDecision } from '../services.ts';

/** A call that is about to run: validated, not started. */
export interface GatedCall {
  /** By which it is decided. */
  readonly callId: string;
  /** The tool, with its risk and annotations in `manifest`. */
  readonly definition: ToolDefinition;
  /** As they will run: validated, with defaults. */
  readonly args: JsonObject;
  /** What the call can lead to, step by step: {@link ToolManifest.risksOf} of its arguments. */
  readonly risks: readonly StepRisk[];
  /** The client that calls: its name, its version and its id. */
  readonly session: ClientSession;
  /** Instance of this server, as the ledger has it. */
  readonly server: string;
  /** Aborted when the call is cancelled. */
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

/** What a call can lead to. The gate gets a list that nothing can change. */
export function risksOf({ manifest }: ToolDefinition, args: JsonObject): readonly StepRisk[] {
  return Object.freeze((manifest.risksOf?.(args) ?? []).map((risk) => Object.freeze(risk)));
}

/** Lets every call through. */
export const openGate: Gate = { check: async () => ({ allow: true }) };

/** Any answer of a gate that is not a clear yes means no. */
export const isAllowed = (decision: GateDecision): boolean =>
  'allow' in decision && decision.allow === true && !('ask' in decision);

/** What a person decided about a pending call. */
export type Decision = PersonDecision;
