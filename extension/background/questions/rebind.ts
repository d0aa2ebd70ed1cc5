import type { Need } from '../policy/approvals.ts';
import { replaced } from './queue.ts';
import type { QuestionState } from './state.ts';

/** Makes a question another server's and session's, open or ended, with the grants that came of it. */
export function rebind(
  state: QuestionState,
  id: string,
  { server, caller }: Pick<Need, 'server' | 'caller'>,
): void {
  const open = state.cards.flatMap(({ questions }) => questions).find((one) => one.id === id);
  // Its client does not ask any longer: that was the other session's.
  if (open !== undefined) state.cards = replaced(state.cards, { ...open, server, caller, is_held: false });
  const agent = { name: caller.name, session: caller.session };
  state.ended = state.ended.map((one) => (one.id === id ? { ...one, server, agent } : one));
  state.grants = state.grants.map((grant) =>
    grant.question === id
      ? { ...grant, server, session: grant.session === null ? null : caller.session }
      : grant,
  );
}
