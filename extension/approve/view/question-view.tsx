import type { ComponentChildren, JSX } from 'preact';
import type { ApproveRequest, ApproveState } from '../protocol.ts';
import type { Strings } from '../words/strings.ts';
import { QuestionCard } from './question-card.tsx';

interface Props {
  readonly state: ApproveState;
  readonly strings: Strings;
  readonly send: (request: ApproveRequest) => void;
  readonly iconOf: (url: string) => string;
  /** The page is next to what the person works in: a click that brings the focus to it is meant for it. */
  readonly isNextToPage?: boolean;
  /** Comes last, before the buttons. */
  readonly children?: ComponentChildren;
}

/** The question that is asked now, with what is to be said about deciding here. */
export function QuestionView({
  state: { question, token, refused },
  strings,
  send,
  children,
  ...card
}: Props): JSX.Element | null {
  const { card: words } = strings;
  if (question === null) return null;
  const why = Object.entries(words.refused).find(([reason]) => reason === refused)?.[1];
  return (
    <>
      {refused !== null && (
        <p class="banner" role="alert">
          {why ?? words.refusedOther}
        </p>
      )}
      {token === null && (
        <div class="banner" role="status">
          <p>{words.onlyShows}</p>
          <button type="button" onClick={() => send({ type: 'show_window' })}>
            {words.showWindow}
          </button>
        </div>
      )}
      <QuestionCard
        key={question.id}
        question={question}
        token={token}
        strings={strings}
        send={send}
        {...card}
      >
        {children}
      </QuestionCard>
    </>
  );
}
