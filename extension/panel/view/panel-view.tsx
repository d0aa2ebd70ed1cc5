import type { JSX } from 'preact';
import type { ApproveRequest, ApproveState } from '../../approve/protocol.ts';
import { gravestOf } from '../../approve/view/question-card.tsx';
import { QuestionView } from '../../approve/view/question-view.tsx';
import { Waiting } from '../../approve/view/waiting.tsx';
import type { Strings } from '../../approve/words/strings.ts';
import { reveal } from '../../../shared/policy/reveal.ts';
import type { PanelRequest, PanelState } from '../protocol.ts';
import type { PanelStrings } from '../words/strings.ts';
import { Agents } from './agents.tsx';
import { Grants } from './grants.tsx';
import { Refusals } from './refusals.tsx';

interface Props {
  readonly asked: ApproveState;
  readonly state: PanelState;
  /** Of the cards, which the window shows, too. */
  readonly cardStrings: Strings;
  readonly strings: PanelStrings;
  readonly send: (request: ApproveRequest) => void;
  readonly request: (request: PanelRequest) => void;
  /** Opens the page that edits the rules. */
  readonly onRules: () => void;
  readonly iconOf: (url: string) => string;
}

/** What is asked, who is connected, and what they may do. */
export function PanelView({
  asked,
  state,
  cardStrings,
  strings,
  send,
  request,
  onRules,
  iconOf,
}: Props): JSX.Element {
  const { question, takeover } = asked;
  return (
    <>
      <header>
        <img src="/icons/48.png" width="20" height="20" alt="" />
        <span class="product">{cardStrings.card.title}</span>
        {question === null ? (
          <span class={state.isConnected ? 'link on' : 'link'} role="status">
            {state.isConnected ? strings.connected : strings.disconnected}
          </span>
        ) : (
          <Waiting state={asked} strings={cardStrings} />
        )}
      </header>
      <p class="unseen" role="status">
        {question !== null &&
          cardStrings.card.appeared(reveal(question.agent.name), cardStrings.asks[gravestOf(question)])}
        {question === null &&
          takeover !== null &&
          cardStrings.card.appeared(reveal(takeover.agent.name), cardStrings.takeover.title)}
      </p>
      {question === null && takeover === null ? (
        <main class="idle">
          {!state.isPanel && <p class="only-shows">{strings.onlyShows}</p>}
          <h1>{strings.nothing}</h1>
          <p class="quiet">{strings.nothingDetail}</p>
        </main>
      ) : (
        <div class="asked">
          <QuestionView
            state={asked}
            strings={cardStrings}
            send={send}
            iconOf={iconOf}
            isNextToPage={state.isPanel}
          />
        </div>
      )}
      <div class="lists">
        <Agents agents={state.agents} strings={strings} />
        <Grants grants={state.grants} strings={strings} onRevoke={state.isPanel ? revoke : null} />
        <button type="button" class="plain" onClick={onRules}>
          {strings.rules}
        </button>
        <Refusals refused={state.refused} strings={strings} />
      </div>
    </>
  );

  function revoke(grant: string): void {
    request({ type: 'revoke', grant });
  }
}
