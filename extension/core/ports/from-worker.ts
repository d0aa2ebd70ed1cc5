import browser from 'webextension-polyfill';
import { isObject } from '../../../shared/base/json.ts';

/** Worker and pages are of one build, and no one else can open their ports, so a message's type is trusted. */
export const isFromWorker = <Message extends object>(message: unknown): message is Message =>
  isObject(message);

/**
 * Calls `onState` with the worker's state, now and on every change. Reconnecting restarts a worker that has ended.
 * @param onEnd called when the worker has ended
 * @returns sends the worker a request
 */
export function connectWorker<State extends object, Request>(
  name: string,
  onState: (state: State) => void,
  onEnd: () => void = () => undefined,
): (request: Request) => void {
  let port = browser.runtime.connect({ name });
  const listen = (): void => {
    port.onMessage.addListener((message) => {
      if (isFromWorker<State>(message)) onState(message);
    });
    port.onDisconnect.addListener(() => {
      onEnd();
      port = browser.runtime.connect({ name });
      listen();
    });
  };
  listen();
  return (request) => port.postMessage(request);
}
