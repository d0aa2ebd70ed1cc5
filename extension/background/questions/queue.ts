import { SpillwayError } from '../../../shared/errors.ts';
import type { CallFacts } from '../../../shared/policy/call-facts.ts';
import type { Need } from '../policy/approvals.ts';
import { ARGUMENT_UNITS, MOST_ARGUMENTS, MOST_CARDS, MOST_CARDS_OF_ALL, MOST_QUESTIONS } from './bounds.ts';
import type { Card, Question } from './state.ts';

/** A need of a call that the server has described. */
export type AskedNeed = Need & { readonly call: CallFacts };

/** What makes questions one card: the same agent wants the same of the same site. */
const keyOf = ({
  server,
  caller,
  call,
  risks,
  origin,
}: Pick<AskedNeed, 'server' | 'caller' | 'call' | 'risks' | 'origin'>): string =>
  JSON.stringify([server, caller.session, call.tool, risks.toSorted(), origin]);

const isOf =
  ({ server, caller }: Need) =>
  ({ questions: [first] }: Card): boolean =>
    first?.server === server && first.caller.session === caller.session;

/** The open question of the same need of the same call: a call that is performed again asks nothing new. */
export function findSame(cards: readonly Card[], need: AskedNeed): Question | null {
  const card = cards.find(({ key }) => key === keyOf(need));
  const same = card?.questions.find(
    ({ call, document_id: document, tab_id: tab, url, is_alone: isAlone }) =>
      isAlone === (need.isAlone === true) &&
      call.call_id === need.call.call_id &&
      call.args_hash === need.call.args_hash &&
      document === need.documentId &&
      tab === need.tabId &&
      url === need.url,
  );
  return same ?? null;
}

/** What makes a question of a need. */
interface Raised {
  readonly id: string;
  readonly now: number;
  readonly canRemember: boolean;
  readonly isHeld?: boolean;
}

/**
 * The cards with one more question, at the end of the card of its kind.
 *
 * @throws SpillwayError `too_many_pending` for an agent that asks too much
 */
export function withQuestion(
  cards: readonly Card[],
  need: AskedNeed,
  { id, now, canRemember, isHeld = false }: Raised,
): Card[] {
  const key = keyOf(need);
  const own = cards.filter(isOf(need));
  const open = own.reduce((sum, { questions }) => sum + questions.length, 0);
  const known = cards.find((card) => card.key === key);
  const isFull =
    open >= MOST_QUESTIONS ||
    (known === undefined && (own.length >= MOST_CARDS || cards.length >= MOST_CARDS_OF_ALL));
  if (isFull)
    throw new SpillwayError('too_many_pending', `${open} questions of this agent wait for a person.`);
  const isStub = (known?.questions.length ?? 0) >= MOST_ARGUMENTS;
  const question: Question = {
    id,
    server: need.server,
    caller: need.caller,
    call: shownFacts(need.call, isStub),
    is_stub: isStub,
    can_remember: canRemember,
    is_held: isHeld,
    home: need.home ?? null,
    is_alone: need.isAlone === true,
    risks: [...need.risks],
    url: need.url,
    origin: need.origin,
    tab_id: need.tabId,
    document_id: need.documentId,
    asked_at: now,
  };
  if (known === undefined) return [...cards, { key, questions: [question] }];
  return cards.map((card) => (card === known ? { key, questions: [...card.questions, question] } : card));
}

/** The facts with arguments that a card can show. */
function shownFacts(call: CallFacts, isStub: boolean): CallFacts {
  const isShown = !isStub && call.args !== null && JSON.stringify(call.args).length <= ARGUMENT_UNITS;
  return isShown ? call : { ...call, args: null, is_editable: false };
}

/** The cards with another question in the place of one, on the card of its kind. */
export function replaced(cards: readonly Card[], by: Question): Card[] {
  const key = keyOf(by);
  const at = cards.findIndex(({ questions }) => questions.some(({ id }) => id === by.id));
  const left = without(cards.slice(at, at + 1), ({ id }) => id === by.id).cards;
  const others = [...cards.slice(0, at), ...left, ...cards.slice(at + 1)];
  if (others.some((card) => card.key === key))
    return others.map((card) => (card.key === key ? { key, questions: [...card.questions, by] } : card));
  return [...cards.slice(0, at), { key, questions: [by] }, ...left, ...cards.slice(at + 1)];
}

/** The cards without the questions that `isOver` names, those questions, and the keys of the cards that had them. */
export function without(
  cards: readonly Card[],
  isOver: (question: Question, card: Card) => boolean,
): { readonly cards: Card[]; readonly removed: Question[]; readonly touched: ReadonlySet<string> } {
  const removed: Question[] = [];
  const touched = new Set<string>();
  const left = cards.flatMap((card) => {
    const questions = card.questions.filter((question) => {
      const isRemoved = isOver(question, card);
      if (isRemoved) {
        removed.push(question);
        touched.add(card.key);
      }
      return !isRemoved;
    });
    return questions.length === 0 ? [] : [{ key: card.key, questions }];
  });
  return { cards: left, removed, touched };
}

/** The cards with these behind all others. */
export const lastOf = (cards: readonly Card[], keys: ReadonlySet<string>): Card[] => [
  ...cards.filter(({ key }) => !keys.has(key)),
  ...cards.filter(({ key }) => keys.has(key)),
];

/** The cards as a person sees them: without what the clients of agents ask. */
export const shownCards = (cards: readonly Card[]): Card[] =>
  without(cards, ({ is_held: isHeld }) => isHeld).cards;

export const countQuestions = (cards: readonly Card[]): number =>
  cards.reduce((sum, { questions }) => sum + questions.length, 0);
