import { agentOf } from './agent.ts';
import type { ActRecord, Logger, Redactor } from '../core/services.ts';
import type { Ledger, LedgerEnd, LedgerReceipt } from '../core/ledger.ts';
import type { ToolResult } from '../core/result.ts';

interface RecordParts {
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Instance of this server. */
  readonly server: string;
}

/** Calls whose acts wait for an outcome. A call that never ends leaves its lines without one. */
const CALLS_MAX = 1_000;

/** Writes acts to the ledger: before they happen, and once their calls have ended. */
export function createActRecord({ ledger, redactor, logger, server }: RecordParts): ActRecord {
  const open = new Map<string, LedgerReceipt[]>();
  return {
    begin: async ({ scope: { caller, call }, risks, site, allowed_by: { kind, id } }) => {
      const receipt = await ledger.append(
        redactor.value({
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
