import { MOST_REPORTS_KEPT } from './bounds.ts';
import type { WaitingReport } from './state.ts';

/** As many as are kept. What people decided is kept before ends of questions, of which an agent can make any number. */
export function keptReports(reports: WaitingReport[]): WaitingReport[] {
  if (reports.length <= MOST_REPORTS_KEPT) return reports;
  const isEnd = ({ report }: WaitingReport): boolean => report.kind === 'question_end';
  const others = reports.filter((one) => !isEnd(one)).slice(-MOST_REPORTS_KEPT);
  const ends = MOST_REPORTS_KEPT - others.length;
  const kept = new Set([...others, ...(ends === 0 ? [] : reports.filter(isEnd).slice(-ends))]);
  return reports.filter((one) => kept.has(one));
}
