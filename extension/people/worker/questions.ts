import { Policy } from '../../../shared/people/evaluate.ts';
import type { Rule } from '../../../shared/people/policy.ts';
import { siteOf } from '../../../shared/core/policy/sites.ts';
import type { Decision, Scope } from '../../../shared/core/policy/decision.ts';
import type { QuestionOutcome, AnswerRefusal } from '../../../shared/people/question-methods.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { Approvals, GrantUse, Need } from '../../core/policy/call-policy.ts';
import {
  KEPT_MS,
  QUESTION_MS,
  findSame,
  lastOf,
  questionsOf,
  shownCards,
  withQuestion,
  without,
  replaced,
  type Card,
  type Question,
} from './queue.ts';
import { GrantBook, rulesOf } from './grants.ts';
import { ARGUMENT_UNITS, isByName, isPersonal } from '../../../shared/core/policy/names.ts';
import { Waiters } from '../../../shared/base/waiters.ts';
import { LedgerReports, type Refused, type QuestionMemory } from './ledger-reports.ts';

/** A new rule of a person settles no question of a server's flag, or of their own rule for the same agent and site. */
function canBeSettled(rule: Rule, { caller: { name: agent }, risks, origin, sources = [] }: Need): boolean {
  const always = rulesOf({ agent, origin, risks, sources }).map((one): Rule => ({ id: 'always', ...one }));
  const policy = new Policy({ shipped: [rule, ...always] });
  const act = { site: siteOf(origin), agent, fromElsewhere: true };
  if (isPersonal(risks)) return risks.includes('show_tab') && rule.source === 'default';
  const isOpen = (risk: Risk): boolean =>
    risk === 'carry_text'
      ? sources.some((from) => policy.judge({ ...act, risk, from: siteOf(from) }) === rule)
      : policy.judge({ ...act, risk }) === rule;
  return rule.source !== 'server' && !risks.some(isOpen);
}

const TIMEOUT: QuestionOutcome = { decision: null, end: 'timeout' };
const GONE: QuestionOutcome = { decision: null, end: 'gone' };
const scopeKey = (agent: string, origin: string): string => JSON.stringify([agent, origin]);
const WITHDRAWN: QuestionOutcome = { decision: null, end: 'withdrawn' };

/**
 * Questions to people, one after another, and their outcomes. All state is in `storage.session`, so every worker of a
 * browser has the same.
 */
export class Questions implements Approvals {
  readonly grants: GrantBook;
  readonly reports: LedgerReports;
  readonly #waiters = new Waiters<string, QuestionOutcome>();

  /**
   * @param onChange called when the questions change
   * @param mayHold whether the person lets agents' clients ask
   */
  constructor(
    private readonly memory: QuestionMemory,
    private readonly onChange: () => void,
    private readonly mayHold: () => Promise<boolean>,
  ) {
    this.reports = new LedgerReports(memory);
    this.grants = new GrantBook(memory, this.reports);
    void memory.loaded.then(onChange);
  }

  get loaded(): Promise<void> {
    return this.memory.loaded;
  }

  /** The current question, and how many are of its kind; null without any. */
  get front(): { readonly question: Question; readonly card: Card } | null {
    const [card] = shownCards(this.memory.state.cards);
    const [question] = card?.questions ?? [];
    return card === undefined || question === undefined ? null : { question, card };
  }

  /** How many questions wait for the person at the browser, and of how many kinds. */
  get count(): { readonly questions: number; readonly cards: number } {
    const cards = shownCards(this.memory.state.cards);
    return { questions: questionsOf(cards).length, cards: cards.length };
  }

  use(...needs: readonly Need[]): Promise<GrantUse | null> {
    return this.grants.use(...needs);
  }

