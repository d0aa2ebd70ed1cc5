import { isObject, canonicalJson, type JsonObject } from '../../../shared/base/json.ts';
import type { ShownElements } from '../../core/ports/shown-element.ts';
import type { Decision } from '../../../shared/core/policy/decision.ts';
import type { AnswerRefusal } from '../../../shared/people/question-methods.ts';
import { INERT_MS } from '../protocol.ts';
import type { ApproveRequest, TakeoverRequest } from '../requests-port.ts';
import type { Question } from './queue.ts';
import { grantIdOf } from './chosen-files.ts';
import { grantOf, reaches, rulesOf, scopesOf } from './grants.ts';
import { sha256 } from '../../core/sha256.ts';
import type { QuestionMemory } from './ledger-reports.ts';
import type { Questions } from './questions.ts';
import { endOf, type Takeovers } from './takeover/takeovers.ts';
import { showTab } from './takeover/watch-tabs.ts';
import type { PolicyStore } from './store.ts';

type DecideRequest = Extract<ApproveRequest, { type: 'decide' }>;

/** The card that a page showed last, and its proof. */
export interface Shown {
  readonly id: string;
  readonly token: string;
  readonly where: 'window' | 'side_panel';
  /** Null while the page is asked. */
  readonly elements: ShownElements | null;
  /** By `performance.now()`, so that changing the clock does not make buttons live. */
  readonly at: number;
}

export interface DecisionsOptions {
  readonly questions: Questions;
  readonly takeovers: Takeovers;
  readonly memory: QuestionMemory;
  /** Writes the rule for `always`. */
  readonly remember: (question: Question) => Promise<void>;
  readonly monotonicNow: () => number;
}

/**
 * Accepts decisions of the window and of side panels. Replayed, forged, early or late ones are rejected and recorded.
 */
export class Decisions {
  constructor(private readonly options: DecisionsOptions) {}

  /**
   * Accepts a decision, or rejects it with a reason.
   * @param shown the card that its page showed last; null for a page without decisions
   */
  async take(
    request: DecideRequest | TakeoverRequest,
    shown: Shown | null,
  ): Promise<AnswerRefusal['reason'] | null> {
    const { questions, takeovers } = this.options;
    await takeovers.loaded;
    const id = request.type === 'decide' ? request.question : request.takeover;
    const reason = shown === null ? 'not_the_window' : this.#fault(request, id, shown);
    if (shown === null || reason !== null) {
      await questions.refuse(reason ?? 'not_the_window', id);
      return reason;
    }
    if (request.type === 'decide') await this.#decide(request, shown);
    else await this.#endTakeover(request, shown);
    return null;
  }

  #fault(request: DecideRequest | TakeoverRequest, id: string, shown: Shown): AnswerRefusal['reason'] | null {
    const { questions, takeovers, monotonicNow } = this.options;
    const question = questions.find(id);
    const front = request.type === 'decide' ? questions.front?.question.id : takeovers.front?.id;
    if (question === null && takeovers.find(id) === null)
      return request.type === 'takeover' || questions.hasEnded(id) ? 'already_ended' : 'no_such_question';
    if (front !== id || shown.id !== id) return 'not_shown';
    if (shown.token !== request.token) return 'wrong_token';
    if (shown.elements === null || monotonicNow() - shown.at < INERT_MS) return 'too_early';
    return request.type === 'decide' && question !== null ? scopeFault(request.answer, question) : null;
  }

  async #endTakeover(
    { takeover: id, act, answer, reason }: TakeoverRequest,
    { where }: Shown,
  ): Promise<void> {
    const { takeovers } = this.options;
    const why = { where, reason: reasonOf(reason) ?? null };
    await takeovers.see(id);
    if (act === 'show') await showTab(takeovers.find(id)?.tab_id ?? -1);
    else if (act === 'done') await takeovers.end(id, endOf('done', { by: 'person', answer, ...why }));
    else await takeovers.end(id, endOf('declined', why));
  }

  async #decide({ question: id, answer }: DecideRequest, shown: Shown): Promise<void> {
    const { questions } = this.options;
    const { front } = questions;
    if (front?.question.id !== id) return;
    if (answer.approve) return this.#approve(front.question, answer, shown);
    // A no applies to everything on the card.
    const decision: Decision = { approve: false, where: shown.where, reason: reasonOf(answer.reason) };
    await questions.decide(new Set(front.card.questions.map((one) => one.id)), decision);
  }

  async #approve(
    question: Question,
    { scope, args }: Extract<DecideRequest['answer'], { approve: true }>,
    { where, elements }: Shown,
  ): Promise<void> {
    const { questions, memory, remember } = this.options;
    const edited = args !== undefined && !isShownArguments(args, question.call.args) ? args : undefined;
    const argsHash = edited === undefined ? question.call.args_hash : await sha256(canonicalJson(edited));
    if (scope === 'always') await remember(question);
    // The tab may have been navigated meanwhile, which has ended the question.
    if (questions.find(question.id) === null) return;
    // Its call finds the files of the card by it.
    const id = grantIdOf(question.id);
    const grant = grantOf(question, {
      id,
      scope,
      where,
      argsHash,
      elements: elements ?? {},
      now: memory.time(),
    });
    questions.grants.add(grant);
    questions.rememberScope(question, scope);
    const decision: Decision = { approve: true, scope, where, grant: id };
    // Edits apply to the call that was shown; an approval of one call permits that call.
    await questions.decide(new Set([question.id]), { ...decision, args: edited });
    if (scope !== 'once') await questions.decide(questions.shownIds(reaches(grant)), decision);
  }
}

function scopeFault(answer: DecideRequest['answer'], question: Question): AnswerRefusal['reason'] | null {
  if (!answer.approve) return null;
  if (question.call.args === null) return 'not_shown';
  if (!scopesOf(question).includes(answer.scope)) return 'scope_not_offered';
  return answer.args !== undefined && !question.call.is_editable ? 'not_editable' : null;
}

const reasonOf = (text: string | undefined): string | undefined => text?.trim() || undefined;

const isShownArguments = (args: JsonObject, shown: unknown): boolean =>
  isObject(shown) && canonicalJson(args) === canonicalJson(shown);

/** Writes `always` as a person's rules: this agent, this site, this kind of act, and text of these sites. */
export const rememberAsRule = (
  store: Pick<PolicyStore, 'change'>,
  { caller, origin, risks, sources }: Question,
): Promise<void> =>
  store.change((stored) => ({
    ...stored,
    rules: [
      ...stored.rules,
      ...rulesOf({ agent: caller.name, origin, risks, sources }).map((rule) => ({
        id: `person-${crypto.randomUUID()}`,
        ...rule,
      })),
    ],
  }));
