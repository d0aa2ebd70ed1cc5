import '../ports/zod-setup.ts';
import { render } from 'preact';
import browser, { type Runtime } from 'webextension-polyfill';
import { logMalformed } from '../ports/read-message.ts';
import { APPROVE_PORT, ApproveState, type ApproveRequest } from './protocol.ts';
import { ApproveView } from './view/approve-view.tsx';
import { english } from './words/strings.ts';

const NOTIFICATIONS = { permissions: ['notifications' as const] };

const root = document.getElementById('approve');
let port: Runtime.Port | null = null;
let state: ApproveState | null = null;
let canNotify = true;

/** A worker that was ended is started again by connecting to it. */
function connect(): void {
  port = browser.runtime.connect({ name: APPROVE_PORT });
  port.onMessage.addListener((message) => {
    const parsed = ApproveState.safeParse(message);
    if (!parsed.success) return logMalformed(APPROVE_PORT, parsed.error);
    state = parsed.data;
    show();
  });
  port.onDisconnect.addListener(() => {
    // Its tokens ended with the worker.
    if (state !== null && state.token !== null) state = { ...state, token: '' };
    show();
    connect();
  });
}

function send(request: ApproveRequest): void {
  port?.postMessage(request);
}

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

/** The icon of a page that the browser has kept: nothing is loaded from the site. */
function iconOf(url: string): string {
  const icon = new URL(browser.runtime.getURL('_favicon/'));
  icon.searchParams.set('pageUrl', url);
  icon.searchParams.set('size', '32');
  return icon.href;
}

/** The browser asks a person only after a click. */
async function askToNotify(): Promise<void> {
  canNotify = await browser.permissions.request(NOTIFICATIONS);
  show();
}

connect();
void browser.permissions.contains(NOTIFICATIONS).then((can) => {
  canNotify = can;
  show();
});
