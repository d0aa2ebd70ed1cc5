import { agentOf } from './agent.ts';
import type { ActRecord, Logger, Redactor } from '../core/services.ts';
import type { Ledger, LedgerEnd, LedgerReceipt } from '../core/ledger.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { AgentControlFacts } from '../../shared/policy/ledger-facts.ts';
import type { Clean } from '../redact/clean.ts';
import type { ToolResult } from '../core/result.ts';

interface RecordParts {
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Instance of this server. */
  readonly server: string;
}

/** What people do in their browsers, as the ledger keeps it. */
interface PeopleRecord extends ActRecord {
  /** Resolves when the ledger has what a person decided about an agent. @throws SpillwayError `ledger_unavailable` */
  control(facts: AgentControlFacts): Promise<void>;
}

const KINDS = { stopped: 'agent_stopped', paused: 'agent_paused', on: 'agent_let_on' } as const;
const EVERY_SESSION = 'every';

/** Calls whose acts wait for an outcome. A call that never ends leaves its lines without one. */
const CALLS_MAX = 1_000;

/** Writes acts to the ledger: before they happen, and once their calls have ended. */
export function createActRecord({ ledger, redactor, logger, server }: RecordParts): PeopleRecord {
  const clean = <T extends JsonObject>(facts: T): Clean<T> => redactor.value(facts);
  const open = new Map<string, LedgerReceipt[]>();
  return {
    begin: async ({ scope: { caller, call }, risks, site, allowed_by: { kind, id } }) => {
      const receipt = await ledger.append(
        clean({
          kind: 'act' as const,
          agent: agentOf(caller, server),
          decided: { where: kind },
          [kind]: id,
          risks,
          site,
          tool: call.tool,
          call_id: call.call_id,
          args_hash: call.args_hash,
        }),
      );
      open.set(call.call_id, [...(open.get(call.call_id) ?? []), receipt]);
      const [oldest] = open.keys();
      if (open.size > CALLS_MAX && oldest !== undefined) open.delete(oldest);
    },
    control: async ({ name, session, state, where }) => {
      await ledger.append(
        clean({
          kind: KINDS[state],
          agent: { name, client_session: session ?? EVERY_SESSION, server },
          decided: { where },
          risks: [],
        }),
      );
    },
    end: (callId, result) => {
      const receipts = open.get(callId) ?? [];
      open.delete(callId);
      for (const receipt of receipts)
        ledger.finish(receipt, endOf(result)).catch((thrown: unknown) => {
          logger.error({ err: thrown }, 'the outcome of an act is not in the ledger');
        });
    },
  };
}

/** Codes after which nobody knows how far an act has come. */
const UNKNOWN: ReadonlySet<string> = new Set(['browser_disconnected', 'timeout', 'page_unresponsive']);

function endOf({ ok, error }: ToolResult): LedgerEnd {
  if (ok || error === undefined) return { outcome: 'done' };
  const { code } = error;
  if (code === 'cancelled') return { outcome: 'cancelled' };
  return { outcome: UNKNOWN.has(code) ? 'unknown' : 'failed', code };
}
