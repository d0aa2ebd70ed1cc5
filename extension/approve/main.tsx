import { render } from 'preact';
import browser from 'webextension-polyfill';
import type { ApproveState } from './protocol.ts';
import { connectQuestions, iconOf } from '../panel/ask/questions-port.ts';
import { WordsContext } from '../words/use-texts.ts';
import { ApproveView } from './approve-view.tsx';
import type { Language } from '../words/languages.ts';
import { onLanguage } from '../words/setting.ts';
import { followTheme } from '../theme/theme.ts';

const NOTIFICATIONS = { permissions: ['notifications' as const] };

const root = document.getElementById('approve');
let state: ApproveState | null = null;
let canNotify = true;
let language: Language = 'en';

const send = connectQuestions((now) => {
  state = now;
  show();
});

function show(): void {
  if (root === null || state === null) return;
  render(
    <WordsContext.Provider value={language}>
      <ApproveView
        state={state}
        send={send}
        onNotify={canNotify ? null : () => void askToNotify()}
        iconOf={iconOf}
      />
    </WordsContext.Provider>,
    root,
  );
}

followTheme();
onLanguage((now) => {
  language = now;
  document.documentElement.lang = language;
  show();
});

/** The browser asks a person only after a click. */
async function askToNotify(): Promise<void> {
  canNotify = await browser.permissions.request(NOTIFICATIONS);
  show();
}

void browser.permissions.contains(NOTIFICATIONS).then((can) => {
  canNotify = can;
  show();
});
