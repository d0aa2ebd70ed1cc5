import type { Logger, Redactor } from '../core/services.ts';
import type { PersonChange } from '../core/people.ts';
import type { Ledger, LedgerEnd, LedgerReceipt, LedgerEntry } from '../ledger/face.ts';
import { waitAtMost } from '../../shared/base/async.ts';
import { isUnknownOutcome } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { ActFacts, AgentControlFacts, LedgerReport } from '../../shared/ledger/report.ts';
import type { Clean } from '../libraries/redaction/clean.ts';
import type { ToolResult } from '../core/result.ts';
import { BoundedMap } from '../../shared/base/maps.ts';
import type { Caller } from '../../shared/core/policy/call-facts.ts';

export interface RecordParts {
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Instance of this server. */
  readonly server: string;
}

const KINDS = { stopped: 'agent_stopped', paused: 'agent_paused', on: 'agent_let_on' } as const;
const EVERY_SESSION = 'every';
const EVERYONE = '(all agents)';
const IN_PANEL = { where: 'side_panel' } as const;
const NOBODY: Readonly<Record<'name' | 'client_session', string>> = {
  name: '(not asked by an agent)',
  client_session: 'none',
};

/** Longest time that an answer waits until the ledger has the outcome of its acts. */
const OUTCOME_MS = 1_000;

/** Calls whose acts wait for an outcome. A call that never ends leaves its lines without one. */
const CALLS_MAX = 1_000;

export type ActRecord = ReturnType<typeof createActRecord>;

/**
 * Writes acts to the ledger: those of agents before they happen and once their calls have ended, and those of
 * people in their browsers. Each rejects with `ledger_unavailable`.
 */
export function createActRecord({ ledger, redactor, logger, server }: RecordParts) {
  const clean = <T extends JsonObject>(facts: T): Clean<T> => redactor.value(facts);
  const open = new BoundedMap<string, Promise<LedgerReceipt>[]>(CALLS_MAX);
  const finish = async (writing: Promise<LedgerReceipt>, end: LedgerEnd): Promise<boolean> => {
    // The ledger refused the act, so it was not done and has no outcome.
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
    /** Resolves when the coming act is in the ledger. */
    begin: async ({
      scope: { caller, call },
      risks,
      site,
      allowed_by: { kind, id },
      is_denied: isDenied = false,
    }: ActFacts): Promise<void> => {
      const writing = ledger.append(
        clean({
          kind: 'act' as const,
          agent: agentOf(caller, server),
          decided: { where: kind },
          [kind]: id,
          risks,
          sources: risks.includes('carry_text') ? sourcesOf(call) : undefined,
          site,
          tool: call.tool,
          call_id: call.call_id,
          args_hash: call.args_hash,
          ...(isDenied ? { outcome: 'denied' as const, code: 'policy_denied' as const } : {}),
        }),
      );
      if (isDenied) return void (await writing);
      // A call may end while one of its lines is being written.
      open.set(call.call_id, [...(open.get(call.call_id) ?? []), writing]);
      await writing;
    },
    /** A person's decision about an agent. */
    control: ({ name, session, state, where }: AgentControlFacts) => {
      const agent = { name: name ?? EVERYONE, client_session: session ?? EVERY_SESSION, server };
      return ledger.append(clean({ kind: KINDS[state], agent, decided: { where }, risks: [] }));
    },
    /** The budget of a session was lifted. */
    lift: ({ name, session }: { readonly name: string; readonly session: string }) => {
      const agent = { name, client_session: session, server };
      return ledger.append(clean({ kind: 'budget_lifted' as const, agent, decided: IN_PANEL, risks: [] }));
    },
    /** A run, or a stored output, was changed. */
    changed: (facts: PersonChange) =>
      ledger.append(clean({ ...facts, agent: { ...NOBODY, server }, decided: IN_PANEL, risks: [] })),
    /**
     * Writes how a call's acts have ended: null if it has none. Resolves soon, with whether the ledger has it;
     * never rejects.
     */
    end: (callId: string, result: ToolResult) => {
      const acts = open.get(callId);
      if (acts === undefined) return null;
      open.delete(callId);
      return finishAll(acts, endOf(result));
    },
  };
}

