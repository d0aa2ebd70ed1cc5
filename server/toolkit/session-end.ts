import { onAbort } from '../../shared/async/abort.ts';
import type { ClientSession } from '../core/context.ts';
import type { Bridge, BrowserId } from '../core/services.ts';

/**
 * When the session ends, makes browsers undo its changes to their tabs, once each. A browser notices the end
 * of a server by itself.
 * @param name by which browsers know the session
 */
export function createSessionEnd(bridge: Bridge, method: 'emulate.end' | 'intercept.end') {
  const followed = new WeakMap<ClientSession, Set<BrowserId>>();
  return (session: ClientSession, browser: BrowserId, name: string): void => {
    const browsers = followed.get(session) ?? new Set();
    followed.set(session, browsers);
    if (browsers.has(browser)) return;
    browsers.add(browser);
    onAbort(session.signal, () => {
      bridge.request(browser, method, { session: name }, { call: null }).catch(() => undefined);
    });
  };
}
