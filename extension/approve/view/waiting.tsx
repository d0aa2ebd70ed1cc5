import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApproveState } from '../protocol.ts';
import type { Strings } from '../words/strings.ts';

interface Props {
  readonly state: ApproveState;
  readonly strings: Strings;
}

/** How many questions there are, and how long this one is there. */
export function Waiting({ state: { question, more }, strings }: Props): JSX.Element | null {
  const { card } = strings;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  if (question === null) return null;
  const minutes = Math.max(0, Math.ceil((question.endsAt - now) / 60_000));
  return (
    <ul class="waiting">
      {question.count > 1 && <li class="count">{card.count(question.count)}</li>}
      {more > 0 && <li>{card.more(more)}</li>}
      <li>{card.left(minutes)}</li>
    </ul>
  );
}
