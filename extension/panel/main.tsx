import type { PanelRequest } from '../ports/requests.ts';
import browser from 'webextension-polyfill';
import type { ApproveState } from '../approve/protocol.ts';
import { connectQuestions, iconOf } from './ask/questions-port.ts';
import { connectWorker } from '../ports/from-worker.ts';
import { speak } from '../words/page.ts';
import { connectFeed } from './feed/panel-feed.ts';
import { PANEL_PORT, type PanelState } from './protocol.ts';
import { PanelView } from './view/panel-view.tsx';
import { type Look, PanelContext } from './view/panel-context.ts';
import { followTheme } from '../theme/theme.ts';
import { formatIn } from '../words/format.ts';

let asked: ApproveState | null = null;
let state: PanelState | null = null;
let look: Look = { language: 'auto', theme: 'auto' };
const feed = connectFeed();

const show = speak(document.getElementById('panel'), {
  draw: () =>
    asked &&
    state && (
      <PanelContext.Provider value={{ state, feed, look, request, onRules }}>
        <PanelView
          asked={asked}
          send={send}
          iconOf={iconOf}
          openLink={(url) => void browser.tabs.create({ url })}
        />
      </PanelContext.Provider>
    ),
  onLanguage: (language, setting) => {
    look = { ...look, language: setting };
    formatIn(language, browser.i18n.getUILanguage());
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

const onRules = (): void => void browser.runtime.openOptionsPage();

followTheme((theme) => {
  look = { ...look, theme };
  show();
});
