import { z } from 'zod';
import { Risk } from '../../../shared/core/policy/risks.ts';
import { Caller, CallFacts } from '../../../shared/core/policy/call-facts.ts';
import { Grant, Scope } from '../../../shared/core/policy/decision.ts';
import { QuestionOutcome, AnswerRefusal } from '../../../shared/people/question-methods.ts';
import { LedgerReport } from '../../../shared/ledger/report.ts';
import { ShownElement } from '../../core/ports/shown-element.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { Need } from '../../core/policy/call-policy.ts';

export const QUESTION_MS = 10 * 60_000;
/** How long an outcome waits for its server, and an approval for its call. */
export const KEPT_MS = 10 * 60_000;
/** Duration of `site_hour`. */
export const HOUR_MS = 60 * 60_000;
/** How long the questions and grants of a disconnected server are kept: a restarting worker is faster. */
export const ABSENT_MS = 60_000;

/** Shortest time until a closed window opens again for the same kind of question. */
export const DISMISSED_MS = 30_000;

/** Open questions of one agent; more are rejected. */
const MAX_QUESTIONS = 2_000;
/** Kinds of questions of one agent, and of all. */
const MAX_CARDS = 20;
const MAX_CARDS_OF_ALL = 50;
/** Questions of a card whose arguments are kept; `storage.session` holds 10 MB. */
const MAX_ARGUMENTS = 2;
/** Outcomes and refusals that are remembered; the oldest are forgotten. */
export const MAX_ENDED = 3_000;
export const MAX_REFUSED = 100;
export const MAX_GRANTS = 500;
/** Waiting reports to the ledger: slightly more than one no can decide. */
export const MAX_REPORTS_KEPT = 2_500;

/** A question about one need of one call. */
export const Question = z.object({
  id: z.string(),
  /** Instance of the server. */
  server: z.string(),
  caller: Caller,
  call: CallFacts,
  /** Its arguments were dropped because too many questions wait: it comes again with them in its turn. */
  is_stub: z.boolean(),
  /** A person's rule can answer it next time: it was not raised by a server's flag. */
  can_remember: z.boolean(),
  /** The agent's own client asks: no window shows it until the server passes it to the person at the browser. */
  is_held: z.boolean().default(false),
  /** The server's home, whose next server may take the reports to the ledger. */
  home: z.string().nullable().default(null),
  /** Only an approval of this very call counts. */
  is_alone: z.boolean().default(false),
  /** The steps for which the person chooses files. */
  chosen: z.array(z.int()).default([]),
  /** The tab is a person's: an approval is for this tab alone. */
  is_lent: z.boolean().default(false),
  risks: z.array(Risk).min(1),
  /** Sites whose text would come to `origin`. */
  sources: z.array(z.string()).default([]),
  url: z.string(),
  origin: z.string(),
  tab_id: z.int().nullable(),
  document_id: z.string().nullable(),
  asked_at: z.number(),
});
export type Question = z.infer<typeof Question>;

/** Questions of one kind from one agent about one site, oldest first: a person sees them as one. */
export const Card = z.object({ key: z.string(), questions: z.array(Question).min(1) });
export type Card = z.infer<typeof Card>;

/** A grant, and the call that has used it if it is good for one. */
export const HeldGrant = Grant.extend({
  question: z.string(),
  home: z.string().nullable().default(null),
  elements: z.record(z.string(), ShownElement).default({}),
  /** The call that asked for a loan; null for a tab that the person gave by themselves. */
  asked_by: z.string().nullable().default(null),
  /** The loan of the tab that has opened this one: they end together. */
  lent_with: z.string().nullable().default(null),
  /** The address on the card, for a grant limited to a document. */
  url: z.string().nullable().default(null),
  used: z.object({ call_id: z.string(), at: z.number() }).nullable(),
});
export type HeldGrant = z.infer<typeof HeldGrant>;

/** A question that has ended. */
const Ended = z.object({
  id: z.string(),
  server: z.string(),
  at: z.number(),
  outcome: QuestionOutcome,
  home: z.string().nullable().default(null),
  agent: z.object({ name: z.string(), session: z.string() }).default({ name: '', session: '' }),
  risks: z.array(Risk).default([]),
  site: z.string().nullable().default(null),
});

/** A report that no server has acknowledged. */
const WaitingReport = z.object({ home: z.string().nullable(), report: LedgerReport });
export type WaitingReport = z.infer<typeof WaitingReport>;

/** A question that outlives its server, and the proof that another server may have it. */
const KeptQuestion = z.object({ id: z.string(), key_hash: z.string() });

/** An entry that cannot be read is lost alone: what it allowed is asked again. */
const readable = <Entry extends z.ZodType>(schema: Entry) =>
  z
    .array(z.unknown())
    .default(() => [])
    .transform((entries) =>
      entries.flatMap((entry): z.output<Entry>[] => {
        const read = schema.safeParse(entry);
        return read.success ? [read.data] : [];
      }),
    );

