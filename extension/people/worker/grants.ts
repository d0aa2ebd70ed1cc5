import type { StoredPolicy } from '../../../shared/people/policy.ts';
import type { Grant, Decision, Scope } from '../../../shared/core/policy/decision.ts';
import { isOfBrowser, lastingRisks } from '../../../shared/core/policy/names.ts';
import type { ShownElements } from '../../core/ports/shown-element.ts';
import { withoutFragment } from '../../../shared/base/cut.ts';
import type { Need, GrantUse } from '../../core/policy/call-policy.ts';
import { HOUR_MS, KEPT_MS, type HeldGrant, type Question } from './queue.ts';
import type { LedgerReports, QuestionMemory } from './ledger-reports.ts';
import type { CallScope } from '../../../shared/core/policy/call-facts.ts';
import { Listeners } from '../../../shared/base/queue.ts';

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
const patternOf = (origin: string): string => (origin === 'file://' ? origin : `=${origin}`);

/** The rules that `always` adds: for acts on a site, and for the text of others that comes to it. */
export function rulesOf({
  agent,
  origin,
  risks,
  sources = [],
}: Pick<Need, 'origin' | 'risks' | 'sources'> & { readonly agent: string }): Omit<
  StoredPolicy['rules'][number],
  'id'
>[] {
  const acts = risks.filter((risk) => risk !== 'carry_text');
  const allowed = { effect: 'allow', source: 'person' } as const;
  const where = () => ({ ...allowed, sites: [patternOf(origin)], agents: [agent] });
  const text = { ...where(), from: sources.map(patternOf), risks: ['carry_text' as const] };
  return [
    ...(acts.length === 0 ? [] : [{ ...where(), risks: lastingRisks(acts) }]),
    ...(sources.length === 0 ? [] : [text]),
  ];
}

/** The scopes that an approval of this question can have. */
export function scopesOf({ origin, risks, ...question }: Question): readonly Scope[] {
  if (question.is_alone || hasToken(question, risks)) return ['once'];
  // Their tabs are not a matter of sites, and no rule gives one away.
  if (question.is_lent || isOfBrowser(risks)) return ['once', 'task'];
  if (origin === '' || origin === 'null') return ['once'];
  return ['once', 'task', 'site_hour', ...(question.can_remember ? (['always'] as const) : [])];
}

/** A code or an account number is allowed for one call only. */
const hasToken = ({ call }: Pick<Question, 'call'>, risks: Question['risks']): boolean =>
  risks.includes('carry_text') &&
  call.sources?.some(({ how, is_private: isPrivate }) => isPrivate && how === 'token') === true;

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
    sources: question.sources,
    origin,
    tab_id: isOfCall || question.is_lent ? question.tab_id : null,
    document_id: isOfCall ? question.document_id : null,
    args_hash: isOfCall ? argsHash : null,
    where,
    created_at: now,
    expires_at: scope === 'task' ? null : now + (scope === 'site_hour' ? HOUR_MS : KEPT_MS),
    question: question.id,
    home: question.home,
    elements: isOfCall ? { ...elements } : {},
    url: isOfCall && question.document_id !== null ? question.url : null,
    asked_by: null,
    lent_with: null,
    used: null,
    // A loan is of the tab, whatever it shows.
    ...(isLoan(question) ? { document_id: null, url: null, asked_by: call.call_id } : {}),
  };
}

/** To whom a person gives a tab: a session of an agent, or the agent at one server. */
export interface Borrower {
  /** Instance of the server. */
  readonly server: string;
  readonly agent: string;
  readonly session: string | null;
}

export const isLoan = ({ risks }: Pick<Grant, 'risks'>): boolean => risks.includes('borrow_tab');

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
    coversSources(grant, question.sources) &&
    coversTab(grant, question.is_lent, question.tab_id) &&
    binds(grant.server, question.server) &&
    binds(grant.session, question.caller.session);

/** Of the same tab and borrower. */
const isSameLoan = (one: HeldGrant, other: HeldGrant): boolean =>
  one.tab_id === other.tab_id &&
  one.server === other.server &&
  one.agent === other.agent &&
  one.session === other.session;

