import browser from 'webextension-polyfill';
import type { ApproveState } from '../protocol.ts';
import { connectQuestions } from '../panel/questions-port.ts';
import { speak } from '../../ui/words/speak.ts';
import { PRODUCT } from '../../ui/words/use-texts.ts';
import { followTheme } from '../../ui/theme/theme.ts';
import { QuestionView, Waiting } from '../panel/question-view.tsx';
import { useCardWords } from '../../ui/words/en/card.ts';

function ApproveView({ state }: { readonly state: ApproveState }) {
  const { card } = useCardWords();
  const isAsked = state.question !== null || state.takeover !== null;
  const notify = !canNotify && (
    <button type="button" class="plain notify" onClick={() => void askToNotify()}>
      {card.notify}
    </button>
  );
  return (
    <>
      <header>
        <img src="/icons/48.png" width="20" height="20" alt="" />
        <span class="product">{PRODUCT}</span>
        <Waiting state={state} />
      </header>
      {!isAsked ? (
        <main class="empty">
          <h1>{card.nothing}</h1>
          <p class="quiet">{card.nothingDetail}</p>
          {notify}
        </main>
      ) : (
        <QuestionView state={state} send={send} isNextToPage={false}>
          {notify}
        </QuestionView>
      )}
    </>
  );
}

const NOTIFICATIONS = { permissions: ['notifications' as const] };

let state: ApproveState | null = null;
/** Whether notifications are allowed. */
let canNotify = true;

const show = speak(document.getElementById('approve'), {
  draw: () => state && <ApproveView state={state} />,
});
const send = connectQuestions((now) => {
  state = now;
  show();
});
followTheme();

/** The browser asks a person only after a click. */
async function askToNotify(): Promise<void> {
  canNotify = await browser.permissions.request(NOTIFICATIONS);
  show();
}

void browser.permissions.contains(NOTIFICATIONS).then((can) => {
  canNotify = can;
  show();
});