  async raise(need: Need, rule: Rule): Promise<{ readonly id: string }> {
    await this.memory.loaded;
    const { call } = need;
    if (call === null)
      throw new SpillwayError(
        'policy_denied',
        `The server did not name the call that a person should decide about.`,
        { hint: 'Update the server: its version does not support questions.' },
      );
    if (call.args === null || JSON.stringify(call.args).length > ARGUMENT_UNITS)
      throw new SpillwayError(
        'approval_too_large',
        `${call.tool}: ${call.largest ?? 'its arguments are too large'}, and a person can be shown ${ARGUMENT_UNITS} in all.`,
      );
    const asked = { ...need, call };
    // An answer of a client would need to know where the person's tabs are.
    // Nor would its person see whose text the call has.
    const isPrivate = need.isLent === true || need.chosen?.[0] !== undefined || need.risks.some(isByName);
    const isHeld = need.asks === 'client' && !isPrivate && (await this.mayHold());
    const { state } = this.memory;
    const same = findSame(state.cards, asked);
    if (same !== null) return { id: same.id };
    const id = `q_${crypto.randomUUID()}`;
    const canRemember = need.caller.name !== '' && canBeSettled(rule, need);
    state.cards = withQuestion(state.cards, asked, { id, now: this.memory.time(), canRemember, isHeld });
    // It is shown while it is stored.
    this.#changed();
    await this.memory.save();
    return { id };
  }

  async withdraw(grant: string): Promise<void> {
    await this.grants.end(({ id }) => id === grant);
  }

  /** Resolves when the question has ended. Another server's question is unknown. */
  async wait(id: string, server: string, signal: AbortSignal): Promise<QuestionOutcome> {
    await this.memory.loaded;
    const ended = this.memory.state.ended.find((one) => one.id === id && one.server === server);
    if (ended !== undefined) return ended.outcome;
    if (this.find(id)?.server !== server) return GONE;
    return this.#waiters.wait(id, signal);
  }

  /** An open question by its id, or null. */
  find(id: string): Question | null {
    return questionsOf(this.memory.state.cards).find((one) => one.id === id) ?? null;
  }

  hasEnded(id: string): boolean {
    return this.memory.state.ended.some((one) => one.id === id);
  }

  /** Shows held questions to the person at the browser. False if there were none. */
  async show(isShown: (question: Question) => boolean): Promise<boolean> {
    const { state } = this.memory;
    const isReleased = (question: Question): boolean => question.is_held && isShown(question);
    if (!questionsOf(state.cards).some(isReleased)) return false;
    state.cards = state.cards.map(({ key, questions }) => ({
      key,
      questions: questions.map((one) => (isReleased(one) ? { ...one, is_held: false } : one)),
    }));
    this.#changed();
    await this.memory.save();
    return true;
  }

  /** The server no longer needs an answer. */
  async cancel(id: string, server: string): Promise<boolean> {
    await this.memory.loaded;
    return this.end((question) => question.id === id && question.server === server, WITHDRAWN);
  }

  /** A person has decided these questions. */
  decide(ids: ReadonlySet<string>, decision: Decision): Promise<boolean> {
    return this.end(({ id }) => ids.has(id), { decision, end: null });
  }

  /** Open questions that are shown to a person. */
  shownIds(isMeant: (question: Question) => boolean): ReadonlySet<string> {
    const shown = questionsOf(shownCards(this.memory.state.cards));
    return new Set(shown.filter(isMeant).map(({ id }) => id));
  }

  /** The scope of the last approval for this agent on this site. A rule asks no more, so it is never proposed again. */
  lastScope({ caller, origin }: Question): Scope {
    return this.memory.state.scopes[scopeKey(caller.name, origin)] ?? 'once';
  }

  rememberScope({ caller, origin, risks }: Question, scope: Scope): void {
    // A tab that was lent says nothing about acts on its site.
    if (isPersonal(risks)) return;
    const key = scopeKey(caller.name, origin);
    const { [key]: _before, ...others } = this.memory.state.scopes;
    this.memory.state.scopes = scope === 'always' ? others : { ...others, [key]: scope };
  }

  /** Ends open questions. False if there were none. */
  async end(isOver: (question: Question) => boolean, outcome: QuestionOutcome): Promise<boolean> {
    const { state } = this.memory;
    const { cards, removed, touched } = without(state.cards, isOver);
    if (removed.length === 0) return false;
    const at = this.memory.time();
    // After a decision other kinds follow, or an agent that floods would keep them waiting.
    state.cards = outcome.decision === null ? cards : lastOf(cards, touched);
    for (const question of removed) {
      const { id, server, home, caller, risks, origin: site } = question;
      const agent = { name: caller.name, session: caller.session };
      state.ended.push({ id, server, at, outcome, home, agent, risks, site });
      this.#report(question, outcome);
    }
    await this.memory.save();
    for (const { id } of removed) this.#waiters.notify(id, outcome);
    this.#changed();
    return true;
  }

