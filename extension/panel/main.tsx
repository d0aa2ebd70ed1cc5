import '../ports/zod-setup.ts';
import { render } from 'preact';
import browser, { type Runtime } from 'webextension-polyfill';
import type { ApproveState } from '../approve/protocol.ts';
import { connectQuestions, iconOf } from '../approve/questions-port.ts';
import { english as cardStrings } from '../approve/words/strings.ts';
import { logMalformed } from '../ports/read-message.ts';
import { PANEL_PORT, PanelState, type PanelRequest } from './protocol.ts';
import { PanelView } from './view/panel-view.tsx';
import { english } from './words/strings.ts';

const root = document.getElementById('panel');
let asked: ApproveState | null = null;
let state: PanelState | null = null;
let port: Runtime.Port | null = null;

const send = connectQuestions((now) => {
  const isNew =
    (now.question !== null && now.question.id !== asked?.question?.id) ||
    (now.takeover !== null && now.takeover.id !== asked?.takeover?.id);
  const decides = now.token !== null || (now.takeover !== null && now.takeover.token !== null);
  asked = now;
  show();
  // The panel of a window that is minimised shows it to nobody.
  if (isNew && decides && document.visibilityState === 'hidden') send({ type: 'show_window' });
});

/** A worker that was ended is started again by connecting to it. */
function connect(): void {
  port = browser.runtime.connect({ name: PANEL_PORT });
  port.onMessage.addListener((message) => {
    const parsed = PanelState.safeParse(message);
    if (!parsed.success) return logMalformed(PANEL_PORT, parsed.error);
    state = parsed.data;
    show();
  });
  port.onDisconnect.addListener(connect);
}

function request(wanted: PanelRequest): void {
  port?.postMessage(wanted);
}

function show(): void {
  if (root === null || asked === null || state === null) return;
  render(
    <PanelView
      asked={asked}
      state={state}
      cardStrings={cardStrings}
      strings={english}
      send={send}
      request={request}
      onRules={() => void browser.runtime.openOptionsPage()}
      iconOf={iconOf}
    />,
    root,
  );
}

connect();
