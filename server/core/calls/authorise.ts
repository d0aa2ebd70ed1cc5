import { abortable } from '../../../shared/async/wait.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { CANCEL_GRACE } from '../cancel-grace.ts';
import type { Meter } from '../meter.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import { isAllowed, type Gate, type GateDecision } from './gate.ts';
import { Refusal, type PreparedCall } from './prepare.ts';

/** A person has to decide about the call. */
export interface Ask {
  /** What they are asked. */
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