  #report(question: Question, { decision, end }: QuestionOutcome): void {
    if (decision !== null) this.reports.decided(question, decision);
    // A question without its arguments is raised again at once.
    else if (end !== null && !question.is_stub) this.reports.ended(question, end);
  }

  /** Records a rejected decision, with its question if that is known. */
  async refuse(reason: AnswerRefusal['reason'], question: string | null): Promise<void> {
    const at = this.memory.time();
    const about = this.#aboutOf(question);
    this.memory.state.refused.push({ at, reason, question: about?.id ?? null });
    this.reports.refused(reason, about);
    await this.memory.save();
  }

  /** The question of a rejected decision, open or ended. */
  #aboutOf(id: string | null): Refused | null {
    if (id === null) return null;
    const open = this.find(id);
    if (open !== null) return { ...open, agent: open.caller, site: open.origin };
    return this.memory.state.ended.find((one) => one.id === id) ?? null;
  }

  about(id: string, server: string): { readonly risks?: Risk[]; readonly site?: string } {
    const ended = this.memory.state.ended.find((one) => one.id === id && one.server === server);
    if (ended === undefined) return {};
    const isSecret = isPersonal(ended.risks) && ended.outcome.decision?.approve !== true;
    return { risks: ended.risks, ...(isSecret ? {} : { site: ended.site ?? '' }) };
  }

  /** The last rejected decisions. */
  get refused(): readonly AnswerRefusal[] {
    return this.memory.state.refused;
  }

  /** The tab shows another document, or none (null): questions about the last one are asked again. */
  async leave(tabId: number, documentId: string | null): Promise<void> {
    await this.grants.leave(tabId, documentId);
    const isGone = ({ tab_id: tab, document_id: document }: Question): boolean =>
      tab === tabId && (documentId === null || (document !== null && document !== documentId));
    await this.end(isGone, GONE);
  }

  /** These servers did not come back. Their questions wait for another one, and are shown if a client was to ask. */
  async forgetServers(isGone: (server: string) => boolean): Promise<void> {
    await this.memory.loaded;
    const kept = new Set(this.memory.state.kept.map(({ id }) => id));
    await this.grants.end(({ server, question }) => server !== null && isGone(server) && !kept.has(question));
    await this.show(({ server }) => isGone(server));
    await this.end(({ server, id }) => isGone(server) && !kept.has(id), WITHDRAWN);
  }

  /** Moves a question, open or ended, to another server and session, with its decision and grants. */
  async rebind(id: string, { server, caller }: Pick<Need, 'server' | 'caller'>): Promise<void> {
    const { state } = this.memory;
    const open = this.find(id);
    // Its client no longer asks: that was the other session's.
    if (open !== null) state.cards = replaced(state.cards, { ...open, server, caller, is_held: false });
    const agent = { name: caller.name, session: caller.session };
    state.ended = state.ended.map((one) => (one.id === id ? { ...one, server, agent } : one));
    state.grants = state.grants.map((grant) =>
      grant.question === id
        ? { ...grant, server, session: grant.session === null ? null : caller.session }
        : grant,
    );
    this.#changed();
    await this.memory.save();
  }

  /** Servers with open questions or grants. */
  get servers(): ReadonlySet<string> {
    const { cards, grants } = this.memory.state;
    return new Set([
      ...questionsOf(cards).map(({ server }) => server),
      ...grants.flatMap(({ server }) => (server === null ? [] : [server])),
    ]);
  }

  /** Ends expired questions. Returns the milliseconds until the next call; null for never. */
  async tick(): Promise<number | null> {
    await this.memory.loaded;
    const now = this.memory.time();
    const { state } = this.memory;
    state.ended = state.ended.filter(({ at }) => now < at + KEPT_MS);
    state.kept = state.kept.filter(({ id }) => this.find(id) !== null || this.hasEnded(id));
    await this.end(({ asked_at: asked }) => asked + QUESTION_MS <= now, TIMEOUT);
    await this.memory.saveTime();
    const asked = questionsOf(state.cards).map(({ asked_at: at }) => at);
    return asked.length === 0 ? null : Math.max(0, Math.min(...asked) + QUESTION_MS - now);
  }

  /** Ends the next question if it lacks its arguments: it comes again with them. */
  #changed(): void {
    const { front } = this;
    if (front?.question.is_stub === true) {
      const { id } = front.question;
      void this.end((question) => question.id === id, GONE);
      return;
    }
    this.onChange();
  }
}
