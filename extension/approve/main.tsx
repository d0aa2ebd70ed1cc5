import '../ports/zod-setup.ts';
import { render } from 'preact';
import browser from 'webextension-polyfill';
import type { ApproveState } from './protocol.ts';
import { connectQuestions, iconOf } from './questions-port.ts';
import { ApproveView } from './view/approve-view.tsx';
import { english } from './words/strings.ts';

const NOTIFICATIONS = { permissions: ['notifications' as const] };

const root = document.getElementById('approve');
let state: ApproveState | null = null;
let canNotify = true;

const send = connectQuestions((now) => {
  state = now;
  show();
});

function show(): void {
  if (root === null || state === null) return;
  render(
    <ApproveView
      state={state}
      strings={english}
      send={send}
      onNotify={canNotify ? null : () => void askToNotify()}
      iconOf={iconOf}
    />,
    root,
  );
}

/** The browser asks a person only after a click. */
async function askToNotify(): Promise<void> {
  canNotify = await browser.permissions.request(NOTIFICATIONS);
  show();
}

void browser.permissions.contains(NOTIFICATIONS).then((can) => {
  canNotify = can;
  show();
});