const binds = <T>(bound: T | null, value: T | null | undefined): boolean => bound === null || bound === value;

function covers(grant: HeldGrant, need: Need, now: number): boolean {
  return (
    isGood(grant, now) &&
    grant.agent === need.caller.name &&
    need.risks.every((risk) => grant.risks.includes(risk)) &&
    coversSources(grant, need.sources) &&
    binds(grant.server, need.server) &&
    binds(grant.session, need.caller.session) &&
    coversTab(grant, need.isLent === true, need.tabId) &&
    (isLoan(grant) || (grant.origin === need.origin && coversPage(grant, need))) &&
    coversCall(grant, need.call)
  );
}

const coversSources = ({ sources = [] }: HeldGrant, needed: readonly string[] = []): boolean =>
  needed.every((site) => sources.includes(site));

function coversCall(grant: HeldGrant, call: Need['call']): boolean {
  return (
    binds(grant.tool, call?.tool) &&
    binds(grant.args_hash, call?.args_hash) &&
    (grant.used === null || grant.used.call_id === call?.call_id)
  );
}

const coversPage = (grant: HeldGrant, need: Need): boolean =>
  coversDocument(grant, need) && coversAddress(grant, need);

/** A grant for a site is for the tabs of agents: a person's own needs one that names it. */
const coversTab = ({ tab_id: bound }: HeldGrant, isLent: boolean, tabId: number | null): boolean =>
  isLent ? bound === tabId : binds(bound, tabId);

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
  readonly #listeners = new Listeners<void>();
  #count = 0;

  constructor(
    private readonly memory: QuestionMemory,
    private readonly reports: LedgerReports,
  ) {}

  /**
   * Uses a grant for each need, the first of which it returns, or none. A grant for one call belongs to this call from now
   * on.
   */
  async use(...needs: readonly Need[]): Promise<GrantUse | null> {
    await this.memory.loaded;
    const now = this.#prune();
    const found = needs.flatMap((need) => {
      const covering = this.memory.state.grants.filter(
        (grant) => covers(grant, need, now) && (need.isAlone !== true || isForOneCall(grant)),
      );
      // Lasting grants are used first, so that an approval for one call is left for a call that needs it.
      const grant = covering.find((one) => !isForOneCall(one)) ?? covering[0];
      return grant === undefined ? [] : [{ grant, need }];
    });
    const [first] = found;
    if (first === undefined || found.length < needs.length) return null;
    // Its decision is written before the acts that it allows, even if the disk was full then.
    this.reports.retry();
    for (const { grant, need } of found) if (isForOneCall(grant)) await this.#spend(grant, need, now);
    const { id, scope, elements } = first.grant;
    return { id, scope, elements };
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
    this.#listeners.notify();
    await this.memory.save();
  }

  add(grant: HeldGrant): void {
    this.memory.state.grants.push(grant);
    this.#listeners.notify();
  }

  /** The loans of a tab that a call may use. */
  loansOf(tabId: number, server: string, scope: CallScope | null): readonly HeldGrant[] {
    if (scope === null) return [];
    const now = this.memory.time();
    return this.memory.state.grants.filter(
      (grant) =>
        isLoan(grant) &&
        isGood(grant, now) &&
        grant.tab_id === tabId &&
        binds(grant.server, server) &&
        grant.agent === scope.caller.name &&
        binds(grant.session, scope.caller.session) &&
        (grant.used === null || grant.used.call_id === scope.call.call_id),
    );
  }

  /** A person gives a tab without being asked. */
  async give(
    { tabId, origin }: { readonly tabId: number; readonly origin: string },
    to: Borrower,
    where: Where,
  ): Promise<void> {
    await this.memory.loaded;
    const now = this.memory.time();
    const grant: HeldGrant = {
      ...{ id: `g_${crypto.randomUUID()}`, scope: 'task', ...to, tool: null, risks: ['borrow_tab'], origin },
      ...{ tab_id: tabId, document_id: null, args_hash: null, where, created_at: now, expires_at: null },
      ...{ question: '', home: this.reports.homeOf(to.server), elements: {}, url: null, used: null },
      ...{ asked_by: null, lent_with: null },
    };
    if (this.memory.state.grants.some((one) => one.scope === 'task' && isLoan(one) && isSameLoan(one, grant)))
      return;
    this.reports.given(grant);
    this.add(grant);
    await this.memory.save();
  }

  /** A lent tab has opened another one: it is lent with it. */
  async lendWith(from: number, tabId: number): Promise<void> {
    await this.memory.loaded;
    const loans = this.memory.state.grants.filter(
      (grant) => isLoan(grant) && grant.tab_id === from && grant.scope === 'task',
    );
    for (const loan of loans)
      this.add({ ...loan, id: `g_${crypto.randomUUID()}`, tab_id: tabId, lent_with: loan.id });
    if (loans.length > 0) await this.memory.save();
  }

  /** The browser has given a tab another number. */
  async replaceTab(before: number, now: number): Promise<void> {
    await this.memory.loaded;
    const { state } = this.memory;
    if (!state.grants.some((grant) => grant.tab_id === before)) return;
    state.grants = state.grants.map((grant) => (grant.tab_id === before ? { ...grant, tab_id: now } : grant));
    this.#listeners.notify();
    await this.memory.save();
  }

  /** The agent has taken a lent tab to another site. */
  async moveLoans(tabId: number, origin: string): Promise<void> {
    const { state } = this.memory;
    state.grants = state.grants.map((grant) =>
      isLoan(grant) && grant.tab_id === tabId ? { ...grant, origin } : grant,
    );
    this.#listeners.notify();
    await this.memory.save();
  }

  async list(): Promise<Grant[]> {
    const grants = await this.held();
    return grants.map(
      ({ question: _question, used: _used, home: _home, elements: _elements, url: _url, ...rest }) => {
        const { asked_by: _call, lent_with: _loan, ...grant } = rest;
        return grant;
      },
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
    this.#listeners.add(listener);
  }

  /** Ends a grant. False if the id is unknown. */
  async revoke(id: string): Promise<boolean> {
    await this.memory.loaded;
    const revoked = this.memory.state.grants.find((grant) => grant.id === id);
    if (revoked === undefined) return false;
    this.reports.revoked(revoked);
    // A tab that is taken back is lent no more, in whichever way the agent had it.
    const { tab_id: tab, server, agent } = revoked;
    const isSame = (grant: HeldGrant): boolean =>
      isLoan(grant) && grant.tab_id === tab && grant.server === server && grant.agent === agent;
    return this.end((grant) => grant.id === id || (isLoan(revoked) && isSame(grant)));
  }

  /** The tab's document has changed or is gone: grants for it do not apply to the next. */
  async leave(tabId: number, documentId: string | null): Promise<void> {
    await this.memory.loaded;
    await this.end(
      (grant) =>
        grant.tab_id === tabId &&
        (documentId === null || (grant.document_id !== null && grant.document_id !== documentId)),
    );
  }

  /** Ends all grants that match `isOver`. */
  async end(isOver: (grant: HeldGrant) => boolean): Promise<boolean> {
    const { state } = this.memory;
    const over = state.grants.filter(isOver);
    if (over.length === 0) return false;
    // Tabs that a lent tab has opened are later in the list; whatever was allowed in a lent tab ends with its loan.
    for (const grant of state.grants)
      if (over.some(({ id }) => id === grant.lent_with) && !over.includes(grant)) over.push(grant);
    const loans = over.filter(isLoan);
    const endsWith = (grant: HeldGrant): boolean =>
      loans.some((loan) => isSameLoan(grant, { ...loan, session: loan.session ?? grant.session }));
    state.grants = state.grants.filter((grant) => !over.includes(grant) && !endsWith(grant));
    this.#listeners.notify();
    await this.memory.save();
    return true;
  }

  #prune(): number {
    const now = this.memory.time();
    const { state } = this.memory;
    state.grants = state.grants.filter((grant) => isGood(grant, now));
    const had = this.#count;
    this.#count = state.grants.length;
    // Expired, or ended with the clock: calls that use a loan have to end.
    if (had > this.#count) queueMicrotask(() => this.#listeners.notify());
    return now;
  }
}
