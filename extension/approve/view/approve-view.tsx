import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApproveRequest, ApproveState } from '../protocol.ts';
import type { Strings } from '../words/strings.ts';
import { QuestionCard } from './question-card.tsx';

interface Props {
  readonly state: ApproveState;
  readonly strings: Strings;
  readonly send: (request: ApproveRequest) => void;
  /** Asks for notifications; null where they are allowed. */
  readonly onNotify: (() => void) | null;
  /** Address of the icon of a page. */
  readonly iconOf: (url: string) => string;
}

/** What is asked now, or that nothing is. */
export function ApproveView({ state, strings, send, onNotify, iconOf }: Props): JSX.Element {
  const { card } = strings;
  const { question, token, refused } = state;
  const notify = onNotify !== null && (
    <button type="button" class="plain notify" onClick={onNotify}>
      {card.notify}
    </button>
  );
  return (
    <>
      <header>
        <img src="/icons/48.png" width="20" height="20" alt="" />
        <span class="product">{card.title}</span>
        <Waiting state={state} strings={strings} />
      </header>
      {question === null ? (
        <main class="empty">
          <h1>{card.nothing}</h1>
          <p class="quiet">{card.nothingDetail}</p>
          {notify}
        </main>
      ) : (
        <>
          {refused !== null && (
            <p class="banner" role="alert">
              {Object.entries(card.refused).find(([reason]) => reason === refused)?.[1] ?? card.refusedOther}
            </p>
          )}
          {token === null && (
            <div class="banner" role="status">
              <p>{card.onlyShows}</p>
              <button type="button" onClick={() => send({ type: 'show_window' })}>
                {card.showWindow}
              </button>
            </div>
          )}
          <QuestionCard
            key={question.id}
            question={question}
            token={token}
            strings={strings}
            send={send}
            iconOf={iconOf}
          >
            {notify}
          </QuestionCard>
        </>
      )}
    </>
  );
}

/** How many questions there are, and how long this one is there. */
function Waiting({
  state: { question, more },
  strings,
}: Pick<Props, 'state' | 'strings'>): JSX.Element | null {
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
