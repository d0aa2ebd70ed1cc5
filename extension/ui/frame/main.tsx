import browser from 'webextension-polyfill';
import { useRef } from 'preact/hooks';
import type { PanelRequest } from '../../people/requests-port.ts';
import type { ApproveState } from '../../people/protocol.ts';
import { connectQuestions } from '../../people/panel/questions-port.ts';
import { connectWorker } from '../../core/ports/from-worker.ts';
import { speak } from '../words/speak.ts';
import { PanelFeed } from './panel-feed.ts';
import { FEED_PORT, PANEL_PORT, type PanelState } from './protocol.ts';
import { type Look, PanelContext, usePanel, later } from './panel-context.tsx';
import { followTheme } from '../theme/theme.ts';
import { PRODUCT } from '../words/use-texts.ts';
import { QuestionContext } from './call-face.tsx';
import { ActionsContext, NO_ACTIONS } from '../kit.tsx';
import { useLoaded } from '../face-boundary.tsx';
import { Parts } from './parts.tsx';

/** Usually there is no question. */
const QuestionView = later(async () => (await import('../../people/panel/question-view.tsx')).QuestionView);
const Waiting = later(async () => (await import('../../people/panel/question-view.tsx')).Waiting);

/** Says nothing while its code is loaded. */
function Announcement({ state }: { readonly state: ApproveState }) {
  const Appeared = useLoaded(
    'announcement',
    async () => (await import('../../people/panel/question-view.tsx')).Appeared,
  );
  return typeof Appeared === 'string' ? null : <Appeared state={state} />;
}

function PanelView({ asked }: { readonly asked: ApproveState }) {
  const { state, feed, strings } = usePanel();
  const { question, takeover } = asked;
  const isConnected = state.own.link.kind === 'connected';
  const isIdle = question === null && takeover === null;
  const asking = feed.runs.asking.value;
  const tools = feed.upstreams.unaccepted.value;
  const others = tools === 0 ? strings.nothing : strings.parts.unacceptedTools({ count: tools });
  const card = useRef<HTMLDivElement>(null);
  const showQuestion = (): void => card.current?.querySelector<HTMLElement>('h1')?.focus();
  return (
    <>
      <header>
        <img src="/icons/48.png" width="20" height="20" alt="" />
        <span class="product">{PRODUCT}</span>
        {/* On an existing line: the parts stay in place whether something waits or not. */}
        {isIdle && (
          <h1 class="quiet">{asking === 0 ? others : strings.parts.askingRuns({ count: asking })}</h1>
        )}
        {question === null ? (
          <span class={`link dot end quiet ${isConnected ? 'on' : ''}`} role="status">
            {isConnected ? strings.connected : strings.notConnected}
          </span>
        ) : (
          <Waiting state={asked} />
        )}
        {!state.isPanel && isIdle && <p class="notice fill">{strings.onlyShows}</p>}
      </header>
      <p class="unseen" role="status">
        {!isIdle && <Announcement state={asked} />}
      </p>
      {!isIdle && (
        <div class="asked" ref={card}>
          <QuestionView state={asked} send={send} isNextToPage={state.isPanel} />
        </div>
      )}
      <ActionsContext.Provider value={{ ...NO_ACTIONS, openLink: openTab }}>
        <QuestionContext.Provider value={question === null ? null : showQuestion}>
          <Parts isMain={isIdle} />
        </QuestionContext.Provider>
      </ActionsContext.Provider>
    </>
  );
}

let asked: ApproveState | null = null;
let state: PanelState | null = null;
let look: Look = { language: 'auto', theme: 'auto' };
const feed = new PanelFeed(() => browser.runtime.connect({ name: FEED_PORT }));

const show = speak(document.getElementById('panel'), {
  draw: () =>
    asked &&
    state && (
      <PanelContext.Provider value={{ state, feed, look, request, onRules }}>
        <PanelView asked={asked} />
      </PanelContext.Provider>
    ),
  onLanguage: (language, setting) => {
    look = { ...look, language: setting };
  },
});

const send = connectQuestions((now) => {
  const isNew =
    (now.question !== null && now.question.id !== asked?.question?.id) ||
    (now.takeover !== null && now.takeover.id !== asked?.takeover?.id);
  const decides = now.token !== null || (now.takeover !== null && now.takeover.token !== null);
  asked = now;
  show();
  // Nobody sees the panel of a minimised window.
  if (isNew && decides && document.visibilityState === 'hidden') send({ type: 'show_window' });
});

const request = connectWorker<PanelState, PanelRequest>(PANEL_PORT, (now) => {
  state = now;
  show();
});

const openTab = (url: string): void => void browser.tabs.create({ url });
const onRules = (): void => void browser.runtime.openOptionsPage();

followTheme((theme) => {
  look = { ...look, theme };
  show();
});
