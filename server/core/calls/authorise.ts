import { abortable } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { CANCEL_GRACE } from './call.ts';
import type { Meter } from '../feed.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import { Refusal, type PreparedCall } from './prepare.ts';
import type { StepRisk } from '../../../shared/act/risks.ts';
import type { ClientSession } from '../context.ts';
import type { PersonDecision } from '../people.ts';

/** A person has to decide about the call. */
export interface Ask {
  readonly ask: JsonObject;
}

interface AuthoriseParts {
  readonly meter: Pick<Meter, 'check'>;
  /** Null for a call that was allowed before. */
  readonly gate: Gate | null;
  /** Instance of this server. */
  readonly server: string;
}

/** Whether a call may run: null when it may. */
export async function authorise(
  prepared: PreparedCall,
  { meter, gate, server }: AuthoriseParts,
): Promise<Ask | Refusal | null> {
  const { call, definition, args, risks } = prepared;
  const { callId, session, signal, tool } = call;
  try {
    if (!isUnbudgeted(definition)) meter.check(session);
    if (gate === null) return null;
    // A gate that answers or throws at once does so here as if it had waited.
    const checking = async (): Promise<GateDecision> =>
      gate.check({ callId, definition, args, risks, session, server, signal });
    const decision = await abortable(checking(), signal, CANCEL_GRACE);
    if (isAllowed(decision)) return null;
    if ('ask' in decision) return { ask: decision.ask };
    return new Refusal(new SpillwayError('call_denied', `${tool} was denied by the gate.`));
  } catch (thrown) {
    return new Refusal(thrown);
  }
}

/** A provider's tool cannot say this of itself. */
const isUnbudgeted = ({ manifest, runtime, own }: ToolDefinition): boolean =>
  manifest.flags.unbudgeted && runtime === undefined && own === undefined;

/** A call that is about to run: validated, not started. */
export interface GatedCall {
  /** By which it is decided. */
  readonly callId: string;
  /** The tool, with its risk and annotations in `manifest`. */
  readonly definition: ToolDefinition;
  /** As they will run: validated, with defaults. */
  readonly args: JsonObject;
  /** {@link ToolManifest.risksOf} of its arguments. */
  readonly risks: readonly StepRisk[];
  /** The client that calls: its name, its version and its id. */
  readonly session: ClientSession;
  /** Instance of this server, as the ledger has it. */
  readonly server: string;
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal;
}

/** `ask` makes the call pending: `interaction` has the question. */
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
const isAllowed = (decision: GateDecision): boolean =>
  'allow' in decision && decision.allow === true && !('ask' in decision);

export type Decision = PersonDecision;
