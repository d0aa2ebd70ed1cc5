/**
 * A port to the worker, as far as a content script uses it. Its requests are typed and not parsed: only the worker
 * of the same build can send them, and a parser would add Zod to every page that is read.
 */
export interface PagePort<Request> {
  postMessage(message: object): void;
  readonly onMessage: { addListener(listener: (request: Request) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

type OpenRoot = (el: HTMLElement) => ShadowRoot | null;

/** The extension's API in a content script. Missing where a page is only parsed. */
interface ExtensionApi {
  readonly runtime: { connect<Request>(info: { readonly name: string }): PagePort<Request> };
  /** Chromium's own; Firefox gives its elements `openOrClosedShadowRoot` instead. */
  readonly dom?: { readonly openOrClosedShadowRoot: OpenRoot };
}

declare const chrome: ExtensionApi | undefined;

/**
 * Opens a port to the worker.
 *
 * @throws Error in a script whose extension was reloaded meanwhile
 */
export function connectWorker<Request>(name: string): PagePort<Request> {
  if (typeof chrome === 'undefined') throw new Error('This document has no extension API.');
  return chrome.runtime.connect({ name });
}

export function shadowRootOpener(): OpenRoot | null {
  if (typeof chrome === 'undefined') return null;
  const { dom } = chrome;
  return dom === undefined ? null : (el) => dom.openOrClosedShadowRoot(el);
}
