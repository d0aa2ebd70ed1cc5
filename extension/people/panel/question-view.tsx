import type { ApproveState } from '../protocol.ts';
import type { HumanAsk } from '../../../shared/people/takeover.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { useLoaded } from '../../ui/face-boundary.tsx';
import { PressButton } from './press-button.tsx';
import { headingOf, QuestionCard, type QuestionCardProps } from './question-card.tsx';
import { RequestCard, TakeoverCard, type TakeoverCardProps, TimeLeft, useReply } from './request-card.tsx';
import { useCardWords } from '../../ui/words/en/card.ts';

interface QuestionViewProps extends Pick<QuestionCardProps, 'send' | 'isNextToPage' | 'children'> {
  readonly state: ApproveState;
}

/** The current question and take-over, with a note about deciding here. */
export function QuestionView({ state, send, children, ...card }: QuestionViewProps) {
  const { question, takeover, token, refused, isDebuggingCancelled } = state;
  const { card: words } = useCardWords();
  if (question === null && takeover === null) return null;
  const decides = token !== null || (takeover !== null && takeover.token !== null);
  const why = Object.entries(words.refused).find(([reason]) => reason === refused)?.[1];
  return (
    <>
      {refused !== null && (
        <p class="banner" role="alert">
          {why ?? words.refusedOther}
        </p>
      )}
      {isDebuggingCancelled && (
        <div class="banner" role="alert">
          <p>{words.debuggingCancelled}</p>
          {decides && (
            <button id="allow-debugging" type="button" onClick={() => send({ type: 'allow_debugging' })}>
              {words.allowDebugging}
            </button>
          )}
        </div>
      )}
      {!decides && (
        <div class="banner" role="status">
          <p>{words.onlyShows}</p>
          <button type="button" onClick={() => send({ type: 'show_window' })}>
            {words.showWindow}
          </button>
        </div>
      )}
      {question !== null && (
        <QuestionCard key={question.id} question={question} token={token} send={send} {...card}>
          {children}
        </QuestionCard>
      )}
      {takeover !== null && (
        <RequestView
          key={takeover.id}
          takeover={takeover}
          send={send}
          isSecond={question !== null}
          {...card}
        />
      )}
    </>
  );
}

/** An agent's question, or a tab to take over. */
function RequestView(card: TakeoverCardProps) {
  const { ask } = card.takeover;
  return ask === null ? <TakeoverCard {...card} /> : <LazyAskCard {...card} ask={ask} />;
}

/** Agents' questions are rare: their code is loaded with the first one. */
function LazyAskCard({ ask, ...card }: TakeoverCardProps & { readonly ask: HumanAsk }) {
  const Ask = useLoaded('card of a question', async () => (await import('./ask-card.tsx')).AskCard);
  if (Ask === 'loading') return null;
  return Ask === 'failed' ? <FailedCard {...card} /> : <Ask {...card} ask={ask} />;
}

/** A question without its form: the extension may have been updated under the page. */
function FailedCard(card: TakeoverCardProps) {
  const { ask: words } = useCardWords();
  const bar = (
    <PressButton {...useReply(card)('decline')} id="ask-no" class="wide">
      {words.decline}
    </PressButton>
  );
  return (
    <RequestCard {...card} words={words} bar={bar}>
      <p class="problem" role="alert">
        {words.notLoaded}
      </p>
      <button type="button" class="plain" onClick={() => location.reload()}>
        {words.again}
      </button>
    </RequestCard>
  );
}

/** Who asks what, for those who do not see the card. */
export function Appeared({ state }: { readonly state: ApproveState }) {
  const { question, takeover } = state;
  const words = useCardWords();
  const { card } = words;
  const { agent } = question ?? takeover ?? {};
  if (agent === undefined) return null;
  const other = takeover?.ask === null ? words.takeover : words.ask;
  return (
    <>
      {card.appeared({
        agent: reveal(agent.name),
        ask: question === null ? other.title : headingOf(question, words).ask,
      })}
    </>
  );
}

/** How many questions wait, and how long this one stays. */
export function Waiting({ state: { question, more } }: { readonly state: ApproveState }) {
  const { card } = useCardWords();
  if (question === null) return null;
  return (
    <ul class="waiting">
      {question.count > 1 && <li class="count">{card.count({ count: question.count })}</li>}
      {more > 0 && <li>{card.more({ count: more })}</li>}
      <TimeLeft endsAt={question.endsAt} />
    </ul>
  );
}
