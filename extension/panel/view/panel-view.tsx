import type { ApproveRequest } from '../../ports/requests.ts';
import { PRODUCT } from '../../words/use-texts.ts';
import { usePanel, usePanelWords } from './panel-context.ts';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ApproveState } from '../../approve/protocol.ts';
import { QuestionContext } from './call-inspector.tsx';
import { ActionsContext, NO_ACTIONS } from '../components/actions.ts';
import { useLoaded } from '../components/face-boundary.tsx';
import { later } from './later.tsx';
import { Parts } from './parts.tsx';

interface Props {
  readonly asked: ApproveState;
  readonly send: (request: ApproveRequest) => void;
  readonly iconOf: (url: string) => string;
  /** Opens an address in a tab. */
  readonly openLink: (href: string) => void;
}

/** Usually there is no question. */
const QuestionView = later(async () => (await import('../ask/question-view.tsx')).QuestionView);
const Waiting = later(async () => (await import('../ask/question-view.tsx')).Waiting);

/** Says nothing while its code is loaded. */
function Announcement({ state }: { readonly state: ApproveState }): JSX.Element | null {
  const Appeared = useLoaded('announcement', async () => (await import('../ask/question-view.tsx')).Appeared);
  return typeof Appeared === 'string' ? null : <Appeared state={state} />;
}

export function PanelView({ asked, send, iconOf, openLink }: Props): JSX.Element {
  const { state, feed } = usePanel();
  const strings = usePanelWords();
  const { question, takeover } = asked;
  const isIdle = question === null && takeover === null;
  const tools = feed.upstreams.unaccepted.value;
  const card = useRef<HTMLDivElement>(null);
  const showQuestion = (): void => card.current?.querySelector<HTMLElement>('h1')?.focus();
  return (
    <>
      <header>
        <img src="/icons/48.png" width="20" height="20" alt="" />
        <span class="product">{PRODUCT}</span>
        {/* On an existing line: the parts stay in place whether something waits or not. */}
        {isIdle && <h1>{tools === 0 ? strings.nothing : strings.parts.unacceptedTools(tools)}</h1>}
        {question === null ? (
          <span class={state.isConnected ? 'link on' : 'link'} role="status">
            {state.isConnected ? strings.connected : strings.disconnected}
          </span>
        ) : (
          <Waiting state={asked} />
        )}
        {!state.isPanel && <p class="only-shows">{strings.onlyShows}</p>}
      </header>
      <p class="unseen" role="status">
        {!isIdle && <Announcement state={asked} />}
      </p>
      {!isIdle && (
        <div class="asked" ref={card}>
          <QuestionView state={asked} send={send} iconOf={iconOf} isNextToPage={state.isPanel} />
        </div>
      )}
      <ActionsContext.Provider value={{ ...NO_ACTIONS, openLink }}>
        <QuestionContext.Provider value={question === null ? null : showQuestion}>
          <Parts isMain={isIdle} />
        </QuestionContext.Provider>
      </ActionsContext.Provider>
    </>
  );
}
