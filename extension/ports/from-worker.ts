import browser from 'webextension-polyfill';
import { isObject } from '../../shared/json.ts';

/** Worker and pages are of one build, and no one else can open their ports: a message is what its port says it is. */
export const isFromWorker = <Message extends object>(message: unknown): message is Message =>
  isObject(message);

/**
 * Tells a page what the worker knows, now and whenever it changes. A worker that was ended is started again by connecting to it.
 *
 * @param onEnd the worker has ended
 * @returns what sends the worker a request
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
