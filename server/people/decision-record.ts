import type { LedgerReport } from '../../shared/policy/ledger-report.ts';
import type { Ledger, LedgerEntry } from '../core/ledger.ts';
import type { Redactor } from '../core/services.ts';
import { agentOf } from './act-record.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

const WRITTEN_MAX = 5_000;

interface RecordParts {
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  /** Instance of this server. */
  readonly server: string;
}

/**
 * Decisions, revocations and refused decisions in the ledger, each once: a decision comes from the call that waits for it, and
 * from the browser, and what a browser does not know to be written comes again, maybe to another server.
 */
export class DecisionRecord {
  readonly #parts: RecordParts;
  readonly #written = new BoundedMap<string, Promise<void>>(WRITTEN_MAX);

  constructor(parts: RecordParts) {
    this.#parts = parts;
  }

  /**
   * Writes a line, unless this server has.
   * @param mayBeThere a server before may have written it
   * @throws SpillwayError `ledger_unavailable`
   */
  once(
    kind: LedgerReport['kind'],
    id: string,
    entry: LedgerEntry,
    { mayBeThere = false }: { readonly mayBeThere?: boolean | undefined } = {},
  ): Promise<void> {
    const { ledger } = this.#parts;
    return this.#once(kind, id, async () => {
      if (mayBeThere && (await ledger.has(kind, id))) return;
      await ledger.append(entry);
    });
  }

  /** Writes a browser's report. @throws SpillwayError `ledger_unavailable` */
  async report(reports: readonly LedgerReport[]): Promise<void> {
    const { ledger, server } = this.#parts;
    await Promise.all(
      reports.map((report) =>
        this.#once(report.kind, report.id, async () => {
          const mayBeThere = report.is_again || report.server !== server;
          if (mayBeThere && (await ledger.has(report.kind, report.id))) return;
          await ledger.append(this.#entryOf(report));
        }),
      ),
    );
  }

  #once(kind: string, id: string, write: () => Promise<void>): Promise<void> {
    const key = `${kind} ${id}`;
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const writing = write();
    this.#written.set(key, writing);
    // The next writer writes failed records.
    writing.catch(() => this.#written.delete(key));
    return writing;
  }

  #entryOf(report: LedgerReport): LedgerEntry {
    const { kind, id, server, agent, where, ...facts } = report;
    // Texts, as the ledger keeps them.
    const { scope, refusal }: { readonly scope: string | null; readonly refusal: string | null } = report;
    const { question, grant, outcome, risks, site, tool, call_id, args_hash } = facts;
    return this.#parts.redactor.value({
      kind,
      report: id,
      agent: agentOf(agent, server),
      ...(where === null ? {} : { decided: { where: placeOf(where) } }),
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

/** Where a decision was made, as the ledger says it. */
export const placeOf = (where: NonNullable<LedgerReport['where']>) =>
  where === 'client' ? ('client, unverified' as const) : where;
