import { agentOf } from './agent.ts';
import type { Logger, Redactor } from '../core/services.ts';
import type { ActRecord } from '../core/people.ts';
import type { Ledger, LedgerEnd, LedgerReceipt } from '../core/ledger.ts';
import { waitAtMost } from '../../shared/async/wait.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { AgentControlFacts } from '../../shared/policy/ledger-report.ts';
import type { Clean } from '../redact/clean.ts';
import type { ToolResult } from '../core/result.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

interface RecordParts {
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Instance of this server. */
  readonly server: string;
}

interface PeopleRecord extends ActRecord {
  /** Resolves when a person's decision about an agent is in the ledger. @throws SpillwayError `ledger_unavailable` */
  control(facts: AgentControlFacts): Promise<void>;
  /** The same of a session whose budget was lifted. @throws SpillwayError `ledger_unavailable` */
  lift(facts: {
    readonly name: string;
    readonly session: string;
    readonly where: 'side_panel';
  }): Promise<void>;
  /** The same of a run, or of a stored output. @throws SpillwayError `ledger_unavailable` */
  changed(facts: PersonChange): Promise<void>;
}

export interface PersonChange {
  readonly kind:
    | 'run_cancelled'
    | 'run_resumed'
    | 'output_deleted'
    | 'output_kept'
    | 'output_released'
    | 'upstream_accepted';
  /** Id of the run, or the handle. */
  readonly subject: string;
  /** The tool that made it. */
  readonly tool?: string | undefined;
}

const KINDS = { stopped: 'agent_stopped', paused: 'agent_paused', on: 'agent_let_on' } as const;
const EVERY_SESSION = 'every';
const EVERYONE = '(all agents)';
const NOBODY: Readonly<Record<'name' | 'client_session', string>> = {
  name: '(not asked by an agent)',
  client_session: 'none',
};

/** Longest time that an answer waits until the ledger has how its acts ended. */
const OUTCOME_MS = 1_000;

/** Calls whose acts wait for an outcome. A call that never ends leaves its lines without one. */
const CALLS_MAX = 1_000;

/** Writes acts to the ledger: before they happen, and once their calls have ended. */
export function createActRecord({ ledger, redactor, logger, server }: RecordParts): PeopleRecord {
  const clean = <T extends JsonObject>(facts: T): Clean<T> => redactor.value(facts);
  const open = new BoundedMap<string, Promise<LedgerReceipt>[]>(CALLS_MAX);
  const finish = async (writing: Promise<LedgerReceipt>, end: LedgerEnd): Promise<boolean> => {
    // An act that the ledger refused was not done, and has no outcome.
    const receipt = await writing.catch(() => null);
    if (receipt === null) return true;
    try {
      await ledger.finish(receipt, end);
      return true;
    } catch (thrown) {
      logger.error({ err: thrown }, 'the outcome of an act is not in the ledger');
      return false;
    }
  };
  const finishAll = async (acts: readonly Promise<LedgerReceipt>[], end: LedgerEnd): Promise<boolean> => {
    const finished = Promise.all(acts.map((writing) => finish(writing, end)));
    return (await waitAtMost(finished, OUTCOME_MS))?.every(Boolean) ?? false;
  };
  return {
    begin: async ({ scope: { caller, call }, risks, site, allowed_by: { kind, id } }) => {
      const writing = ledger.append(
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
      // A call may end while a line of it is being written.
      open.set(call.call_id, [...(open.get(call.call_id) ?? []), writing]);
      await writing;
    },
    control: async ({ name, session, state, where }) => {
      await ledger.append(
        clean({
          kind: KINDS[state],
          agent: { name: name ?? EVERYONE, client_session: session ?? EVERY_SESSION, server },
          decided: { where },
          risks: [],
        }),
      );
    },
    lift: async ({ name, session, where }) => {
      await ledger.append(
        clean({
          kind: 'budget_lifted' as const,
          agent: { name, client_session: session, server },
          decided: { where },
          risks: [],
        }),
      );
    },
    changed: async ({ kind, subject, tool }) => {
      await ledger.append(
        clean({
          kind,
          agent: { ...NOBODY, server },
          decided: { where: 'side_panel' as const },
          risks: [],
          subject,
          tool,
        }),
      );
    },
    end: (callId, result) => {
      const acts = open.get(callId);
      if (acts === undefined) return null;
      open.delete(callId);
      return finishAll(acts, endOf(result));
    },
  };
}

/** Codes after which nobody knows how far an act has come. */
const UNKNOWN: ReadonlySet<string> = new Set(['browser_disconnected', 'timeout', 'page_unresponsive']);

function endOf({ ok, error, pending }: ToolResult): LedgerEnd {
  // A later step asks a person, before any of them had an effect. The call is performed again, with lines of its own.
  if (pending !== undefined) return { outcome: 'failed', code: 'approval_required' };
  if (ok || error === undefined) return { outcome: 'done' };
  const { code } = error;
  if (code === 'cancelled') return { outcome: 'cancelled' };
  return { outcome: UNKNOWN.has(code) ? 'unknown' : 'failed', code, ...wentTo(error) };
}

/** Input that its element did not get: a frame that it was kept from says so, and of the rest nobody knows. */
function wentTo({ code, body }: NonNullable<ToolResult['error']>): Pick<LedgerEnd, 'went_to'> {
  const site = body?.['went_to'];
  if (typeof site === 'string') return { went_to: site };
  return code === 'not_delivered' ? { went_to: 'unknown' } : {};
}
