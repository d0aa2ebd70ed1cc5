import type { ApproveRequest } from '../ports/requests.ts';
import { useTexts } from '../words/use-texts.ts';
import type { JSX } from 'preact';
import type { ApproveState } from './protocol.ts';
import { QuestionView, Waiting } from '../panel/ask/question-view.tsx';
import { cardTexts } from '../words/card.ts';

interface Props {
  readonly state: ApproveState;
  readonly send: (request: ApproveRequest) => void;
  /** Asks for notifications; null if they are allowed. */
  readonly onNotify: (() => void) | null;
  /** Address of a page's icon. */
  readonly iconOf: (url: string) => string;
}

export function ApproveView({ state, send, onNotify, iconOf }: Props): JSX.Element {
  const strings = useTexts(cardTexts);
  const { card } = strings;
  const isAsked = state.question !== null || state.takeover !== null;
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
        <Waiting state={state} />
      </header>
      {!isAsked ? (
        <main class="empty">
          <h1>{card.nothing}</h1>
          <p class="quiet">{card.nothingDetail}</p>
          {notify}
        </main>
      ) : (
        <QuestionView state={state} send={send} iconOf={iconOf}>
          {notify}
        </QuestionView>
      )}
    </>
  );
}