const sourcesOf = ({ sources = [] }: ActFacts['scope']['call']) =>
  sources.map(({ marks: _marks, group: _group, ...line }) => line);

/** After these codes, nobody knows how far an act got. */
const UNKNOWN: ReadonlySet<string> = new Set(['browser_disconnected', 'timeout', 'page_unresponsive']);

function endOf({ ok, error, pending }: ToolResult): LedgerEnd {
  // A later step asks a person before any of them had an effect. The call is performed again, with its own
  // lines.
  if (pending !== undefined) return { outcome: 'failed', code: 'approval_required' };
  if (ok || error === undefined) return { outcome: 'done' };
  const { code } = error;
  if (code === 'cancelled') return { outcome: 'cancelled' };
  const isUnknown = UNKNOWN.has(code) || isUnknownOutcome(error);
  return { outcome: isUnknown ? 'unknown' : 'failed', code, ...siteOfRefused(error) };
}

/**
 * Input that did not reach its element: if a frame was kept from it, the frame's site is known, otherwise
 * nothing.
 */
function siteOfRefused({ code, body }: NonNullable<ToolResult['error']>): Pick<LedgerEnd, 'went_to'> {
  const site = body?.['went_to'];
  if (typeof site === 'string') return { went_to: site };
  return code === 'not_delivered' ? { went_to: 'unknown' } : {};
}

const WRITTEN_MAX = 5_000;

/**
 * Writes decisions, revocations and refused decisions to the ledger, each once. A decision comes both from
 * the waiting call and from the browser, and the browser repeats unconfirmed ones, possibly to another
 * server.
 */
export class DecisionRecord {
  readonly #written = new BoundedMap<string, Promise<void>>(WRITTEN_MAX);

  constructor(private readonly parts: Omit<RecordParts, 'logger'>) {}

  /**
   * Writes a line, unless this server already has.
   * @param mayBeThere an earlier server may have written it
   * @throws SpillwayError `ledger_unavailable`
   */
  once(
    kind: LedgerReport['kind'],
    id: string,
    entry: LedgerEntry,
    { mayBeThere = false }: { readonly mayBeThere?: boolean | undefined } = {},
  ): Promise<void> {
    const key = `${kind} ${id}`;
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const { ledger } = this.parts;
    const write = async (): Promise<void> => {
      if (!mayBeThere || !(await ledger.has(kind, id))) await ledger.append(entry);
    };
    const writing = write();
    this.#written.set(key, writing);
    // The next writer writes failed records.
    writing.catch(() => this.#written.delete(key));
    return writing;
  }

  /** Writes a browser's report. @throws SpillwayError `ledger_unavailable` */
  async report(reports: readonly LedgerReport[]): Promise<void> {
    await Promise.all(
      reports.map((report) => {
        const mayBeThere = report.is_again || report.server !== this.parts.server;
        return this.once(report.kind, report.id, this.#entryOf(report), { mayBeThere });
      }),
    );
  }

  #entryOf(report: LedgerReport): LedgerEntry {
    const { kind, id, server, agent, where, ...facts } = report;
    // Texts, as the ledger keeps them.
    const { scope, refusal }: { readonly scope: string | null; readonly refusal: string | null } = report;
    const { question, grant, outcome, risks, site, tool, call_id, args_hash } = facts;
    return this.parts.redactor.value({
      kind,
      report: id,
      agent: agentOf(agent, server),
      ...(where === null ? {} : { decided: { where: formatActPlace(where) } }),
      question: question ?? undefined,
      grant: grant ?? undefined,
      scope: scope ?? undefined,
      outcome: outcome ?? undefined,
      refusal: refusal ?? undefined,
      risks,
      site: site ?? undefined,
      tool: tool ?? undefined,
      call_id: call_id ?? undefined,
      args_hash: args_hash ?? undefined,
    });
  }
}

/** Where a decision was made, in the ledger's words. */
export const formatActPlace = (where: NonNullable<LedgerReport['where']>) =>
  where === 'client' ? ('client, unverified' as const) : where;

/** An agent as the ledger names it. */
export const agentOf = ({ name, version, session }: Caller, server: string) => ({
  name,
  version,
  client_session: session,
  server,
});
