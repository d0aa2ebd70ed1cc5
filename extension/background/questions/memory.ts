import { SessionMemory, type SessionStorage } from '../session-memory.ts';
import { MOST_ENDED, MOST_GRANTS, MOST_REFUSED, MOST_REPORTS_KEPT } from './bounds.ts';
import { emptyState, QuestionState, type WaitingReport } from './state.ts';

/** As many as are kept. What people decided is kept before ends of questions, of which an agent can make any number. */
export function keptReports(reports: WaitingReport[]): WaitingReport[] {
  if (reports.length <= MOST_REPORTS_KEPT) return reports;
  const isEnd = ({ report }: WaitingReport): boolean => report.kind === 'question_end';
  const others = reports.filter((one) => !isEnd(one)).slice(-MOST_REPORTS_KEPT);
  const ends = MOST_REPORTS_KEPT - others.length;
  const kept = new Set([...others, ...(ends === 0 ? [] : reports.filter(isEnd).slice(-ends))]);
  return reports.filter((one) => kept.has(one));
}

/** Questions, grants and outcomes of this browser, and their copy in storage. */
export class QuestionMemory extends SessionMemory<QuestionState> {
  /** @param monotonicNow a clock that nobody sets, which begins with the worker */
  constructor(storage: SessionStorage, now: () => number, monotonicNow: () => number) {
    super({ storage, clocks: { now, monotonicNow }, schema: QuestionState, empty: emptyState() });
  }

  /** All grants end: how long they have been there is not certain. */
  protected override setBack(_now: number, byMs: number): void {
    const { state } = this;
    state.grants = [];
    state.ended = state.ended.map((ended) => ({ ...ended, at: ended.at - byMs }));
    state.cards = state.cards.map(({ key, questions }) => ({
      key,
      questions: questions.map((question) => ({ ...question, asked_at: question.asked_at - byMs })),
    }));
  }

  protected override trim(): void {
    const { state } = this;
    state.ended = state.ended.slice(-MOST_ENDED);
    state.refused = state.refused.slice(-MOST_REFUSED);
    state.grants = state.grants.slice(-MOST_GRANTS);
    state.scopes = Object.fromEntries(Object.entries(state.scopes).slice(-MOST_GRANTS));
    state.reports = keptReports(state.reports);
  }

  protected override hasOpen(): boolean {
    return this.state.cards.length > 0 || this.state.grants.length > 0;
  }
}
