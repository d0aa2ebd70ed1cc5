import type { ApproveRequest } from '../requests-port.ts';
import browser from 'webextension-polyfill';
import { connectWorker } from '../../core/ports/from-worker.ts';
import { APPROVE_PORT, type ApproveState } from '../protocol.ts';

/**
 * Calls `onState` with the questions, now and on every change.
 * @returns sends the worker a request
 */
export function connectQuestions(onState: (state: ApproveState) => void): (request: ApproveRequest) => void {
  let state: ApproveState | null = null;
  return connectWorker(
    APPROVE_PORT,
    (now: ApproveState) => onState((state = now)),
    // Its tokens ended with the worker.
    () => state !== null && onState((state = withoutTokens(state))),
  );
}

/** Cards whose buttons do nothing until the worker is back. */
function withoutTokens({ token, takeover, ...state }: ApproveState): ApproveState {
  return {
    ...state,
    token: token === null ? null : '',
    takeover: takeover === null ? null : { ...takeover, token: takeover.token === null ? null : '' },
  };
}

/** A page's icon from the browser's cache: nothing is loaded from the site. */
export function iconOf(url: string): string {
  const icon = new URL(browser.runtime.getURL('_favicon/'));
  icon.searchParams.set('pageUrl', url);
  icon.searchParams.set('size', '32');
  return icon.href;
}
