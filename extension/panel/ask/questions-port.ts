import browser, { type Runtime } from 'webextension-polyfill';
import { isFromWorker } from '../../ports/from-worker.ts';
import { APPROVE_PORT, type ApproveRequest, type ApproveState } from '../../approve/protocol.ts';

/**
 * Tells a page what is asked, now and whenever it changes. A worker that was ended is started again by connecting to it.
 *
 * @returns what sends the worker a request
 */
export function connectQuestions(onState: (state: ApproveState) => void): (request: ApproveRequest) => void {
  let port: Runtime.Port | null = null;
  let state: ApproveState | null = null;
  const connect = (): void => {
    port = browser.runtime.connect({ name: APPROVE_PORT });
    port.onMessage.addListener((message) => {
      if (isFromWorker<ApproveState>(message)) onState((state = message));
    });
    port.onDisconnect.addListener(() => {
      // Its tokens ended with the worker.
      if (state !== null) onState((state = withoutTokens(state)));
      connect();
    });
  };
  connect();
  return (request) => port?.postMessage(request);
}

/** Cards whose buttons do nothing until the worker is back. */
function withoutTokens({ token, takeover, ...state }: ApproveState): ApproveState {
  return {
    ...state,
    token: token === null ? null : '',
    takeover: takeover === null ? null : { ...takeover, token: takeover.token === null ? null : '' },
  };
}

/** The icon of a page that the browser has kept: nothing is loaded from the site. */
export function iconOf(url: string): string {
  const icon = new URL(browser.runtime.getURL('_favicon/'));
  icon.searchParams.set('pageUrl', url);
  icon.searchParams.set('size', '32');
  return icon.href;
}
