import type { Grant, Decision, Scope } from '../../../shared/policy/decision.ts';
import { lastingRisks } from '../../../shared/policy/names.ts';
import type { ShownElements } from '../../ports/shown-element.ts';
import { withoutFragment } from '../../../shared/cut.ts';
import type { Need, GrantUse } from '../policy/call-policy.ts';
import { HOUR_MS, KEPT_MS, type HeldGrant, type Question } from './queue.ts';
import type { LedgerReports, QuestionMemory } from './ledger-reports.ts';

type Where = Decision['where'];

/** A person's approval. */
interface Yes {
  readonly id: string;
  readonly scope: Scope;
  readonly where: Where;
  readonly argsHash: string;
  readonly elements?: ShownElements;
  readonly now: number;
}

/** The pattern of a site for a rule: the origin alone, without subdomains and other ports. */
export const patternOf = (origin: string): string => (origin === 'file://' ? origin : `=${origin}`);

/** The scopes that an approval of this question can have. */
export function scopesOf({ origin, ...question }: Question): readonly Scope[] {
  if (origin === '' || origin === 'null' || question.is_alone) return ['once'];
  return ['once', 'task', 'site_hour', ...(question.can_remember ? (['always'] as const) : [])];
}

/**
 * The grant that an approval creates. `once` is bound to everything shown; `task` lasts as long as the agent's session;
 * `site_hour` is for every session of the agent at that server; `always` is only for the waiting call: the rule written
 * with it allows the others.
 */
export function grantOf(question: Question, yes: Yes): HeldGrant {
  const { id, scope, where, argsHash, now, elements = {} } = yes;
  const { server, caller, call, risks, origin } = question;
  const isOfCall = isForOneCall(yes);
  return {
    id,
    scope,
    server,
    session: scope === 'site_hour' ? null : caller.session,
    agent: caller.name,
    tool: isOfCall ? call.tool : null,
    risks: scope === 'once' ? risks : lastingRisks(risks),
    origin,
    tab_id: isOfCall ? question.tab_id : null,
    document_id: isOfCall ? question.document_id : null,
    args_hash: isOfCall ? argsHash : null,
    where,
    created_at: now,
    expires_at: scope === 'task' ? null : now + (scope === 'site_hour' ? HOUR_MS : KEPT_MS),
    question: question.id,
    home: question.home,
    elements: isOfCall ? { ...elements } : {},
    url: isOfCall && question.document_id !== null ? question.url : null,
    used: null,
  };
}

/** Whether a grant is good for one call only. */
const isForOneCall = ({ scope }: Pick<Grant, 'scope'>): boolean => scope === 'once' || scope === 'always';

/** Whether another open question is answered by a new lasting grant, or its rule. */
export const reaches =
  (grant: HeldGrant) =>
  (question: Question): boolean =>
    !question.is_alone &&
    (grant.scope !== 'always' || question.can_remember) &&
    grant.agent === question.caller.name &&
    grant.origin === question.origin &&
    question.risks.every((risk) => grant.risks.includes(risk)) &&
    binds(grant.server, question.server) &&
    binds(grant.session, question.caller.session);

const binds = <T>(bound: T | null, value: T | null | undefined): boolean => bound === null || bound === value;

function covers(grant: HeldGrant, need: Need, now: number): boolean {
  return (
    isGood(grant, now) &&
    grant.agent === need.caller.name &&
    grant.origin === need.origin &&
    need.risks.every((risk) => grant.risks.includes(risk)) &&
    binds(grant.server, need.server) &&
    binds(grant.session, need.caller.session) &&
    binds(grant.tool, need.call?.tool) &&
    binds(grant.tab_id, need.tabId) &&
    coversPage(grant, need) &&
    binds(grant.args_hash, need.call?.args_hash) &&
    (grant.used === null || grant.used.call_id === need.call?.call_id)
  );
}

const coversPage = (grant: HeldGrant, need: Need): boolean =>
  coversDocument(grant, need) && coversAddress(grant, need);