/** Everything that a restarted worker has to know. */
export const QuestionState = z.object({
  cards: readable(Card),
  grants: readable(HeldGrant),
  ended: readable(Ended),
  refused: readable(AnswerRefusal),
  kept: readable(KeptQuestion),
  scopes: z.record(z.string(), Scope).default(() => ({})),
  /** Reports to the ledger that no server has acknowledged, oldest first. */
  reports: readable(WaitingReport),
  /** The latest time seen: an earlier clock was set back. */
  latest: z.number().default(0),
  /** The window that was opened to ask in. */
  window: z.object({ id: z.int(), tab_id: z.int() }).nullable().default(null),
  /** Kinds of questions when a person closed the window: it does not open again for them. */
  dismissed: z.array(z.string()).default(() => []),
  /** When that was: another extension can close it, too, so it reopens for later questions. */
  dismissed_at: z.number().default(0),
});
export type QuestionState = z.infer<typeof QuestionState>;

/** A need of a call that the server has described. */
type AskedNeed = Need & { readonly call: CallFacts };

/** The same agent wants the same of the same site. */
function needKey({
  isLent = false,
  tabId,
  ...asked
}: Pick<
  AskedNeed,
  'server' | 'caller' | 'call' | 'risks' | 'origin' | 'isLent' | 'tabId' | 'sources'
>): string {
  const { server, caller, call, risks, origin, sources = [] } = asked;
  return JSON.stringify([
    ...[server, caller.session, call.tool, risks.toSorted(), origin],
    ...(isLent ? [tabId] : []),
    ...sources.toSorted(),
  ]);
}

const isOf =
  ({ server, caller }: Need) =>
  ({ questions: [first] }: Card): boolean =>
    first?.server === server && first.caller.session === caller.session;

/** The open question of the same need of the same call: a repeated call asks nothing new. */
export function findSame(cards: readonly Card[], need: AskedNeed): Question | null {
  const card = cards.find(({ key }) => key === needKey(need));
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

interface Raised {
  readonly id: string;
  readonly now: number;
  readonly canRemember: boolean;
  readonly isHeld: boolean;
}

/**
 * Adds a question at the end of its kind's card.
 * @throws SpillwayError `too_many_pending` for an agent that asks too much
 */
export function withQuestion(
  cards: readonly Card[],
  need: AskedNeed,
  { id, now, canRemember, isHeld }: Raised,
): Card[] {
  const key = needKey(need);
  const own = cards.filter(isOf(need));
  const open = questionsOf(own).length;
  const known = cards.find((card) => card.key === key);
  const isFull =
    open >= MAX_QUESTIONS ||
    (known === undefined && (own.length >= MAX_CARDS || cards.length >= MAX_CARDS_OF_ALL));
  if (isFull)
    throw new SpillwayError('too_many_pending', `${open} questions of this agent wait for a person.`);
  const isStub = (known?.questions.length ?? 0) >= MAX_ARGUMENTS;
  const question: Question = {
    id,
    server: need.server,
    caller: need.caller,
    call: isStub ? { ...need.call, args: null, is_editable: false } : need.call,
    is_stub: isStub,
    can_remember: canRemember,
    is_held: isHeld,
    home: need.home ?? null,
    is_alone: need.isAlone === true,
    chosen: [...(need.chosen ?? [])],
    is_lent: need.isLent === true,
    risks: [...need.risks],
    sources: [...(need.sources ?? [])],
    url: need.url,
    origin: need.origin,
    tab_id: need.tabId,
    document_id: need.documentId,
    asked_at: now,
  };
  if (known === undefined) return [...cards, { key, questions: [question] }];
  return cards.map((card) => (card === known ? { key, questions: [...card.questions, question] } : card));
}

/** Replaces a question on the card of its kind. */
export function replaced(cards: readonly Card[], by: Question): Card[] {
  const { is_lent: isLent, tab_id: tabId } = by;
  const key = needKey({ ...by, isLent, tabId });
  const at = cards.findIndex(({ questions }) => questions.some(({ id }) => id === by.id));
  const left = without(cards.slice(at, at + 1), ({ id }) => id === by.id).cards;
  const others = [...cards.slice(0, at), ...left, ...cards.slice(at + 1)];
  if (others.some((card) => card.key === key))
    return others.map((card) => (card.key === key ? { key, questions: [...card.questions, by] } : card));
  return [...cards.slice(0, at), { key, questions: [by] }, ...left, ...cards.slice(at + 1)];
}

/** Splits off the questions that match `isOver`: the remaining cards, those questions, and the keys of their cards. */
export function without(
  cards: readonly Card[],
  isOver: (question: Question) => boolean,
): { readonly cards: Card[]; readonly removed: Question[]; readonly touched: ReadonlySet<string> } {
  const removed: Question[] = [];
  const touched = new Set<string>();
  const left = cards.flatMap((card) => {
    const questions = card.questions.filter((question) => {
      const isRemoved = isOver(question);
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

/** Moves these cards to the end. */
export const lastOf = (cards: readonly Card[], keys: ReadonlySet<string>): Card[] => [
  ...cards.filter(({ key }) => !keys.has(key)),
  ...cards.filter(({ key }) => keys.has(key)),
];

/** The cards without questions of agents' clients. */
export const shownCards = (cards: readonly Card[]): Card[] =>
  without(cards, ({ is_held: isHeld }) => isHeld).cards;

export const questionsOf = (cards: readonly Card[]): Question[] =>
  cards.flatMap(({ questions }) => questions);
