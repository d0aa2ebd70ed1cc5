import type { ApproveRequest, TakeoverRequest } from '../requests-port.ts';
import { useClock } from '../../ui/use-clock.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ShownTakeover } from '../protocol.ts';
import { Address, hasLongHost, isLookalike } from './address.tsx';
import { Asks, PressButton, useLive, useReason } from './press-button.tsx';
import { Quoted, SentenceView } from '../../ui/quoted.tsx';
import { iconOf } from './questions-port.ts';
import { quote, type Sentence } from '../../ui/words/sentence.ts';
import { useCardWords, type CardWords } from '../../ui/words/en/card.ts';

export interface TakeoverCardProps {
  readonly takeover: ShownTakeover;
  readonly send: (request: ApproveRequest) => void;
  /** A call's question comes first, and gets the focus. */
  readonly isSecond: boolean;
  /** In the side panel, a click may only have been meant to focus the panel. */
  readonly isNextToPage: boolean;
}

interface RequestProps extends Omit<TakeoverCardProps, 'send'> {
  readonly words: Pick<CardWords['takeover'], 'title' | 'why' | 'yours'> & { readonly label?: string };
  /** Between the title and the agent's words. */
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly bar: ComponentChildren;
}

/** An agent's request, in the frame that all questions share. */
export function RequestCard({ takeover, words, isSecond, isNextToPage, about, children, bar }: RequestProps) {
  const strings = useCardWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isSecond && !isNextToPage) heading.current?.focus();
  }, []);
  // A page has one `main`.
  const Body = isSecond ? 'div' : 'main';
  const Part = isSecond ? 'section' : 'div';
  return (
    <Part class="takeover" aria-label={isSecond ? (words.label ?? words.title) : undefined}>
      <Body class="card">
        <Asks agent={takeover.agent}>{strings.takeover.asks}</Asks>
        <h1 ref={heading} tabIndex={-1}>
          {words.title}
        </h1>
        {about}
        <h2>{words.why}</h2>
        <p class="why">
          <Quoted text={takeover.message} />
        </p>
        {children}
        <p class="quiet note">{words.yours}</p>
        <ul class="waiting">
          <TimeLeft endsAt={takeover.endsAt} />
          {takeover.more > 0 && <li>{strings.takeover.more({ count: takeover.more })}</li>}
        </ul>
      </Body>
      {takeover.token !== null && <footer class="decide">{bar}</footer>}
    </Part>
  );
}

interface PageFactsProps {
  readonly url: string;
  /** Its icon is shown. */
  readonly page: string;
  readonly title: string;
  readonly container: string | undefined;
}

/** The page that a card is about, with a warning if its address is easily misread. */
export function PageFacts({ url, page, title, container }: PageFactsProps) {
  const { card } = useCardWords();
  return (
    <>
      <img src={iconOf(page)} width="20" height="20" alt="" />
      <div>
        <p>
          <Address url={url} />
        </p>
        {[[card.pageTitle, title] as const, [card.container, container] as const].map(
          ([label, text]) =>
            text && (
              <p key={label} class="quiet">
                {label} <Quoted text={text} />
              </p>
            ),
        )}
        {hasLongHost(url) && <p class="problem">{card.longHost}</p>}
        {isLookalike(url) && <p class="problem">{card.lookalike}</p>}
      </div>
    </>
  );
}

type Act = TakeoverRequest['act'];

/** The buttons of a request: each sends its act while it is live. */
export function useReply({ takeover: { id: about, token }, send, isNextToPage }: TakeoverCardProps) {
  const isLive = useLive(token ?? '', isNextToPage);
  return (act: Act, said: Pick<TakeoverRequest, 'answer' | 'reason'> = {}) => ({
    about,
    isLive,
    onPress: () => token !== null && send({ type: 'takeover', takeover: about, token, act, ...said }),
  });
}

/** A tab for a person to take over. Key it by its id, so that no state of the last one remains. */
export function TakeoverCard(request: TakeoverCardProps) {
  const { takeover } = request;
  const { takeover: words, card } = useCardWords();
  const reply = useReply(request);
  const [reasonField, reason] = useReason(card.reason);
  const id = useId();
  const button = (act: Act) => ({ ...reply(act, act === 'decline' ? reason : {}), id: `takeover-${act}` });
  return (
    <RequestCard
      {...request}
      words={words}
      about={
        <div class="place box">
          <PageFacts
            url={takeover.url}
            page={takeover.url}
            title={takeover.title}
            container={takeover.container}
          />
        </div>
      }
      bar={
        <>
          <PressButton {...button('show')} class="wide">
            {words.show}
          </PressButton>
          {reasonField}
          <div class="buttons">
            <PressButton {...button('decline')}>{words.decline}</PressButton>
            <PressButton {...button('done')} class="allow" ignoresEnter aria-describedby={`${id}-space`}>
              {words.done}
            </PressButton>
          </div>
          <p id={`${id}-space`} class="quiet space">
            {words.space}
          </p>
        </>
      }
    >
      <h2>{words.doneWhen}</h2>
      <ul class="risks">
        {describeUntil(takeover.until, words.until).map((sentence, at) => (
          <li key={at}>
            <SentenceView sentence={sentence} />
          </li>
        ))}
      </ul>
    </RequestCard>
  );
}

export function TimeLeft({ endsAt }: { readonly endsAt: number }) {
  const { card } = useCardWords();
  const now = useClock(true, 10_000);
  return <li>{card.left({ count: Math.ceil((endsAt - now) / 60_000) })}</li>;
}

const NAMES = ['text', 'text_gone', 'target', 'target_gone', 'url'] as const;

/** How a take-over ends, in words: by a state of the page, and by the person's click. */
function describeUntil(until: ShownTakeover['until'], words: CardWords['takeover']['until']): Sentence[] {
  if (until === null) return [words.click()];
  const holds = NAMES.flatMap((name): Sentence[] => {
    const wanted = until[name];
    return wanted === undefined ? [] : [words[name]({ what: quote(wanted) })];
  });
  if (until.moved === true) holds.push(words.moved());
  const join = (until.mode === 'any' ? words.any : words.all)();
  return [...holds.map((one, at) => (at === 0 ? one : [...join, ...one])), words.orClick()];
}