const coversDocument = (grant: HeldGrant, need: Need): boolean =>
  !isForOneCall(grant) || grant.document_id === need.documentId;

/** A document with another address now shows something else. A call that has begun may have navigated it itself. */
const coversAddress = ({ url, used }: HeldGrant, need: Need): boolean =>
  url === null || used !== null || withoutFragment(url) === withoutFragment(need.url);

/** A call that has used its grant may need it again while it runs, for another part of its work. */
function isGood({ created_at: created, expires_at: expires, used }: HeldGrant, now: number): boolean {
  if (used !== null) return now < used.at + KEPT_MS;
  return created <= now && (expires === null || now < expires);
}

/** Not for each of a thousand pages: every change is stored. */
const RENEWED_MS = KEPT_MS / 10;

export class GrantBook {
  #onChange: () => void = () => undefined;

  constructor(
    private readonly memory: QuestionMemory,
    private readonly reports: LedgerReports,
  ) {}

  /** Uses a grant that covers the need. A grant for one call belongs to this call from now on. */
  async use(need: Need): Promise<GrantUse | null> {
    await this.memory.loaded;
    const now = this.#prune();
    const covering = this.memory.state.grants.filter(
      (grant) => covers(grant, need, now) && (need.isAlone !== true || isForOneCall(grant)),
    );
    // Lasting grants are used first, so that an approval for one call is left for a call that needs it.
    const grant = covering.find((one) => !isForOneCall(one)) ?? covering[0];
    if (grant === undefined) return null;
    // Its decision is written before the acts that it allows, even if the disk was full then.
    this.reports.retry();
    if (isForOneCall(grant)) await this.#spend(grant, need, now);
    return { id: grant.id, scope: grant.scope, elements: grant.elements };
  }

  /**
   * A worker that ends right after this must not find the grant unused. A crawl, which may last for hours, keeps its
   * grant as long as it uses it.
   */
  async #spend(grant: HeldGrant, { call }: Need, now: number): Promise<void> {
    if (call === null) return;
    const isCrawl = grant.risks.includes('crawl');
    if (grant.used !== null && !(isCrawl && now >= grant.used.at + RENEWED_MS)) return;
    grant.used = { call_id: call.call_id, at: now };
    this.#onChange();
    await this.memory.save();
  }

  add(grant: HeldGrant): void {
    this.memory.state.grants.push(grant);
    this.#onChange();
  }

  async list(): Promise<Grant[]> {
    const grants = await this.held();
    return grants.map(
      ({ question: _question, used: _used, home: _home, elements: _elements, url: _url, ...grant }) => grant,
    );
  }

  /** All valid grants, and their uses. */
  async held(): Promise<readonly HeldGrant[]> {
    await this.memory.loaded;
    this.#prune();
    return this.memory.state.grants;
  }

  /** Calls back when a grant is created, used or ended. Expiry is not reported: its time is known. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Ends a grant. False if the id is unknown. */
  async revoke(id: string): Promise<boolean> {
    await this.memory.loaded;
    const revoked = this.memory.state.grants.find((grant) => grant.id === id);
    if (revoked !== undefined) this.reports.revoked(revoked);
    return this.end((grant) => grant.id === id);
  }

  /** The tab's document has changed or is gone: grants for it do not apply to the next. */
  async leave(tabId: number, documentId: string | null): Promise<void> {
    await this.memory.loaded;
    await this.end(
      (grant) => grant.tab_id === tabId && grant.document_id !== null && grant.document_id !== documentId,
    );
  }

  /** Ends all grants that match `isOver`. */
  async end(isOver: (grant: HeldGrant) => boolean): Promise<boolean> {
    const { state } = this.memory;
    const left = state.grants.filter((grant) => !isOver(grant));
    if (left.length === state.grants.length) return false;
    state.grants = left;
    this.#onChange();
    await this.memory.save();
    return true;
  }

  #prune(): number {
    const now = this.memory.time();
    const { state } = this.memory;
    state.grants = state.grants.filter((grant) => isGood(grant, now));
    return now;
  }
}
