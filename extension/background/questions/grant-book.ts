import type { Grant } from '../../../shared/policy/decision.ts';
import type { GrantUse, Need } from '../policy/approvals.ts';
import { KEPT_MS } from './bounds.ts';
import { covers, isForOneCall, isGood } from './grant-rules.ts';
import type { LedgerReports } from './ledger-reports.ts';
import type { QuestionMemory } from './memory.ts';
import type { HeldGrant } from './state.ts';

/** Not with each of a thousand pages: every change is stored. */
const RENEWED_MS = KEPT_MS / 10;

/** What people have allowed in this browser. */
export class GrantBook {
  readonly #memory: QuestionMemory;
  #onChange: () => void = () => undefined;

  readonly #reports: LedgerReports;

  constructor(memory: QuestionMemory, reports: LedgerReports) {
    this.#memory = memory;
    this.#reports = reports;
  }

  /** Uses a grant that covers the need. One that is good for one call belongs to this one from now on. */
  async use(need: Need): Promise<GrantUse | null> {
    await this.#memory.loaded;
    const now = this.#prune();
    const covering = this.#memory.state.grants.filter(
      (grant) => covers(grant, need, now) && (need.isAlone !== true || isForOneCall(grant)),
    );
    // What lasts is used first, so that a yes for one call is left for a call that needs it.
    const grant = covering.find((one) => !isForOneCall(one)) ?? covering[0];
    if (grant === undefined) return null;
    // The decision that made it is written before what it allows, also where the disk was full then.
    this.#reports.retry();
    if (isForOneCall(grant)) await this.#spend(grant, need, now);
    return { id: grant.id, scope: grant.scope, elements: grant.elements };
  }

  /**
   * A worker that is ended right after this must not find the grant unused. A crawl, which may last for hours, keeps
   * its grant for as long as it uses it.
   */
  async #spend(grant: HeldGrant, { call }: Need, now: number): Promise<void> {
    if (call === null) return;
    const isCrawl = grant.risks.includes('crawl');
    if (grant.used !== null && !(isCrawl && now >= grant.used.at + RENEWED_MS)) return;
    grant.used = { call_id: call.call_id, at: now };
    this.#onChange();
    await this.#memory.save();
  }

  add(grant: HeldGrant): void {
    this.#memory.state.grants.push(grant);
    this.#onChange();
  }

  async list(): Promise<Grant[]> {
    const grants = await this.held();
    return grants.map(
      ({ question: _question, used: _used, home: _home, elements: _elements, url: _url, ...grant }) => grant,
    );
  }

  /** All that is good, and what has become of it. */
  async held(): Promise<readonly HeldGrant[]> {
    await this.#memory.loaded;
    this.#prune();
    return this.#memory.state.grants;
  }

  /** Calls back when a grant was made, used, or has ended. One that expires says nothing: it says when it will. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Ends a grant. False if the id is unknown. */
  async revoke(id: string): Promise<boolean> {
    await this.#memory.loaded;
    const revoked = this.#memory.state.grants.find((grant) => grant.id === id);
    if (revoked !== undefined) this.#reports.revoked(revoked);
    return this.end((grant) => grant.id === id);
  }

  /** The document of a tab is another one, or is gone: what was allowed in it is not allowed in the next. */
  async leave(tabId: number, documentId: string | null): Promise<void> {
    await this.#memory.loaded;
    await this.end(
      (grant) => grant.tab_id === tabId && grant.document_id !== null && grant.document_id !== documentId,
    );
  }

  /** Ends all grants of which `isOver` holds. */
  async end(isOver: (grant: HeldGrant) => boolean): Promise<boolean> {
    const { state } = this.#memory;
    const left = state.grants.filter((grant) => !isOver(grant));
    const hasEnded = left.length < state.grants.length;
    state.grants = left;
    if (!hasEnded) return false;
    this.#onChange();
    await this.#memory.save();
    return true;
  }

  #prune(): number {
    const now = this.#memory.time();
    const { state } = this.#memory;
    state.grants = state.grants.filter((grant) => isGood(grant, now));
    return now;
  }
}
