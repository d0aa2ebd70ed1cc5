import { takeoverRig } from '../takeover/takeover-rig.ts';
import { Decisions, type Shown } from '../../../../extension/people/worker/decisions.ts';
import { HeldQuestions } from '../../../../extension/people/worker/held-questions.ts';
import type { SessionStorage } from '../../../../extension/core/session-memory.ts';
import { QuestionMemory } from '../../../../extension/people/worker/ledger-reports.ts';
import { Questions } from '../../../../extension/people/worker/questions.ts';
import type { Question } from '../../../../extension/people/worker/queue.ts';
import type { Need } from '../../../../extension/core/policy/call-policy.ts';
import type { Rule } from '../../../../shared/people/policy.ts';

export const RULE: Rule = {
  id: 'default.submit',
  sites: null,
  risks: ['submit'],
  agents: null,
  effect: 'ask',
  source: 'default',
};

export const hash = (digit: string): string => digit.repeat(64);
const named = { call_id: 'c1', tool: 'interact', title: 'Interact', args_hash: hash('a') };

/** A need that differs from others only in the given members. */
export function need(
  more: Partial<Omit<Need, 'call'>> = {},
  call: Partial<NonNullable<Need['call']>> = {},
): Need {
  return {
    server: 'server-one',
    caller: { session: 's1', name: 'codex' },
    call: { ...named, args: { steps: ['click e1'] }, is_editable: true, ...call },
    risks: ['input', 'submit'],
    url: 'https://shop.example/cart',
    origin: 'https://shop.example',
    tabId: 7,
    documentId: 'D1',
    ...more,
  };
}

export class KeptState implements SessionStorage {
  kept: unknown = undefined;
  writes = 0;
  load = async (): Promise<unknown> => structuredClone(this.kept);
  save = async (state: unknown): Promise<void> => {
    this.kept = structuredClone(state);
    this.writes += 1;
  };
}

/** The questions of one worker, with a clock that the test sets. `clients` says whether clients may answer. */
export function questionsRig(
  storage = new KeptState(),
  clock: { now: number; monotonic?: number } = { now: 1_000_000 },
  clients = { areAllowed: false },
  { takeovers } = takeoverRig(),
) {
  const changes: (string | null)[] = [];
  const monotonic = (): number => clock.monotonic ?? 0;
  const memory = new QuestionMemory(storage, () => clock.now, monotonic);
  const areAllowed = (): Promise<boolean> => Promise.resolve(clients.areAllowed);
  const onChange = (): unknown => changes.push(questions.front?.question.id ?? null);
  const questions: Questions = new Questions(memory, onChange, areAllowed);
  const inherited: string[] = [];
  const onAdopt = async ({ from, to }: { from: string; to: string }): Promise<void> =>
    void inherited.push(`${from} > ${to}`);
  const held = new HeldQuestions({ questions, memory, areAllowed, onAdopt });
  const remembered: Question[] = [];
  const decisions = new Decisions({
    questions,
    takeovers,
    memory,
    remember: (question) => Promise.resolve(void remembered.push(question)),
    monotonicNow: () => clock.now,
  });
  const shown = (id: string, more: Partial<Shown> = {}): Shown => ({
    id,
    token: 'token',
    where: 'window',
    at: clock.now - 500,
    elements: {},
    ...more,
  });
  const raise = (of: Need = need(), rule = RULE): Promise<string> =>
    questions.raise(of, rule).then(({ id }) => id);
  /** A yes to the question that is shown, as its window sends it. */
  const allow = (
    id: string,
    answer: { scope?: 'once' | 'task' | 'site_hour' | 'always'; args?: { [name: string]: string[] } } = {},
  ) =>
    decisions.take(
      { type: 'decide', question: id, token: 'token', answer: { approve: true, scope: 'once', ...answer } },
      shown(id),
    );
  const deny = (id: string, reason?: string) => {
    const answer = { approve: false as const, ...(reason === undefined ? {} : { reason }) };
    return decisions.take({ type: 'decide', question: id, token: 'token', answer }, shown(id));
  };
  const seen = { changes, inherited, remembered };
  return { storage, clock, memory, questions, held, decisions, shown, raise, allow, deny, ...seen };
}
