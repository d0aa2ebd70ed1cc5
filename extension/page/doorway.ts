/**
 * A content script's part of a port to the worker. Requests are typed and not parsed: only the worker of the same build
 * can send them, and a parser would add Zod to every page.
 */
export interface PagePort<Request> {
  postMessage(message: object): void;
  readonly onMessage: { addListener(listener: (request: Request) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

type OpenRoot = (el: HTMLElement) => ShadowRoot | null;

/** The extension's API in a content script. Missing in documents that were only parsed. */
interface ExtensionApi {
  readonly runtime: { connect<Request>(info: { readonly name: string }): PagePort<Request> };
  /** Chromium's own; Firefox gives elements `openOrClosedShadowRoot` instead. */
  readonly dom?: { readonly openOrClosedShadowRoot: OpenRoot };
}

declare const chrome: ExtensionApi | undefined;

/** @throws Error in a script of an extension that was reloaded since */
export function connectWorker<Request>(name: string): PagePort<Request> {
  if (typeof chrome === 'undefined') throw new Error('This document has no extension API.');
  return chrome.runtime.connect({ name });
}

export function shadowRootOpener(): OpenRoot | null {
  if (typeof chrome === 'undefined') return null;
  const { dom } = chrome;
  return dom === undefined ? null : (el) => dom.openOrClosedShadowRoot(el);
}
